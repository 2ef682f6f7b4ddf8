import { Refusal } from '../core/errors.ts';
import type { Reading } from '../core/targets.ts';
import { emptyWorld } from '../core/world.ts';
import type { Wish } from './ask.ts';
import type { Footing } from './decide.ts';
import type { AnyCommand } from './deps.ts';
import type { Kit } from './kit.ts';
import type { Place } from './request.ts';

/** A direct message has no policy of its own: it acts under a channel's that the person is in and that allows it. */
export async function whereToAct(kit: Kit, wish: Wish): Promise<{ place: Place; footing: Footing }> {
  const here = await kit.footing(wish.actor, wish.place.channel);
  if (wish.place.kind !== 'channel' && wish.command.isAboutChannel) {
    throw new Refusal('impossible', `\`${wish.command.path}\` is about a channel.`, {
      hint: 'Type it in the channel that you mean.',
    });
  }
  if (wish.place.kind === 'channel' || wish.command.capability === 'none') return { place: wish.place, footing: here };
  for (const channel of (await kit.policies.all()).keys()) {
    if (!(await isIn(kit, channel, wish.actor))) continue;
    const footing = await kit.footing(wish.actor, channel);
    const reading = await readingFor(kit, wish.command, footing);
    const { targets } = wish.command.prepare(wish.raw, reading);
    if (footing.decide(wish.command.capability, wish.command.risk, targets).allowed) {
      return { place: { channel, kind: 'channel' }, footing };
    }
  }
  throw new Refusal('no_policy', `None of the channels you are in lets you ${wish.command.path} this.`, {
    hint: 'Ask in a channel that has a policy, or see /host why there.',
  });
}

async function isIn(kit: Kit, channel: string, user: string): Promise<boolean> {
  try {
    return await kit.deps.directory.isInChannel(channel, user);
  } catch {
    return false;
  }
}

export async function readingFor(kit: Kit, command: AnyCommand, footing: Footing): Promise<Reading> {
  const { capability } = command;
  const maySee: Reading['maySee'] = (target) =>
    capability === 'none' || capability === 'admin' ? footing.may('read', target) : footing.may(capability, target);
  return { world: command.needsWorld ? await kit.deps.world.read() : emptyWorld, maySee };
}
