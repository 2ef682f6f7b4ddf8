import type { Insertable } from 'kysely';
import type { Alert } from '../../core/alert/alert.ts';
import { slicesOf } from '../../core/async/in-slices.ts';
import { defined } from '../../core/text/defined.ts';
import { type Context, countRows, hasChanged } from '../dialect.ts';
import type { AlertsTable } from '../schema.ts';
import { createAlertMessages, toAlert } from './alert-messages.ts';

/** The other columns start as those of an open alert that was not announced yet. */
export type NewAlert = Pick<
  Alert,
  'id' | 'channel' | 'rule' | 'groupKey' | 'cause' | 'severity' | 'level' | 'finding' | 'startsAt' | 'endsAt'
>;

/** Columns whose change makes the message due to be drawn again. */
export type AlertPatch = Partial<Omit<Alert, 'id' | 'channel' | 'rule' | 'cause' | 'version' | 'drawn'>>;

/** Alerts of all channels. A message in Slack carries one or several of them. */
export function createAlerts({ db, now }: Pick<Context, 'db' | 'now'>) {
  const all = () => db.selectFrom('alerts').selectAll();
  const open = () => all().where('resolvedAt', 'is', null);
  const read = async (alerts: ReturnType<typeof all>): Promise<Alert[]> => (await alerts.execute()).map(toAlert);

  /** The causes of the inserted alerts; the other causes already have an open alert. */
  async function insertAll(alerts: readonly NewAlert[]): Promise<Set<string>> {
    const inserted = new Set<string>();
    // The times are a millisecond apart, so that the alerts are shown in the order in which they arrived.
    let openedAt = now() - alerts.length;
    for (const some of slicesOf(alerts)) {
      const rows = await db
        .insertInto('alerts')
        .values(some.map((alert) => valuesOf(alert, ++openedAt)))
        .onConflict((conflict) =>
          conflict.columns(['channel', 'rule', 'cause']).where('resolvedAt', 'is', null).doNothing(),
        )
        .returning('cause')
        .execute();
      for (const { cause } of rows) inserted.add(cause);
    }
    return inserted;
  }

  return {
    ...createAlertMessages({ db, now }),

    insertAll,
    /** False when the cause already has an open alert. */
    insert: async (alert: NewAlert): Promise<boolean> => (await insertAll([alert])).size > 0,

    /** Changes the row only if it has not changed since it was read. */
    change: (id: string, version: number, { finding, ...plain }: AlertPatch): Promise<boolean> =>
      db
        .updateTable('alerts')
        .set({ ...plain, ...(finding !== undefined && { finding: JSON.stringify(finding) }), version: version + 1 })
        .where(({ and }) => and({ id, version }))
        .$call(hasChanged),

    /** Stores that monitoring repeated the alerts; their message is not drawn again. */
    async touch(ids: readonly string[]): Promise<void> {
      for (const some of slicesOf(ids)) {
        await db.updateTable('alerts').set({ seenAt: now() }).where('id', 'in', some).execute();
      }
    },

    find: async (id: string): Promise<Alert | undefined> => (await read(all().where('id', '=', id)))[0],

    active: (channel: string, rule: string) => read(open().where(({ and }) => and({ channel, rule }))),

    /** The cause's newest alert, in any state. */
    async last(channel: string, rule: string, cause: string): Promise<Alert | undefined> {
      const own = all().where(({ and }) => and({ channel, rule, cause }));
      return (await read(own.orderBy('openedAt', 'desc').limit(1)))[0];
    },

    /** The newest alert of each of these causes, in any state. */
    async lastOf(channel: string, rule: string, causes: readonly string[]): Promise<Map<string, Alert>> {
      const newest = new Map<string, Alert>();
      for (const some of slicesOf(causes)) {
        const theirs = all()
          .where(({ and }) => and({ channel, rule }))
          .where('cause', 'in', some);
        for (const alert of await read(theirs.orderBy('openedAt'))) newest.set(alert.cause, alert);
      }
      return newest;
    },

    /** The pairs of channel and rule that have open alerts. */
    openRules: (): Promise<{ channel: string; rule: string }[]> =>
      db.selectFrom('alerts').select(['channel', 'rule']).distinct().where('resolvedAt', 'is', null).execute(),

    /** Oldest first. */
    listOpen: ({ limit, channel }: { channel?: string; limit: number }): Promise<Alert[]> => {
      const those = open().where(({ and }) => and(defined({ channel })));
      return read(those.orderBy('openedAt').orderBy('id').limit(limit));
    },

    /** Alerts that are open or ended since, oldest first. */
    openSince: (at: number, limit: number): Promise<Alert[]> => {
      // One index serves each half; with `or`, SQLite would read the whole table.
      const those = open().unionAll(all().where('resolvedAt', '>=', at));
      return read(those.orderBy('openedAt').orderBy('id').limit(limit));
    },

    countOpen: (channel?: string, rule?: string): Promise<number> =>
      db
        .selectFrom('alerts')
        .where('resolvedAt', 'is', null)
        .where(({ and }) => and(defined({ channel, rule })))
        .$call(countRows),

    /** Open alerts whose acknowledgement or snooze has expired. */
    lapsed: (channel: string, at: number) => read(open().where('channel', '=', channel).where('until', '<=', at)),

    /** Announced open alerts without a post since this time. */
    quietSince: (channel: string, at: number): Promise<Alert[]> =>
      read(
        open()
          .where(({ and }) => and({ channel, state: 'open' }))
          .where('toldAt', '<=', at)
          .where(({ or, eb }) => or([eb('remindedAt', 'is', null), eb('remindedAt', '<=', at)])),
      ),

    /** Alerts of these rules whose cause is gone, but which flapped lately and are not resolved yet. */
    calming: (prefix: string) => read(open().where('rule', 'like', `${prefix}%`).where('calmSince', 'is not', null)),

    /** Open alerts of these rules that monitoring has not repeated since this time. */
    unheard: (prefix: string, before: number): Promise<Alert[]> =>
      read(open().where('rule', 'like', `${prefix}%`).where('seenAt', '<', before).limit(1_000)),
  };
}

/** The other columns are null. */
function valuesOf({ finding, ...alert }: NewAlert, at: number): Insertable<AlertsTable> {
  return {
    ...alert,
    finding: JSON.stringify(finding),
    state: 'open',
    peak: alert.level,
    flaps: 0,
    openedAt: at,
    seenAt: at,
    version: 1,
    drawn: 0,
  };
}
