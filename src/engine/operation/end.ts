import { z } from 'zod';
import type { OperationState } from '../../core/plan/operation.ts';
import type { RefusalReason } from '../../core/view/errors.ts';
import type { OperationPatch } from '../../store/records/operations.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/request.ts';
import { ends } from './ends.ts';
import type { Operation } from './read-operation.ts';

type Ending = Omit<OperationPatch, 'outcome'> & {
  readonly endText: string;
  /** An approver asked for changes. */
  readonly isSentBack?: true;
};

/**
 * The only way to an end: moves the row, and the process that moved it counts the end. False if the row had already
 * left the state. announce-end.ts then writes the audit entry, the card and the reply.
 */
export async function end(
  context: EngineContext,
  operation: Pick<Operation, 'id' | 'command'>,
  from: OperationState | readonly OperationState[],
  to: OperationState,
  { isSentBack, ...ending }: Ending,
  endedBy: string | null = null,
): Promise<boolean> {
  const outcome = endedBy === null ? {} : { outcome: { by: endedBy, ...(isSentBack && { isSentBack }) } };
  if (!(await context.store.operations.move(operation.id, from, to, { ...ending, ...outcome }))) return false;
  context.meter.operation(operation.command, to);
  return true;
}

/** Ends an approved operation before its first write. */
export async function refuse(context: EngineContext, operation: Operation, reason: RefusalReason, endText: string) {
  await end(context, operation, 'approved', 'refused', { endReason: reason, endText });
  return 'next' as const;
}

const requestedSchema = z.object({ text: z.string() });

/** Audit kinds that end a request without an operation. */
const endKinds = ['refused', 'failed'] as const;

/** The seed for the id of the request that replaces an operation whose plan changed. */
export const replacementSeed = (operation: string): string => `again:${operation}`;

/** Finds the operation that a killed process recorded as requested but did not create: its id and its audit entry. */
export async function cutOff({ store }: EngineContext, seed: string) {
  const id = operationId(seed);
  const [asked] = await store.audit.list({ operationId: id, kind: 'asked', limit: 1 });
  if (asked === undefined || (await store.operations.find(id)) !== undefined) return undefined;
  return { id, ...asked };
}

/**
 * Records the end of such an operation. Resumed, its request may be refused, have nothing to do, meet a duplicate, or
 * not run at all: without this entry, the audit would show it as open forever.
 */
export async function endCutOff(context: EngineContext, seed: string): Promise<void> {
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
