import type { Target } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import type { PlanDraft } from '../../core/plan/plan.ts';
import { covers, describeSubjects, matchingPatterns } from '../../core/policy/evaluate.ts';
import type { Grant } from '../../core/policy/policy.ts';
import { firstFew } from '../../core/text/words.ts';
import { dotted, joined, plain, type Text, text } from '../../core/view/view.ts';

type Change = Readonly<Record<'after' | 'before', Target>>;

export function changesOf(targets: readonly Target[], values: Partial<Target>): Change[] {
  return targets.map((before) => ({ before, after: { ...before, ...values } }));
}

/** Maximum number of grants shown on a card. */
const mostNamed = 5;

/**
 * Adds to a plan the rights that it would give and take.
 *
 * Policies grant on names, tags and projects, which are the same in every channel: a person who may change one could
 * give themselves or others rights in another channel. Everyone who may destroy on tag:scratch anywhere can reinstall a
 * server tagged `scratch`. A grant of any channel that would cover more makes the change dangerous, and the approvers
 * of that channel decide (engine/access/decide-plan.ts). A grant that would cover less is shown.
 */
export async function withRights<S>(changes: readonly Change[], context: ReadContext, draft: PlanDraft<S>) {
  const { bot, channel: here } = context;
  const opened: Affected[] = [];
  const closed: Affected[] = [];
  for (const [channel, policy] of changes.length === 0 ? [] : await bot.policies()) {
    for (const grant of policy.grants) {
      const gained = changes.filter(({ before, after }) => !covers(grant.on, before) && covers(grant.on, after));
      const lost = changes.filter(({ before, after }) => covers(grant.on, before) && !covers(grant.on, after));
      if (gained.length > 0) opened.push({ channel, grant, targets: gained.map(({ after }) => after) });
      if (lost.length > 0) closed.push({ channel, grant, targets: lost.map(({ before }) => before) });
    }
  }
  const gains = sentences(opened, here, 'would come to include');
  const losses = sentences(closed, here, 'would no longer include');
  const all = [...gains, ...losses].map(plain).toSorted();
  const lost = losses.length === 0 ? '' : sentenceOf('', losses);
  const { glance, details = [], facts } = draft;
  return {
    ...draft,
    ...(glance !== undefined && lost !== '' && { glance: dotted([glance, text('rights lost: ', lost)]) }),
    details: [...details, ['Rights lost', lost] as const],
    // A change of the policies after the approval voids it.
    facts: { ...facts, ...(all.length > 0 && { rights: all }) },
    ...(opened.length > 0 && {
      raised: { risk: 'dangerous', why: sentenceOf('This changes who may do what: ', gains) } as const,
      widens: [...Map.groupBy(opened, ({ channel }) => channel)]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([channel, affected]) => ({ channel, grants: affected.map(sayGrant) })),
    }),
  };
}

interface Affected {
  readonly channel: string;
  readonly grant: Grant;
  readonly targets: readonly Target[];
}

/** Shows only the matching patterns of a grant: others may name targets that people here must not know. */
function sentences(affected: readonly Affected[], here: string, verb: string): Text[] {
  return affected.map(({ channel, grant, targets }) => {
    const names = firstFew([...new Set(targets.map(({ name }) => name))], 3);
    const where = channel === here ? [' here '] : [' in ', { channel }, ' '];
    return text(sayGrant({ grant, targets }), where, `${verb} ${names}`);
  });
}

function sayGrant({ grant, targets }: Pick<Affected, 'grant' | 'targets'>): Text {
  const patterns = [...new Set(targets.flatMap((target) => matchingPatterns(grant.on, target)))].join(', ');
  return text('"', describeSubjects(grant.to), ` may ${grant.can.join(', ')} on ${patterns}"`);
}

function sentenceOf(start: string, parts: readonly Text[]): Text {
  const rest = parts.length > mostNamed ? `; and ${parts.length - mostNamed} more grants` : '';
  return text(start, joined(parts.slice(0, mostNamed), '; '), `${rest}.`);
}
