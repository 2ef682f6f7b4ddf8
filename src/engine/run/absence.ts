import type { EngineContext } from '../context/engine-context.ts';
import { beginWithinMs, sayAway } from './may-begin.ts';

/**
 * The sweep stores every few seconds that a process is running. A decision this long after the last note was made while
 * the bot runs.
 */
const noticedWithinMs = 10_000;

/**
 * After a long absence of all processes, or with the database of an older day, nothing begins by itself: everything that
 * was decided before waits for somebody to say that it is still meant.
 */
export async function noteAbsence(context: EngineContext): Promise<void> {
  const { store, log } = context;
  const lastAt = await store.presence.lastAt();
  const awayMs = (await store.presence.absentMs()) ?? 0;
  if (lastAt !== undefined && awayMs > beginWithinMs) {
    // The holds come before the note that a process is running again: after a crash in between the absence is found
    // again.
    const held = await store.operations.holdAll(sayAway(awayMs), lastAt + noticedWithinMs);
    if (held.length > 0)
      log.warn({ awayMs, held: held.length }, 'the bot was away: what was decided before waits for somebody');
    for (const id of held) context.wake(id);
  }
  await store.presence.note();
}
