import type { Rule } from '../../core/policy/policy.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** The people and group members named by the rule; the admins if it names none. */
export async function askedPeople(
  { directory, settings: { admins } }: Pick<EngineContext, 'directory' | 'settings'>,
  { rule }: { readonly rule: Rule },
): Promise<ReadonlySet<string>> {
  const people = await membersOf({ directory }, typeof rule === 'object' ? rule.by : []);
  return people.size > 0 ? people : new Set(admins);
}

/** People by `user:` and `group:`; a group that Slack does not list has none. */
export async function membersOf(
  { directory }: Pick<EngineContext, 'directory'>,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const each = await Promise.all(
    [...new Set(subjects)].map(async (subject) => {
      const id = subject.slice(subject.indexOf(':') + 1);
      return subject.startsWith('user:') ? [id] : [...(await directory.groupMembers(id).catch(() => []))];
    }),
  );
  return new Set(each.flat());
}
