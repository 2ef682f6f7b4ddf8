import { setTimeout as pause } from 'node:timers/promises';
import type { OwnSettings } from '../../core/command/own-settings.ts';
import { isOn } from '../../core/grammar/timing-keys.ts';
import { hour } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { AnyAction } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { MachineToken } from '../context/request.ts';
import type { CommandRequest } from './command-request.ts';

/** The most requests of one token that wait for a decision, and the most in an hour. */
const mostWaiting = 5;
const mostInHour = 20;
const turnWithinMs = 10_000;
const turnEveryMs = 50;

/** Refuses to a token what it never may, and any change to a token for reads. `commands`: also those of its lines. */
export function mustSuitToken({ raw, place }: CommandRequest, commands: readonly AnyAction[]): void {
  const { call } = place;
  if (call === undefined) return;
  const { name } = call.token;
  if (isOn(raw, 'break-glass')) throw new Refusal('not_for_tokens', 'A token never breaks the glass.');
  if (commands.some(({ path }) => path.startsWith('token ')))
    throw new Refusal('not_for_tokens', 'A token neither makes nor revokes tokens.');
  if (isDryRun({ raw, place })) return;
  if (!call.mayWrite)
    throw new Refusal('not_for_tokens', `The token ${name} only reads.`, {
      hint: 'Its maker can make another with `writes`; a dry run shows what would happen.',
    });
  if (call.lets === 'read')
    throw new Refusal('bad_value', 'A change needs a `key`.', {
      hint: 'Send any text that is new for each change; the same key again is the same request.',
    });
}

/** Machines ask for it beside the line: a loosely worded line loses its last words. */
export function isDryRun({ raw, place }: Pick<CommandRequest, 'place' | 'raw'>): boolean {
  return place.call?.lets === 'show' || isOn(raw, 'dry-run');
}

/**
 * Makes a request of a token, unless it has too many, since people have to read each card. The requests of a token are
 * made one after another, on all replicas: many at the same time would each find room.
 */
export async function withRoom<T>(context: EngineContext, id: string, token: MachineToken, make: () => Promise<T>) {
  const { leases } = context.store;
  const name = `token:${token.id}`;
  const until = context.elapsed() + turnWithinMs;
  while (!(await leases.acquire(name, id, turnWithinMs))) {
    if (context.elapsed() > until)
      throw new Refusal('rate_limited', `The token ${token.name} asks for too much at once.`);
    await pause(turnEveryMs);
  }
  try {
    await mustHaveRoom(context, token);
    return await make();
  } finally {
    await leases.giveBack(name, id);
  }
}

async function mustHaveRoom({ store, now }: EngineContext, { id, name }: MachineToken): Promise<void> {
  const { waiting, lately } = await store.operations.countOfToken(id, now() - hour);
  if (waiting >= mostWaiting)
    throw new Refusal('rate_limited', `${waiting} requests of the token ${name} wait for people.`, {
      hint: 'Ask again when one of them is decided, or withdraw one.',
    });
  if (lately >= mostInHour)
    throw new Refusal('rate_limited', `The token ${name} made ${lately} requests within an hour.`, {
      hint: 'Put several changes into one request, as lines of a plan.',
    });
}

/** The settings of the person who asks. A machine reads those of the person who made its token. */
export function ownSettingsFor(context: EngineContext, { actor, place }: CommandRequest): OwnSettings {
  const own = context.ownSettings(actor);
  if (place.call === undefined) return own;
  const setFavorite = () => {
    throw new Refusal('not_for_tokens', 'A token changes no favorites of the person who made it.');
  };
  return { ...own, setFavorite };
}
