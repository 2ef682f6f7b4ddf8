import type { Insertable, Updateable } from 'kysely';
import type { Json } from '../core/json.ts';
import { jsonText, parseJson } from './columns.ts';
import type { Context } from './dialect.ts';
import type { AlertsTable } from './schema.ts';

export interface AlertRow extends Omit<AlertsTable, 'finding'> {
  finding: Json;
}

/** What is not given is as for a new alert: open, untold. */
export type NewAlert = Pick<
  AlertRow,
  'id' | 'channel' | 'rule' | 'groupKey' | 'cause' | 'severity' | 'level' | 'finding' | 'startsAt'
>;

/** `drawn` changes by itself; everything else makes the message due to be drawn again. */
export type AlertPatch = Partial<Omit<AlertRow, 'id' | 'channel' | 'rule' | 'cause' | 'version' | 'drawn'>>;

/** SQLite takes 32,766 parameters. */
const chunkSize = 500;

export type Alerts = ReturnType<typeof createAlerts>;

/** Alerts of all channels. A message in Slack carries one of them, or several as a digest. */
export function createAlerts({ db, now }: Context) {
  const open = () => db.selectFrom('alerts').selectAll().where('resolvedAt', 'is', null);

  return {
    /** False when this cause has an open alert already. */
    async insert(alert: NewAlert): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('alerts')
        .values(valuesOf(alert, now()))
        .onConflict((conflict) =>
          conflict.columns(['channel', 'rule', 'cause']).where('resolvedAt', 'is', null).doNothing(),
        )
        .executeTakeFirstOrThrow();
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    /** Only if nobody has changed it since it was read. */
    async change(id: string, version: number, patch: AlertPatch): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('alerts')
        .set({ ...encode(patch), version: version + 1 })
        .where('id', '=', id)
        .where('version', '=', version)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Heard of again, and nothing is new: the message stays as it is. */
    async touch(ids: readonly string[]): Promise<void> {
      for (const some of chunks(ids)) {
        await db.updateTable('alerts').set({ seenAt: now() }).where('id', 'in', some).execute();
      }
    },

    async find(id: string): Promise<AlertRow | undefined> {
      const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toAlert(row);
    },

    async active(channel: string, rule: string): Promise<AlertRow[]> {
      return (await open().where('channel', '=', channel).where('rule', '=', rule).execute()).map(toAlert);
    },

    /** The newest of this cause, in whatever state. */
    async last(channel: string, rule: string, cause: string): Promise<AlertRow | undefined> {
      const row = await db
        .selectFrom('alerts')
        .selectAll()
        .where('channel', '=', channel)
        .where('rule', '=', rule)
        .where('cause', '=', cause)
        .orderBy('openedAt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && toAlert(row);
    },

    /** Which rules have something open where. */
    openRules: (): Promise<{ channel: string; rule: string }[]> =>
      db.selectFrom('alerts').select(['channel', 'rule']).distinct().where('resolvedAt', 'is', null).execute(),

    /** Oldest first. */
    async listOpen({ channel, offset = 0, limit }: { channel?: string; offset?: number; limit: number }) {
      let query = open();
      if (channel !== undefined) query = query.where('channel', '=', channel);
      const rows = await query.orderBy('openedAt').orderBy('id').limit(limit).offset(offset).execute();
      return rows.map(toAlert);
    },

    async countOpen(channel?: string): Promise<number> {
      let query = db
        .selectFrom('alerts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('resolvedAt', 'is', null);
      if (channel !== undefined) query = query.where('channel', '=', channel);
      return (await query.executeTakeFirstOrThrow()).count;
    },

    /** On no message yet, oldest first. */
    async untold(channel: string, limit: number): Promise<AlertRow[]> {
      const rows = await open()
        .where('channel', '=', channel)
        .where('message', 'is', null)
        .orderBy('openedAt')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toAlert);
    },

    /** Puts those of them that are on no message on this one; the number that were. */
    async claimFor(message: string, ids: readonly string[]): Promise<number> {
      let claimed = 0;
      for (const some of chunks(ids)) {
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

    async onMessage(message: string): Promise<AlertRow[]> {
      const rows = await db
        .selectFrom('alerts')
        .selectAll()
        .where('message', '=', message)
        .orderBy('openedAt')
        .orderBy('id')
        .execute();
      return rows.map(toAlert);
    },

    /** Messages that were started in the channel since, the newest first. */
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

    /** The message of the group as long as something on it is open. */
    async messageOfGroup(channel: string, rule: string, groupKey: string): Promise<string | undefined> {
      const row = await open()
        .where('channel', '=', channel)
        .where('rule', '=', rule)
        .where('groupKey', '=', groupKey)
        .where('message', 'is not', null)
        .limit(1)
        .executeTakeFirst();
      return row?.message ?? undefined;
    },

    /** Messages of the channel that do not show what the rows say, or say it louder when quiet hours are over. */
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

    /** These are shown as they were read; what has changed since is drawn again. */
    async drawn(rows: readonly Pick<AlertRow, 'id' | 'version' | 'drawn'>[]): Promise<void> {
      const due = rows.filter((row) => row.version > row.drawn);
      for (const [version, same] of Map.groupBy(due, (row) => row.version)) {
        for (const some of chunks(same.map((row) => row.id))) {
          await db
            .updateTable('alerts')
            .set({ drawn: version })
            .where('id', 'in', some)
            .where('version', '=', version)
            .execute();
        }
      }
    },

    /** Channels that have something to tell, or to draw, or whose time is over. */
    async busyChannels(at: number): Promise<string[]> {
      const rows = await db
        .selectFrom('alerts')
        .select('channel')
        .distinct()
        .where(({ or, eb, ref, and }) =>
          or([
            and([eb('version', '>', ref('drawn')), or([eb('message', 'is not', null), eb('resolvedAt', 'is', null)])]),
            and([eb('resolvedAt', 'is', null), or([eb('until', '<=', at), eb('escalatedAt', 'is not', null)])]),
          ]),
        )
        .execute();
      return rows.map(({ channel }) => channel);
    },

    /** Acknowledged or snoozed until a moment that has come. */
    async lapsed(channel: string, at: number): Promise<AlertRow[]> {
      return (await open().where('channel', '=', channel).where('until', '<=', at).execute()).map(toAlert);
    },

    /** Open, told, and with no word since then. */
    async quietSince(channel: string, at: number): Promise<AlertRow[]> {
      const rows = await open()
        .where('channel', '=', channel)
        .where('state', '=', 'open')
        .where('toldAt', '<=', at)
        .where(({ or, eb }) => or([eb('remindedAt', 'is', null), eb('remindedAt', '<=', at)]))
        .execute();
      return rows.map(toAlert);
    },

    /** Of these rules, no longer so but on and off lately: not resolved yet. */
    async calming(prefix: string): Promise<AlertRow[]> {
      const rows = await open().where('rule', 'like', `${prefix}%`).where('calmSince', 'is not', null).execute();
      return rows.map(toAlert);
    },

    /** Of these rules, open and not heard of since. */
    async unheard(prefix: string, before: number): Promise<AlertRow[]> {
      const rows = await open().where('rule', 'like', `${prefix}%`).where('seenAt', '<', before).limit(1_000).execute();
      return rows.map(toAlert);
    },

    async prune(before: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('alerts')
        .where('resolvedAt', '<', before)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

function* chunks<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += chunkSize) yield all.slice(start, start + chunkSize);
}

function valuesOf({ finding, ...alert }: NewAlert, at: number): Insertable<AlertsTable> {
  return {
    ...alert,
    finding: jsonText(finding),
    state: 'open',
    peak: alert.level,
    message: null,
    toldAt: null,
    byUser: null,
    until: null,
    calmSince: null,
    resolvedAt: null,
    endText: null,
    flaps: 0,
    openedAt: at,
    escalatedAt: null,
    remindedAt: null,
    seenAt: at,
    version: 1,
    drawn: 0,
  };
}

function encode({ finding, ...plain }: AlertPatch): Updateable<AlertsTable> {
  return { ...plain, ...(finding !== undefined && { finding: jsonText(finding) }) };
}

function toAlert(row: AlertsTable): AlertRow {
  return { ...row, finding: parseJson(row.finding) };
}
