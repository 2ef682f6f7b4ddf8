import { z } from 'zod';
import type { Alert } from '../../core/alert/alert.ts';
import type { View } from '../../core/view/view.ts';
import type { Store } from '../../store/database.ts';
import type { CardRows } from '../../store/records/cards.ts';
import type { NewMessage } from '../../store/records/message-row.ts';
import type { NewOperation, OperationRow } from '../../store/records/operation-row.ts';
import type { AlsoChanged } from '../../store/records/operations.ts';
import type { NewStep } from '../../store/records/steps.ts';
import type { Outbox } from './ports.ts';

export type OutboxWriter = ReturnType<typeof createOutbox>;

export type PutMessage = Omit<NewMessage, 'view'> & { readonly view: View };

/** Puts the same message for each of these people and channels. */
export async function putForEach(
  { outbox }: { readonly outbox: Pick<OutboxWriter, 'put'> },
  channels: readonly string[],
  key: string,
  view: View,
): Promise<void> {
  for (const channel of channels) await outbox.put({ key: `${key}:${channel}`, channel, view });
}

function rowOf({ view: { files: _, ...kept }, ...message }: PutMessage): NewMessage {
  return { ...message, view: JSON.stringify(kept) };
}

// Only the bot's own views, stored by `put`, are read back.
const storedView = z.custom<View>((value) => typeof value === 'object' && value !== null && 'summary' in value);
const readView = (stored: string): View => storedView.parse(JSON.parse(stored));

const claimMs = 30_000;

/**
 * Stores the messages that Slack should show as rows. Storing the same message again changes nothing, so a turn may be
 * repeated.
 */
export function createOutbox(
  store: Store,
  {
    owner,
    onUndeliverable,
    onChange = () => {},
  }: {
    owner: string;
    onUndeliverable: (key: string, why: string) => Promise<void>;
    /** Called when the content of a message has changed. */
    onChange?: (key: string, operation?: OperationRow) => void;
  },
) {
  const listeners = new Set<() => void>();
  const nudge = () => {
    for (const listener of listeners) listener();
  };
  const outbox: Outbox = {
    claimMs,
    claim: async (limit, except) => {
      const rows = await store.messages.claimDue(owner, claimMs, limit, except);
      return rows.map((row) => ({
        key: row.key,
        channel: row.channel,
        threadTs: row.threadTs ?? row.parentTs,
        ts: row.ts,
        view: readView(row.view),
        version: row.wanted,
        attempts: row.attempts,
      }));
    },
    delivered: async (key, version, ts, isAtRoot) => {
      const state = await store.messages.delivered(key, version, ts, isAtRoot);
      if (state !== 'delivered') nudge();
      return state !== undefined || ((await store.messages.find(key))?.ts ?? ts) === ts;
    },
    postpone: (key, delayMs, why) => store.messages.postpone(key, delayMs, why),
    undeliverable: async (key, why) => {
      await store.messages.dead(key, why);
      await onUndeliverable(key, why);
    },
    onNudge: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    nextDueInMs: () => store.messages.dueInMs(),
  };
  return {
    outbox,
    /** `alerts`: the alerts that the message was drawn from. An older drawing does not replace a newer one. */
    put: async (message: PutMessage, alerts?: readonly Pick<Alert, 'id' | 'version'>[]): Promise<void> => {
      const row = rowOf(message);
      if (!(await (alerts === undefined ? store.messages.put(row) : store.messages.putAlerts(row, alerts)))) return;
      nudge();
      onChange(message.key);
    },
    /**
     * Draws the messages of an operation from its rows and stores them together. Undefined if the operation does not
     * exist.
     */
    putCard: async (operation: string, draw: (rows: CardRows) => readonly PutMessage[] | undefined) => {
      const put = await store.cards.put(operation, (rows) => draw(rows)?.map(rowOf));
      if (put?.isChanged === true) {
        nudge();
        onChange(`card:${operation}`, put.operation);
      }
      return put?.operation;
    },
    /**
     * Stores a new operation with its steps and its card. False if it existed already, or if the operation that it
     * replaces no longer waits.
     */
    putNew: async (operation: NewOperation, steps: readonly NewStep[], card: PutMessage, also?: AlsoChanged) => {
      const isNew = await store.operations.insert(operation, steps, rowOf(card), also);
      if (isNew) {
        nudge();
        onChange(card.key);
      }
      return isNew;
    },
    /** The message as Slack should show it; undefined until it is posted. */
    posted: async (key: string) => {
      const row = await store.messages.find(key);
      if (row === undefined || row.ts === null) return undefined;
      return { channel: row.channel, ts: row.ts, view: readView(row.view) };
    },
  };
}
