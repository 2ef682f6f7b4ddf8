import { z } from 'zod';
import type { Alert, Finding } from '../../core/alert/alert.ts';
import { inOneSlice, slicesOf } from '../../core/async/in-slices.ts';
import { type Context, parseJson } from '../dialect.ts';
import type { AlertsTable } from '../schema.ts';

/** Only the bot writes a finding, so it is not validated. */
const storedFinding = z.custom<Finding>((value) => typeof value === 'object' && value !== null && 'cause' in value);

/** The columns of the alerts' table that say which message in Slack shows which alert. */
export function createAlertMessages({ db, now }: Pick<Context, 'db' | 'now'>) {
  const all = () => db.selectFrom('alerts').selectAll();
  const open = () => all().where('resolvedAt', 'is', null);

  /** Reads in parts, so that the process serves other requests in between. */
  async function oldestFirst(from: () => ReturnType<typeof all>, limit = Number.POSITIVE_INFINITY): Promise<Alert[]> {
    const alerts: Alert[] = [];
    for (;;) {
      const last = alerts.at(-1);
      const size = Math.min(inOneSlice, limit - alerts.length);
      let part = from().orderBy('openedAt').orderBy('id').limit(size);
      if (last !== undefined)
        part = part.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('openedAt', 'id'), '>', tuple(last.openedAt, last.id)),
        );
      const rows = await part.execute();
      alerts.push(...rows.map(toAlert));
      if (rows.length < inOneSlice || alerts.length >= limit) return alerts;
    }
  }

  return {
    /** Alerts without a message, oldest first. */
    withoutMessage: (channel: string, limit: number): Promise<Alert[]> =>
      oldestFirst(() => open().where('channel', '=', channel).where('message', 'is', null), limit),

    /** Assigns this message to those of the alerts that have none; returns how many. */
    async claimFor(message: string, ids: readonly string[]): Promise<number> {
      let claimed = 0;
      for (const some of slicesOf(ids)) {
        const { numUpdatedRows } = await db
          .updateTable('alerts')
          .set(({ eb }) => ({ message, toldAt: now(), version: eb('version', '+', 1) }))
          .where('id', 'in', some)
          .where('message', 'is', null)
          .executeTakeFirstOrThrow();
        claimed += Number(numUpdatedRows);
      }
      return claimed;
    },

    onMessage: (message: string): Promise<Alert[]> => oldestFirst(() => all().where('message', '=', message)),

    /** Messages that were started in the channel since this time, newest first. */
    async messagesSince(channel: string, since: number): Promise<{ message: string; rule: string; at: number }[]> {
      const rows = await db
        .selectFrom('alerts')
        .select(({ fn }) => ['message', 'rule', fn.min<number>('toldAt').as('at')])
        .where('channel', '=', channel)
        .where('toldAt', '>=', since)
        .where('message', 'is not', null)
        .groupBy(['message', 'rule'])
        .execute();
      return rows
        .flatMap(({ message, ...row }) => (message === null ? [] : [{ ...row, message }]))
        .sort((a, b) => b.at - a.at);
    },

    /** The group's message, while at least one alert on it is open. */
    async messageOfGroup(channel: string, rule: string, groupKey: string): Promise<string | undefined> {
      const row = await open()
        .where(({ and }) => and({ channel, rule, groupKey }))
        .where('message', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      return row?.message ?? undefined;
    },

    /** Messages of the channel that do not show the present rows, or were held back in quiet hours that are over. */
    async undrawn(channel: string): Promise<string[]> {
      const rows = await db
        .selectFrom('alerts')
        .select('message')
        .distinct()
        .where('channel', '=', channel)
        .where('message', 'is not', null)
        .where(({ or, eb, ref, and }) =>
          or([
            eb('version', '>', ref('drawn')),
            and([eb('resolvedAt', 'is', null), eb('escalatedAt', 'is not', null)]),
          ]),
        )
        .execute();
      return rows.flatMap(({ message }) => message ?? []);
    },

    /** Stores that the message shows these versions of the rows; rows that changed since are drawn again. */
    async drawn(rows: readonly Pick<Alert, 'id' | 'version' | 'drawn'>[]): Promise<void> {
      const due = rows.filter((row) => row.version > row.drawn);
      for (const [version, same] of Map.groupBy(due, (row) => row.version)) {
        for (const some of slicesOf(same.map((row) => row.id))) {
          await db
            .updateTable('alerts')
            .set({ drawn: version })
            .where('id', 'in', some)
            .where('version', '=', version)
            .execute();
        }
      }
    },

    /** Channels with alerts to announce, messages to draw, or expired acknowledgements and snoozes. */
    async busyChannels(at: number): Promise<string[]> {
      const rows = await db
        .selectFrom('alerts')
        .select('channel')
        .where(({ eb, ref }) => eb('version', '>', ref('drawn')))
        .where(({ or, eb }) => or([eb('message', 'is not', null), eb('resolvedAt', 'is', null)]))
        // A union, so that each half uses its own index.
        .union(({ selectFrom }) =>
          selectFrom('alerts')
            .select('channel')
            .where('resolvedAt', 'is', null)
            .where(({ or, eb }) => or([eb('until', '<=', at), eb('escalatedAt', 'is not', null)])),
        )
        .execute();
      return rows.map(({ channel }) => channel);
    },
  };
}

export function toAlert(row: AlertsTable): Alert {
  return { ...row, finding: storedFinding.parse(parseJson(row.finding)) };
}
