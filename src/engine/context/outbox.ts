import { z } from 'zod';
import type { Alert } from '../../core/alert/alert.ts';
import type { View } from '../../core/view/view.ts';
import type { Store } from '../../store/database.ts';
import type { CardRows } from '../../store/records/cards.ts';
import type { NewMessage } from '../../store/records/message-row.ts';
import { type NewOperation, newOperationRow, type OperationRow } from '../../store/records/operation-row.ts';
import type { AlsoChanged } from '../../store/records/operations.ts';
import type { NewStep } from '../../store/records/steps.ts';

export type OutboxWriter = ReturnType<typeof createOutbox>;
/** Updates Slack to the rows. The engine announces new rows; a replica claims a message before it delivers it. */
export type Outbox = OutboxWriter['outbox'];
/** A message that should exist in Slack with this content; `version` increases with each change of the content. */
export type OutboxMessage = Awaited<ReturnType<Outbox['claim']>>[number];

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

/** Stores the messages that Slack should show. The same message again changes nothing, so a turn may be repeated. */
export function createOutbox(
  store: Store,
  {
    owner,
    onUndeliverable,
    onChange = () => {},
    eventsOf,
  }: {
    owner: string;
    onUndeliverable: (key: string, why: string) => Promise<void>;
    /** Called when the content of a message has changed. */
    onChange?: (key: string, operation?: OperationRow) => void;
    /** The events of a request, which are stored together with its card. */
    eventsOf?: (operation: OperationRow) => readonly NewMessage[];
  },
) {
  const listeners = new Set<() => void>();
  const nudge = () => {
    for (const listener of listeners) listener();
  };
  const outbox = {
    /** How long a claim keeps other replicas from the message. */
    claimMs,
    /** Claims due messages that no replica has: new ones before edits, older first; in `except`, only edits. */
    claim: async (limit: number, except?: readonly string[]) => {
      const rows = await store.messages.claimDue(owner, claimMs, limit, except);
      return rows.map((row) => ({
        key: row.key,
        /** A channel id, or a user id for a direct message. */
        channel: row.channel,
        /** The message in whose thread this one belongs. */
        threadTs: row.threadTs ?? row.parentTs,
        /** The message's own timestamp. A message that has one is edited, not posted. */
        ts: row.ts,
        view: readView(row.view),
        version: row.wanted,
        attempts: row.attempts,
      }));
    },
    /**
     * `isAtRoot`: the thread was gone, so the message was posted in the channel. False if another process has posted the
     * message: the one at `ts` is a copy.
     */
    delivered: async (key: string, version: number, ts: string, isAtRoot?: boolean) => {
      const state = await store.messages.delivered(key, version, ts, isAtRoot);
      if (state !== 'delivered') nudge();
      return state !== undefined || ((await store.messages.find(key))?.ts ?? ts) === ts;
    },
    postpone: (key: string, delayMs: number, why: string) => store.messages.postpone(key, delayMs, why),
    /**
     * Reports a message that can never be delivered, for example because the channel is gone: the engine notifies the
     * requester by direct message.
     */
    undeliverable: async (key: string, why: string) => {
      await store.messages.dead(key, why);
      await onUndeliverable(key, why);
    },
    /** Calls the listener when a message may be due; returns the function that removes the listener. */
    onNudge: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** The time until the next postponed message is due; undefined if no message is. */
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
    /** Draws an operation's messages from its rows, and stores them together. Undefined if it does not exist. */
    putCard: async (operation: string, draw: (rows: CardRows) => readonly PutMessage[] | undefined) => {
      const put = await store.cards.put(operation, (rows) => {
        const messages = draw(rows)?.map(rowOf);
        return messages && [...messages, ...(eventsOf?.(rows.operation) ?? [])];
      });
      if (put?.isChanged === true) {
        nudge();
        onChange(`card:${operation}`, put.operation);
      }
      return put?.operation;
    },
    /** Stores a new operation, its steps and its card. False if it existed, or if the replaced one no longer waits. */
    putNew: async (operation: NewOperation, steps: readonly NewStep[], card: PutMessage, also?: AlsoChanged) => {
      const messages = [rowOf(card), ...(eventsOf?.(newOperationRow(operation, store.now())) ?? [])];
      const isNew = await store.operations.insert(operation, steps, messages, also);
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
