import type { Demand } from '../../core/policy/demands.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { peopleAway } from './notifications.ts';

type Context = Pick<EngineContext, 'directory' | 'now' | 'settings' | 'store'>;

/**
 * The people and group members named by the rule, without absent people; the admins if the rule names none, or if
 * all are away.
 */
export async function askedPeople(
  context: Context,
  { demands }: { readonly demands: readonly Demand[] },
): Promise<ReadonlySet<string>> {
  const { present } = await apart(context, await namedPeople(context, demands));
  return new Set(present.length > 0 ? present : context.settings.admins);
}

/** The approvers who are away; `isAll`: nobody else is left. */
export async function awayPeople(
  context: Context,
  demands: readonly Demand[],
): Promise<{ readonly users: readonly string[]; readonly isAll: boolean }> {
  const { away, present } = await apart(context, await namedPeople(context, demands));
  return { users: away, isAll: away.length > 0 && present.length === 0 };
}

async function apart(context: Context, people: ReadonlySet<string>) {
  const absent = await peopleAway(context);
  return {
    away: [...people].filter((user) => absent.has(user)),
    present: [...people].filter((user) => !absent.has(user)),
  };
}

function namedPeople(
  { directory, settings }: Pick<Context, 'directory' | 'settings'>,
  demands: readonly Demand[],
): Promise<ReadonlySet<string>> {
  const named = demands.flatMap(({ rule: { by } }): readonly string[] =>
    by.length > 0 ? by : settings.admins.map((admin) => `user:${admin}`),
  );
  return membersOf({ directory }, named);
}

/** People by `user:` and `group:`; a group that Slack does not list has none. */
export async function membersOf(
  { directory }: Pick<Context, 'directory'>,
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
