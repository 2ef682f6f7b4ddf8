import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { atOnce, type Hour } from '../../core/plan/when.ts';
import { isOpenAt, type NamedWindow } from '../../core/policy/windows.ts';
import { toJson } from '../../core/text/json.ts';
import { readWhen } from '../../core/time/moment.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { decideUntil, show } from '../operation/create.ts';
import { recordEntry } from '../operation/entry-of.ts';
import type { Operation } from '../operation/read-operation.ts';
import { voidVotes } from '../operation/votes.ts';
import { hourAt, likeThese, nextHours, notInWindow, windowOf } from './windows.ts';

/**
 * Another hour for a scheduled request. Approvals by others were given for the old hour, so they are asked again: each
 * move returns the request if it waits for them.
 */

/** A click on a card. */
export interface Click {
  readonly user: string;
  /** The time at which the bot received it. It counts from then, even if the machine sleeps before it is stored. */
  readonly at: number;
  /** The reason for declining, the typed name, or the hour, typed or from the picker. */
  readonly words?: string;
  /** True if a crash interrupted this click: do not report effects that it already had. */
  readonly isAgain?: boolean;
}

export async function runNow(context: EngineContext, operation: Operation, click: Click) {
  const window = windowOf(await context.policies.get(operation.channel), operation);
  if (window !== undefined && !isOpenAt(window, click.at)) {
    const { timeZone } = await context.directory.person(click.user);
    throw notInWindow(window, nextHours(window, click.at, timeZone));
  }
  return changeHour(context, operation, click, undefined);
}

export async function moveHour(context: EngineContext, operation: Operation, click: Click) {
  const { when, plan } = operation;
  if (when.kind === 'now') throw new Refusal('closed', `${plan.title} has no hour.`);
  const { timeZone } = await context.directory.person(click.user);
  const words = click.words?.trim() ?? '';
  const read = readWhen(words, { now: click.at, timeZone });
  if (!read.ok) throw new Refusal('bad_value', read.why, likeThese(read.instead));
  const window = windowOf(await context.policies.get(operation.channel), operation);
  const refused = (closed: NamedWindow) => notInWindow(closed, nextHours(closed, click.at, timeZone));
  const { graceMs, ifFrozen } = when;
  const waiting = { words, timeZone: timeZone ?? 'UTC', graceMs, ifFrozen };
  return changeHour(context, operation, click, hourAt(read.at, waiting, window, refused));
}

async function changeHour(
  context: EngineContext,
  operation: Operation,
  { user, at, isAgain }: Click,
  hour: Hour | undefined,
): Promise<Operation | undefined> {
  const { id, rule, plan, startsAt, when } = operation;
  if (when.kind === 'run')
    throw new Refusal('impossible', `${plan.title} runs under a standing approval, which has its own hours.`);
  const asksAgain = typeof rule === 'object';
  // Without an hour, only a maintenance window still bounds its begin.
  const whenNow = asksAgain && when.kind === 'at' ? atOnce.when : when;
  const moved = {
    startsAt: hour?.startsAt ?? (asksAgain ? null : at),
    begins: toJson(hour?.when ?? whenNow),
    expiresAt: asksAgain ? decideUntil(rule, context.now(), hour === undefined ? {} : { hour }) : operation.expiresAt,
  };
  // The hour is there already, perhaps since a crash interrupted this click or another person pressed “Run now”.
  const isDue = hour === undefined && startsAt !== null && startsAt <= context.now();
  const isSame = moved.startsAt === startsAt || isDue;
  const isMoved = !isSame && (await betweenTurns(context, operation, () => move(moved)));
  const shown = await show(context, id);
  context.wake(id);
  if (!isMoved && !isSame && isAgain !== true)
    throw new Refusal('closed', `${plan.title} was changed meanwhile. Its card shows how.`);
  return isMoved && asksAgain ? shown : undefined;

  async function move(to: typeof moved): Promise<boolean> {
    const { store } = context;
    if (asksAgain) await voidVotes(context, operation, 'it was given for another hour');
    return recordEntry(context, operation, 'moved', plan.title, {
      actor: user,
      data: { from: startsAt, to: hour?.startsAt ?? at },
      change: (on) => store.operations.reschedule(operation, to, asksAgain ? 'waiting' : 'scheduled', on),
    });
  }
}

/** Far longer than a move, and shorter than the time after which an interrupted click is repeated. */
const leaseMs = 3_000;
/** A turn that draws the card takes milliseconds. The lease of a killed process lasts longer. */
const tryEveryMs = 50;
const mostTries = 80;

/**
 * Moves the request while it holds the request's turn, so that neither its hour nor another person changes it between
 * the votes and the row. False if the request begins or was changed.
 */
async function betweenTurns({ store }: EngineContext, { id, updatedAt }: Operation, move: () => Promise<boolean>) {
  // An owner can claim twice, so each click is a new owner.
  const mover = `move ${randomUUID()}`;
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const turn = await store.turns.claim(id, mover, leaseMs);
    const row = turn?.operation ?? (await store.operations.find(id));
    const isThere = row?.state === 'scheduled' && row.updatedAt === updatedAt;
    if (turn === undefined && isThere) {
      await pause(tryEveryMs);
      continue;
    }
    if (turn === undefined) return false;
    try {
      return isThere && (await move());
    } finally {
      await store.turns.giveBack(id, mover, { dueAt: turn.at });
    }
  }
  return false;
}
