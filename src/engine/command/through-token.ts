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

/** Refuses to a token what it never may, and any change to a token for reads. `commands`: also those of its lines. */
export function mustSuitToken({ raw, place: { call } }: CommandRequest, commands: readonly AnyAction[]): void {
  if (call === undefined) return;
  const { name } = call.token;
  if (isOn(raw, 'break-glass')) throw new Refusal('not_for_tokens', 'A token never breaks the glass.');
  if (commands.some(({ path }) => path.startsWith('token ')))
    throw new Refusal('not_for_tokens', 'A token neither makes nor revokes tokens.');
  if (call.mayWrite || isOn(raw, 'dry-run')) return;
  throw new Refusal('not_for_tokens', `The token ${name} only reads.`, {
    hint: 'Its maker can make another with `writes`; a dry run shows what would happen.',
  });
}

/** Refuses a request of a token that has too many, since people have to read each card. */
export async function mustHaveRoom({ store, now }: EngineContext, { id, name }: MachineToken): Promise<void> {
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
