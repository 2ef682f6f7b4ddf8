import { emptyAccount } from '../../core/account.ts';
import { Refusal } from '../../core/errors.ts';
import type { Reading } from '../../core/targets.ts';
import { maySeeFor } from '../access/may-see.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';
import type { CommandRequest } from './command-request.ts';

/** A direct message has no policy of its own: it acts under a channel's that the person is in and that allows it. */
export async function resolveChannel(
  context: EngineContext,
  wish: CommandRequest,
): Promise<{ place: Place; access: Access }> {
  const here = await context.accessOf(wish.actor, wish.place.channel);
  if (wish.place.kind !== 'channel' && wish.command.isAboutChannel) {
    throw new Refusal('impossible', `\`${wish.command.path}\` is about a channel.`, {
      hint: 'Type it in the channel that you mean.',
    });
  }
  if (wish.place.kind === 'channel' || wish.command.capability === 'none') return { place: wish.place, access: here };
  for (const channel of (await context.policies.all()).keys()) {
    if (!(await isIn(context, channel, wish.actor))) continue;
    const access = await context.accessOf(wish.actor, channel);
    const reading = await readingFor(context, wish.command, access);
    const { targets } = wish.command.prepare(wish.raw, reading);
    if (access.decide(wish.command.capability, wish.command.risk, targets).allowed) {
      return { place: { channel, kind: 'channel' }, access };
    }
  }
  throw new Refusal('no_policy', `None of the channels you are in lets you ${wish.command.path} this.`, {
    hint: 'Ask in a channel that has a policy, or see /host why there.',
  });
}

async function isIn(context: EngineContext, channel: string, user: string): Promise<boolean> {
  try {
    return await context.directory.isInChannel(channel, user);
  } catch {
    return false;
  }
}

export async function readingFor(context: EngineContext, command: AnyCommand, access: Access): Promise<Reading> {
  const maySee = maySeeFor(command, access);
  return {
    account: command.needsAccount ? await context.accountReader.read() : emptyAccount,
    maySee,
    clock: { now: context.now(), timeZone: await timeZoneOf(context, access.actor.id) },
  };
}

/** UTC where Slack does not say. */
export async function timeZoneOf({ directory }: Pick<EngineContext, 'directory'>, user: string): Promise<string> {
  return directory.person(user).then(
    (person) => person.timeZone,
    () => 'UTC',
  );
}
