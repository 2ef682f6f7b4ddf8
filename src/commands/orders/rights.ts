import type { Target } from '../../core/account.ts';
import type { ReadContext } from '../../core/command.ts';
import { covers, describeGrant } from '../../core/evaluate.ts';
import type { Plan } from '../../core/plan.ts';
import { plain } from '../../core/view.ts';

interface Change {
  readonly before: Target;
  readonly after: Target;
}

/**
 * Policies grant on names, tags and projects, so who may change one of these could give themselves rights: a server
 * that is tagged `scratch` can be cancelled by whoever may destroy on tag:scratch. Where a grant of this channel would
 * come to reach more, the change weighs as much as what it opens.
 */
export async function rightsOpened(
  changes: readonly Change[],
  { bot, channel }: Pick<ReadContext<unknown>, 'bot' | 'channel'>,
): Promise<Pick<Plan<never>, 'raised'>> {
  const policy = await bot.policy(channel);
  for (const grant of policy?.grants ?? []) {
    const opened = changes.find(({ before, after }) => !covers(grant.on, before) && covers(grant.on, after));
    if (opened === undefined) continue;
    const why = `This changes who may do what here: "${plain(describeGrant(grant))}" would come to include ${opened.after.name}.`;
    return { raised: { risk: 'dangerous', why } };
  }
  return {};
}

/** The same as a fact: a policy that changes after the approval asks again. */
export function rightsFact({ raised }: Pick<Plan<never>, 'raised'>): Record<string, string> {
  return raised === undefined ? {} : { rights: raised.why };
}
