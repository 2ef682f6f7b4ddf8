import { z } from 'zod';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/operation-id.ts';
import { ends } from './ends.ts';

const said = z.object({ text: z.string() });

/** Kinds of audit entries after which nothing more is owed to a request without an operation. */
const endKinds: readonly string[] = ['refused', 'failed'];

/** The wish of the request that an operation makes in its place, when it may not run as it was decided. */
export const wishAnew = (operation: string): string => `again:${operation}`;

/** Finds the operation that a killed process had recorded as asked for and not made yet: its id, and its line in the audit. */
export async function cutOff({ store }: Pick<EngineContext, 'store'>, wish: string) {
  const id = operationId(wish);
  const [asked] = await store.audit.list({ operationId: id, kind: 'asked', limit: 1 });
  if (asked === undefined || (await store.operations.find(id)) !== undefined) return undefined;
  return { id, ...asked };
}

/**
 * Gives that line its end. Taken up again, the request may be refused, have nothing to do or meet another like it, or it may
 * not be taken up at all: in the audit it would stand as asked for, and never end.
 */
export async function endCutOff(context: Pick<EngineContext, 'audit' | 'store'>, wish: string): Promise<void> {
  const found = await cutOff(context, wish);
  if (found === undefined) return;
  await context.audit({
    kind: 'failed',
    actor: found.actor ?? undefined,
    channel: found.channel ?? undefined,
    operation: found.id,
    text: ends.interrupted(said.parse(found.data).text),
    unlessThere: endKinds,
  });
}
