import { channelOf, personOf } from '../channels.ts';
import { SimulationError } from '../simulation-error.ts';
import type { SimChannel, SimPerson } from '../state.ts';
import type { Workspace } from '../workspace.ts';

/** A person who can sign in. */
export function actor(workspace: Workspace, ref: string): SimPerson {
  const person = personOf(workspace, ref);
  if (person.isBot) throw new SimulationError(`@${person.name} is the bot; people act, the bot answers`);
  if (person.isDeactivated) throw new SimulationError(`@${person.name} is deactivated and cannot do anything in Slack`);
  return person;
}

/** A channel this person can write into. */
export function writableBy(workspace: Workspace, person: SimPerson, ref: string): SimChannel {
  const channel = channelOf(workspace, ref, person);
  if (!channel.members.includes(person.id)) {
    throw new SimulationError(`@${person.name} is not in #${channel.name} and cannot write there`);
  }
  if (channel.isArchived) throw new SimulationError(`#${channel.name} is archived; nobody can write there`);
  return channel;
}
