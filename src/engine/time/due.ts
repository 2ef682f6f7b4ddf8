import { isGlassBroken } from '../../core/plan/broken-glass.ts';
import { behindTitle } from '../../core/plan/say-when.ts';
import { coolingMsOf } from '../../core/plan/when.ts';
import { toJson } from '../../core/text/json.ts';
import { type Span, says, text } from '../../core/view/view.ts';
import { countingVotes } from '../access/count-votes.ts';
import { type Frozen, sayFrozenBriefly } from '../access/frozen.ts';
import { notificationsOf, reminderWayOf, wantsEndMention } from '../access/notifications.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { frozenAgainMs, frozenWithinMs } from '../context/time-limits.ts';
import { waitUnlocked } from '../operation/acquire-locks.ts';
import { linkedTitle } from '../operation/card-links.ts';
import { redraw, redrawIfNew } from '../operation/create.ts';
import { refuse } from '../operation/end.ts';
import { ends } from '../operation/ends.ts';
import { lastEntry, recordEntry } from '../operation/entry-of.ts';
import type { Operation } from '../operation/read-operation.ts';
import { notifyThread } from '../operation/thread.ts';

/** Decided requests that wait for their hour, or for the end of the countdown before something is destroyed. */

/** The clock that all replicas share. */
export interface DueClock {
  readonly dueTime: () => number;
}

/** True if it has to count down first. It counts down once for its approvals. */
export function mustCountDown(operation: Operation): boolean {
  return (
    !isGlassBroken(operation) && operation.readyAt === null && operation.stopBy === null && coolingMsOf(operation) > 0
  );
}

/** The end of the countdown is by the clock that all replicas share. A scheduled request counts down to its hour. */
export async function startCountdown(context: EngineContext, operation: Operation, { dueTime }: DueClock) {
  const readyAt = Math.max(Math.round(dueTime() + coolingMsOf(operation)), operation.startsAt ?? 0);
  return waitUnlocked(context, operation, 'cooling', { readyAt, delayWhy: null });
}

/** Shows the countdown, or returns the request to the checks before the first write: at the end, and if stopped. */
export async function countDown(context: EngineContext, operation: Operation, { dueTime }: DueClock) {
  const leftMs = (operation.readyAt ?? 0) - dueTime();
  if (operation.stopBy !== null || leftMs <= 0) {
    await context.store.operations.move(operation.id, 'cooling', 'approved');
    return 'next';
  }
  await announceCountdown(context, operation);
  await redraw(context, operation.id);
  return (operation.readyAt ?? 0) - dueTime();
}

/** True if its hour has not come by the clock that all replicas share. */
export function isAhead(operation: Operation, { dueTime }: DueClock): boolean {
  const { startsAt, stopBy } = operation;
  return startsAt !== null && stopBy === null && startsAt - countdownMs(operation) > dueTime();
}

export async function schedule(context: EngineContext, operation: Operation): Promise<'next'> {
  const entry = { kind: 'scheduled', data: { startsAt: operation.startsAt } } as const;
  return waitUnlocked(context, operation, 'scheduled', { delayWhy: null }, entry);
}

/** A scheduled request counts down to its hour. */
function countdownMs(operation: Operation): number {
  return operation.readyAt === null ? coolingMsOf(operation) : 0;
}

/**
 * Lets an operation that is frozen at its hour wait for the end of the freeze, if its requester chose so. It checks again
 * and again, since a freeze can be ended early.
 */
export async function waitForThaw(context: EngineContext, operation: Operation, frozen: Frozen): Promise<'next'> {
  const { now } = context;
  const { when, startsAt } = operation;
  if (when.kind === 'now') return refuse(context, operation, 'frozen', ends.notRun(sayFrozenBriefly(frozen)));
  const since = when.frozen?.since ?? startsAt ?? now();
  const why = sayFrozenBriefly(frozen);
  if (now() - since > frozenWithinMs) return refuse(context, operation, 'frozen', ends.notRun(why));
  return waitUnlocked(context, operation, 'scheduled', {
    startsAt: Math.min(frozen.until ?? Number.POSITIVE_INFINITY, now() + frozenAgainMs),
    begins: toJson({ ...when, frozen: { since, why } }),
  });
}

/** Returns the time until the moment, or the operation to the checks before the first write. */
export async function waitForMoment(context: EngineContext, operation: Operation, { dueTime }: DueClock) {
  const { id, startsAt } = operation;
  const moment = (startsAt ?? 0) - countdownMs(operation);
  if (moment > dueTime() && operation.stopBy === null) {
    await redrawIfNew(context, operation);
    return moment - dueTime();
  }
  await context.store.operations.move(id, 'scheduled', 'approved');
  return 'next';
}

/** Notifies once of the countdown before a request that destroys something. */
async function announceCountdown(context: EngineContext, operation: Operation): Promise<void> {
  const { id, readyAt, plan, requester } = operation;
  const last = await lastEntry(context, operation, 'cooling');
  if (last !== undefined && JSON.stringify(last.data).includes(`"readyAt":${readyAt}`)) return;
  const key = `cooling:${id}:${readyAt}`;
  const votes = countingVotes(await context.store.votes.list(id)).map(({ userId }) => userId);
  const mentioned: string[] = (await wantsEndMention(context, operation)) ? [requester] : [];
  const title = await linkedTitle(context, operation);
  for (const user of new Set(votes)) {
    if (user === requester) continue;
    const way = reminderWayOf(await notificationsOf(context, user));
    if (way === 'thread') mentioned.push(user);
    if (way !== 'direct') continue;
    const words = text(title, `. ${plan.effect} Until then you can stop it.`);
    const stop = { label: 'Stop', intent: { do: 'vote', operation: id, vote: 'stop' }, style: 'danger' } as const;
    await context.outbox.put({ key: `${key}:${user}`, channel: user, view: says(words, [stop]) });
  }
  const names = mentioned.flatMap((user): Span[] => [{ user }, ' ']);
  const until = '. Until then everybody who may read this can stop it.';
  const words = text(names, { bold: plan.title }, behindTitle(operation), until);
  await notifyThread(context, operation, key, says(words));
  await recordEntry(context, operation, 'cooling', plan.title, { data: { readyAt }, unlessThere: 'same' });
}
