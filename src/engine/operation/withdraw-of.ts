import type { Asking } from '../../core/command/command.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { announceEnd } from './announce-end.ts';
import { end } from './end.ts';
import { ends } from './ends.ts';
import { readNow, readOperationLeniently } from './read-operation.ts';

const mostWaiting = 1_000;

/** Ends the requests of a revoked token that wait for a decision. */
export async function withdrawOf(context: EngineContext, token: string, { actor, channel }: Asking): Promise<void> {
  const rows = await context.store.operations.list({ channel, states: ['waiting'], limit: mostWaiting });
  for (const operation of rows.map(readOperationLeniently)) {
    if (operation.token?.id !== token) continue;
    const endText = ends.tokenRevoked(operation.token.name);
    if (!(await end(context, operation, 'waiting', 'withdrawn', { endText }, actor))) continue;
    await announceEnd(context, await readNow(context, operation));
    context.wake(operation.id);
  }
}
