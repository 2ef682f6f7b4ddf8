import { madeUpStaff, type SlackSeed, seedChannel, seedGroup, seedIds, seedPeople, seedPerson } from '../slack/seed.ts';
import type { AccountCopy } from './copy.ts';

/**
 * A workspace with the channels, people and groups that the copied policies name. A copy has their ids only, so their
 * names and the members of the groups are made up. Undefined without policies.
 */
export function slackOfCopy({ policies, plans }: Pick<AccountCopy, 'policies' | 'plans'>): SlackSeed | undefined {
  const channels = [...new Set([...Object.keys(policies), ...Object.keys(plans)])];
  if (Object.keys(policies).length === 0) return undefined;
  const people = idsOf(policies, 'user').filter((id) => !seedPeople().some((person) => person.id === id));
  return {
    people: [
      ...seedPeople(),
      ...people.map((id, n) => seedPerson(id, `person-${n + 1}`, `Person ${n + 1} (${id})`, 'Europe/Berlin')),
    ],
    groups: idsOf(policies, 'group').map((id, n) =>
      seedGroup(id, `group-${n + 1}`, `Group ${n + 1}`, madeUpStaff.operators),
    ),
    channels: [
      ...channels.map((id) => seedChannel(id, `channel-${id.toLowerCase()}`, [...madeUpStaff.everyone, ...people])),
      seedChannel('C0GENERAL1', 'general', [...madeUpStaff.everyone, ...people]),
    ],
  };
}

/** The first channel with a policy, and the first group that the policies name; those of the seed without a copy. */
export function teamOf(copy: AccountCopy | undefined): { readonly channel: string; readonly group: string } {
  const policies = copy?.policies ?? {};
  return {
    channel: Object.keys(policies)[0] ?? seedIds.opsChannel,
    group: idsOf(policies, 'group')[0] ?? seedIds.opsGroup,
  };
}

/** The people or groups that policies name. */
function idsOf(policies: AccountCopy['policies'], kind: 'user' | 'group'): string[] {
  const named = JSON.stringify(policies).matchAll(/"(user|group):([A-Z0-9]+)"/g);
  return [...new Set([...named].flatMap(([, of, id = '']) => (of === kind ? [id] : [])))];
}
