import { z } from 'zod';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/operation-id.ts';
import { ends } from './ends.ts';

const requestedSchema = z.object({ text: z.string() });

/** Audit kinds that end a request without an operation. */
const endKinds: readonly string[] = ['refused', 'failed'];

/** The seed for the id of the request that replaces an operation whose plan changed. */
export const replacementSeed = (operation: string): string => `again:${operation}`;

/** Finds the operation that a killed process recorded as requested but did not create: its id and its audit entry. */
export async function cutOff({ store }: Pick<EngineContext, 'store'>, seed: string) {
  const id = operationId(seed);
  const [asked] = await store.audit.list({ operationId: id, kind: 'asked', limit: 1 });
  if (asked === undefined || (await store.operations.find(id)) !== undefined) return undefined;
  return { id, ...asked };
}

/**
 * Records the end of such an operation. Resumed, its request may be refused, have nothing to do, meet a duplicate, or
 * not run at all: without this entry, the audit would show it as open forever.
 */
export async function endCutOff(context: Pick<EngineContext, 'audit' | 'store'>, seed: string): Promise<void> {
  const cut = await cutOff(context, seed);
  if (cut === undefined) return;
  await context.audit({
    kind: 'failed',
    actor: cut.actor ?? undefined,
    channel: cut.channel ?? undefined,
    operation: cut.id,
    text: ends.interrupted(requestedSchema.parse(cut.data).text),
    unlessThere: endKinds,
  });
}
