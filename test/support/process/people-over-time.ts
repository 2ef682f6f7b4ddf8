import type { History } from '../../../sandbox/judge/history.ts';
import type { SimulatedSlack } from '../../../sandbox/slack/server.ts';

export type PeopleOverTime = Pick<History, 'groups' | 'people'>;

/** Keeps the members of groups and the deactivated people from now on. */
export function watchPeople({ sim }: SimulatedSlack): PeopleOverTime {
  const first = sim.state();
  const groups = first.groups.map(({ id, members }) => ({ at: 0, group: id, members: [...members] }));
  const people = first.people.map(({ id, isDeactivated }) => ({ at: 0, user: id, isActive: !isDeactivated }));
  sim.onChange(({ kind, id }) => {
    const at = Date.now();
    const group = kind === 'group' ? sim.state().groups.find((one) => one.id === id) : undefined;
    if (group !== undefined) groups.push({ at, group: id, members: group.isDisabled ? [] : [...group.members] });
    const person = kind === 'person' ? sim.state().people.find((one) => one.id === id) : undefined;
    if (person !== undefined) people.push({ at, user: id, isActive: !person.isDeactivated });
  });
  return { groups, people };
}
