import { z } from 'zod';
import { defined } from '../../core/defined.ts';
import type { View } from '../../core/view.ts';
import type { CardRows } from '../../store/cards.ts';
import type { Store } from '../../store/database.ts';
import type { OperationRow } from '../../store/operations.ts';
import type { Outbox } from './ports.ts';

/** Messages as rows: what should stand in Slack. Putting the same again changes nothing, so a repeated turn is harmless. */
export interface OutboxWriter {
  readonly put: (message: {
    readonly key: string;
    readonly channel: string;
    readonly view: View;
    /** The message in whose thread it belongs. */
    readonly parent?: string;
    readonly threadTs?: string | undefined;
  }) => Promise<void>;
  /** The card of an operation, drawn from its rows and put in one go. Undefined when there is no such operation. */
  readonly putCard: (
    operation: string,
    draw: (rows: CardRows) => OutboxCard | undefined,
  ) => Promise<OperationRow | undefined>;
  readonly outbox: Outbox;
}

type OutboxCard = Omit<Parameters<OutboxWriter['put']>[0], 'parent'>;

// Our own views, stored by put: they come back as they went in.
const storedView = z.custom<View>((value) => typeof value === 'object' && value !== null && 'summary' in value);

const leaseMs = 30_000;

export function createOutbox(
  store: Store,
  {
    owner,
    now,
    onUndeliverable,
  }: { owner: string; now: () => number; onUndeliverable: (key: string, why: string) => Promise<void> },
): OutboxWriter {
  const listeners = new Set<() => void>();
  const nudge = () => {
    for (const listener of listeners) listener();
  };
  return {
    put: async ({ key, channel, view, parent, threadTs }) => {
      const { files: _, ...kept } = view;
      const isNew = await store.messages.put({
        key,
        channel,
        view: JSON.stringify(kept),
        ...defined({ parentKey: parent, threadTs }),
      });
      if (isNew) nudge();
    },
    putCard: async (operation, draw) => {
      const put = await store.cards.put(operation, (rows) => {
        const card = draw(rows);
        if (card === undefined) return undefined;
        const { key, channel, threadTs, view } = card;
        const { files: _, ...kept } = view;
        return { key, channel, view: JSON.stringify(kept), ...defined({ threadTs }) };
      });
      if (put?.isChanged === true) nudge();
      return put?.operation;
    },
    outbox: {
      claim: async (limit) => {
        const rows = await store.messages.claimDue(owner, leaseMs, limit);
        return rows.map((row) => ({
          key: row.key,
          channel: row.channel,
          threadTs: row.threadTs ?? row.parentTs,
          ts: row.ts,
          view: storedView.parse(JSON.parse(row.view)),
          version: row.wanted,
          attempts: row.attempts,
        }));
      },
      delivered: async (key, version, ts, isAtRoot) => {
        await store.messages.delivered(key, version, ts, isAtRoot);
        // A reply that waited for its parent, or a newer content, may be due now.
        nudge();
      },
      postpone: async (key, delayMs, why) => {
        await store.messages.postpone(key, delayMs, why);
      },
      undeliverable: async (key, why) => {
        await store.messages.dead(key, why);
        await onUndeliverable(key, why);
      },
      onNudge: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      nextDueAt: async () => {
        const inMs = await store.messages.dueInMs();
        return inMs === undefined ? undefined : now() + inMs;
      },
    },
  };
}
