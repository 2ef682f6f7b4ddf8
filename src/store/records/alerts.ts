import type { Insertable, Updateable } from 'kysely';
import type { Alert } from '../../core/alert/alert.ts';
import type { Context } from '../dialect.ts';
import type { AlertsTable } from '../schema.ts';
import { chunks, createAlertMessages, toAlert } from './alert-messages.ts';

/** The other columns start as those of an open alert that was not announced yet. */
export type NewAlert = Pick<
  Alert,
  'id' | 'channel' | 'rule' | 'groupKey' | 'cause' | 'severity' | 'level' | 'finding' | 'startsAt'
> &
  Partial<Pick<Alert, 'endsAt'>>;

/** Columns whose change makes the message due to be drawn again. */
export type AlertPatch = Partial<Omit<Alert, 'id' | 'channel' | 'rule' | 'cause' | 'version' | 'drawn'>>;

/** Alerts of all channels. A message in Slack carries one or several of them. */
export function createAlerts({ db, now }: Pick<Context, 'db' | 'now'>) {
  const open = () => db.selectFrom('alerts').selectAll().where('resolvedAt', 'is', null);

  return {
    ...createAlertMessages({ db, now }),

    /** False when the cause already has an open alert. */
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

    /** The causes of the inserted alerts; the other causes already have an open alert. */
    async insertAll(alerts: readonly NewAlert[]): Promise<Set<string>> {
      const inserted = new Set<string>();
      // The times are a millisecond apart, so that the alerts are shown in the order in which they arrived.
      let openedAt = now() - alerts.length;
      for (const some of chunks(alerts)) {
        const rows = await db
          .insertInto('alerts')
          .values(some.map((alert) => valuesOf(alert, openedAt++)))
          .onConflict((conflict) =>
            conflict.columns(['channel', 'rule', 'cause']).where('resolvedAt', 'is', null).doNothing(),
          )
          .returning('cause')
          .execute();
        for (const { cause } of rows) inserted.add(cause);
      }
      return inserted;
    },

    /** Changes the row only if it has not changed since it was read. */
    async change(id: string, version: number, patch: AlertPatch): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('alerts')
        .set({ ...encode(patch), version: version + 1 })
        .where('id', '=', id)
        .where('version', '=', version)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Stores that monitoring repeated the alerts; their message is not drawn again. */
    async touch(ids: readonly string[]): Promise<void> {
      for (const some of chunks(ids)) {
        await db.updateTable('alerts').set({ seenAt: now() }).where('id', 'in', some).execute();
      }
    },

    async find(id: string): Promise<Alert | undefined> {
      const row = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toAlert(row);
    },

    async active(channel: string, rule: string): Promise<Alert[]> {
      return (await open().where('channel', '=', channel).where('rule', '=', rule).execute()).map(toAlert);
    },

    /** The cause's newest alert, in any state. */
    async last(channel: string, rule: string, cause: string): Promise<Alert | undefined> {
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

    /** The newest alert of each of these causes, in any state. */
    async lastOf(channel: string, rule: string, causes: readonly string[]): Promise<Map<string, Alert>> {
      const newest = new Map<string, Alert>();
      for (const some of chunks(causes)) {
        const rows = await db
          .selectFrom('alerts')
          .selectAll()
          .where('channel', '=', channel)
          .where('rule', '=', rule)
          .where('cause', 'in', some)
          .orderBy('openedAt')
          .execute();
        for (const row of rows) newest.set(row.cause, toAlert(row));
      }
      return newest;
    },

    /** The pairs of channel and rule that have open alerts. */
    openRules: (): Promise<{ channel: string; rule: string }[]> =>
      db.selectFrom('alerts').select(['channel', 'rule']).distinct().where('resolvedAt', 'is', null).execute(),

    /** Oldest first. */
    async listOpen({ channel, limit }: { channel?: string; limit: number }) {
      let query = open();
      if (channel !== undefined) query = query.where('channel', '=', channel);
      const rows = await query.orderBy('openedAt').orderBy('id').limit(limit).execute();
      return rows.map(toAlert);
    },

    /** Alerts that are open, oldest first, and alerts that ended since. */
    async openSince(at: number, limit: number): Promise<Alert[]> {
      // In this order, so that an alert which ends between the two reads is not missed.
      const now = await open().orderBy('openedAt').orderBy('id').limit(limit).execute();
      const ended = db.selectFrom('alerts').selectAll().where('resolvedAt', '>=', at);
      const since = await ended.orderBy('resolvedAt').orderBy('id').limit(limit).execute();
      return [...new Map([...now, ...since].map((row) => [row.id, toAlert(row)])).values()];
    },

    async countOpenOf(channel: string, rule: string): Promise<number> {
      const row = await db
        .selectFrom('alerts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('channel', '=', channel)
        .where('rule', '=', rule)
        .where('resolvedAt', 'is', null)
        .executeTakeFirstOrThrow();
      return row.count;
    },

    async countOpen(channel?: string): Promise<number> {
      let query = db
        .selectFrom('alerts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('resolvedAt', 'is', null);
      if (channel !== undefined) query = query.where('channel', '=', channel);
      return (await query.executeTakeFirstOrThrow()).count;
    },

    /** Open alerts whose acknowledgement or snooze has expired. */
    async lapsed(channel: string, at: number): Promise<Alert[]> {
      return (await open().where('channel', '=', channel).where('until', '<=', at).execute()).map(toAlert);
    },

    /** Announced open alerts without a post since this time. */
    async quietSince(channel: string, at: number): Promise<Alert[]> {
      const rows = await open()
        .where('channel', '=', channel)
        .where('state', '=', 'open')
        .where('toldAt', '<=', at)
        .where(({ or, eb }) => or([eb('remindedAt', 'is', null), eb('remindedAt', '<=', at)]))
        .execute();
      return rows.map(toAlert);
    },

    /** Alerts of these rules whose cause is gone, but which flapped lately and are not resolved yet. */
    async calming(prefix: string): Promise<Alert[]> {
      const rows = await open().where('rule', 'like', `${prefix}%`).where('calmSince', 'is not', null).execute();
      return rows.map(toAlert);
    },

    /** Open alerts of these rules that monitoring has not repeated since this time. */
    async unheard(prefix: string, before: number): Promise<Alert[]> {
      const rows = await open().where('rule', 'like', `${prefix}%`).where('seenAt', '<', before).limit(1_000).execute();
      return rows.map(toAlert);
    },
  };
}

function valuesOf({ finding, ...alert }: NewAlert, at: number): Insertable<AlertsTable> {
  return {
    endsAt: null,
    ...alert,
    finding: JSON.stringify(finding),
    state: 'open',
    peak: alert.level,
    message: null,
    toldAt: null,
    byUser: null,
    until: null,
    sinceAt: null,
    handedBy: null,
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
  return { ...plain, ...(finding !== undefined && { finding: JSON.stringify(finding) }) };
}
