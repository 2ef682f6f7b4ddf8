import { lineOf } from '../../core/grammar/parse.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { Refusal } from '../../core/view/errors.ts';
import { says } from '../../core/view/view.ts';
import { putOnIt } from '../alerts/acknowledge.ts';
import { runId } from '../approval/begin-run.ts';
import type { AnyAction } from '../context/dependencies.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { leftOfDay } from '../operation/card-hour.ts';
import type { Hour } from '../operation/create.ts';
import { type Operation, readOperation } from '../operation/record.ts';
import type { CommandRequest } from './command-request.ts';

/** The button of an alert whose line has a standing approval: a press begins a run, which needs no further approval. */

type Press = Pick<CommandRequest, 'actor' | 'alert' | 'at' | 'standing'>;

/** True if this press has begun its run: it is resumed after a crash, and the run holds the lock by now. */
export async function hasPressed(context: EngineContext, press: Press): Promise<boolean> {
  const standing = await standingOf(context, press);
  if (standing === undefined) return false;
  const run = await context.store.operations.find(runId(standing.id, press.at));
  if (!isBeginning(standing, press) && run?.requester !== press.actor) return false;
  await begin(context, standing, press);
  return true;
}

/**
 * Makes this moment the hour of the next run, for one of several presses at once. False if the approval does not cover
 * it: the button then asks for approval, as without it.
 */
export async function pressStanding(
  context: EngineContext,
  request: CommandRequest,
  asked: {
    readonly channel: string;
    readonly command: AnyAction;
    readonly canonical: RawArgs;
    readonly hour: Hour | undefined;
  },
): Promise<boolean> {
  if (request.standing === undefined) return false;
  const standing = await standingOf(context, request);
  const why = whyNot(context, standing, request, asked);
  if (why !== undefined || standing?.timing?.every === undefined) {
    await context.messenger.postEphemeral(request.place, request.actor, says(`${why} It asks for approval now.`));
    return false;
  }
  const { timing, expiresAt, plan } = standing;
  if (standing.startsAt !== null || (await isRunning(context, standing)))
    throw new Refusal('locked', `Not now: a run of ${plan.title} under its standing approval has not ended.`, {
      hint: 'It runs one at a time.',
    });
  const every = { ...timing.every, pressedBy: request.actor };
  const isFirst = await context.store.operations.reschedule(
    standing,
    { expiresAt, startsAt: request.at, timing: { ...timing, every } },
    'standing',
  );
  if (!isFirst) throw new Refusal('locked', `Not now: ${plan.title} has just begun, was stopped or is over.`);
  await begin(context, standing, request);
  return true;
}

/** Why the approval does not cover it. */
function whyNot(
  { commands, now }: Pick<EngineContext, 'commands' | 'now'>,
  standing: Operation | undefined,
  { at }: Press,
  { channel, command, canonical, hour }: Parameters<typeof pressStanding>[2],
): string | undefined {
  const { timing } = standing ?? {};
  if (standing?.state !== 'standing' || timing?.every === undefined || Math.max(at, now()) > timing.every.until)
    return 'The standing approval has ended.';
  const own = commandAt({ commands }, standing.command);
  const isSame = own !== undefined && lineOf(own, standing.args) === lineOf(command, canonical);
  if (!isSame || standing.channel !== channel || timing.every.weekly !== undefined)
    return 'The standing approval is for another request.';
  if (typeof hour?.startsAt === 'number') return 'The rule lets it begin only in a maintenance window.';
  return leftOfDay(timing.every, timing.timeZone, at) > 0 ? undefined : 'The standing approval is used up for today.';
}

async function begin(context: EngineContext, { id }: Operation, { actor, alert }: Press): Promise<void> {
  context.wake(id);
  if (alert !== undefined) await putOnIt(context, actor, alert);
}

function isBeginning({ startsAt, timing }: Operation, { at, actor }: Press): boolean {
  return startsAt === at && timing?.every?.pressedBy === actor;
}

async function isRunning({ store }: EngineContext, { id, timing }: Operation): Promise<boolean> {
  const last = timing?.every?.ran.at(-1);
  const run = last === undefined ? undefined : await store.operations.find(runId(id, last));
  return run !== undefined && !isEnd(run.state);
}

async function standingOf({ store }: EngineContext, { standing }: Press): Promise<Operation | undefined> {
  const row = standing === undefined ? undefined : await store.operations.find(standing);
  return row && readOperation(row);
}
