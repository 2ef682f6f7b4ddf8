import type { Alert } from '../../core/alert/alert.ts';
import type { Json } from '../../core/text/json.ts';
import { eventPrefix } from '../../store/records/events.ts';
import type { NewMessage } from '../../store/records/message-row.ts';
import type { OperationRow } from '../../store/records/operation-row.ts';
import type { HooksTable } from '../../store/schema.ts';
import type { EngineDeps } from '../context/dependencies.ts';
import { eventLivesMs } from '../context/time-limits.ts';
import { endSentenceOf } from '../operation/ends.ts';
import { readOperationLeniently } from '../operation/read-operation.ts';

/** Events of requests and alerts as messages of the outbox, for each address of their channel. */

export type EventHooks = ReturnType<typeof createEventHooks>;

export function createEventHooks({ store, now }: Pick<EngineDeps, 'now' | 'store'>) {
  let hooks: readonly HooksTable[] = [];

  function eventsAt(channel: string, about: string, type: string, at: number | null, data: object): NewMessage[] {
    if (at === null || at < now() - eventLivesMs) return [];
    const own = hooks.filter((hook) => hook.channel === channel && hook.createdAt <= at);
    const view = JSON.stringify({ type, at, ...data });
    return own.map(({ id }) => {
      const key = `${eventPrefix}${id}:${about}:${type}`;
      return { key, channel: eventPrefix + id, view, state: 'event' };
    });
  }

  return {
    list: () => hooks,
    /** Reads the addresses; each process does so every second. */
    refresh: async (): Promise<void> => {
      hooks = await store.hooks.listAll('events');
    },
    ofRequest: (row: OperationRow): readonly NewMessage[] => {
      if (hooks.length === 0) return [];
      const operation = readOperationLeniently(row);
      const { id, channel, state, decidedAt, startedAt, endedAt, createdAt, plan, requester, token } = operation;
      const what = { request: id, what: plan.title, who: requester, ...(token && { token: token.name }) };
      const make = (type: string, at: number | null, stateThen: string, more: { readonly [key: string]: Json } = {}) =>
        eventsAt(channel, `${id}:${at}`, `request.${type}`, at, { ...what, state: stateThen, ...more });
      const isDeclined = state === 'declined';
      return [
        ...make('asked', createdAt, 'waiting'),
        ...make('decided', isDeclined ? endedAt : decidedAt, isDeclined ? state : 'approved'),
        ...make('begun', startedAt, 'running'),
        ...(endedAt === null ? [] : make('ended', endedAt, state, { text: endSentenceOf(operation) })),
      ];
    },
    ofAlerts: (alerts: readonly Alert[]): readonly NewMessage[] =>
      alerts.flatMap(({ id, channel, flaps, finding, severity, openedAt, escalatedAt, resolvedAt, endText, state }) => {
        const what = { alert: id, what: finding.title, severity };
        const about = `${id}:${flaps}`;
        const begunAt = flaps === 0 ? openedAt : (escalatedAt ?? openedAt);
        if (resolvedAt === null) return eventsAt(channel, about, 'alert.opened', begunAt, { ...what, state: 'open' });
        return eventsAt(channel, about, 'alert.ended', resolvedAt, { ...what, state, text: endText ?? '' });
      }),
  };
}
