import type { ZoneChange } from '../../core/dns/zone-diff.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { higherRisk } from '../../core/policy/policy.ts';
import { hashOf } from '../../core/text/json.ts';
import { count } from '../../core/text/words.ts';
import { type DiffLine, text } from '../../core/view/view.ts';

/** Plans of more changes than a card shows. */

/** A card shows up to this many changes and characters of them. */
const [mostShown, mostCharacters] = [50, 6_000];

/** A larger plan has sums on the card and each change in a file. It is at least dangerous, and its facts are one hash. */
export function fitted<Step>(plan: Plan<Step>, changes: readonly ZoneChange[]): Plan<Step> {
  const { diff = [], facts, raised } = plan;
  const isMany = changes.length > mostShown;
  if (!isMany && diff.reduce((sum, line) => sum + line.text.length, 0) <= mostCharacters) return plan;
  const many = `It changes ${count(changes.length, 'record')} at once.`;
  return {
    ...plan,
    diff: [...sumsOf(changes), { sign: ' ', text: `each of the ${count(diff.length, 'line')}: a file in the thread` }],
    file: diff.map(({ sign, text }) => `${sign} ${text.trimEnd()}\n`).join(''),
    facts: { 'record of each change': hashOf(facts) },
    ...(isMany && {
      raised: {
        risk: higherRisk(raised?.risk ?? 'safe', 'dangerous'),
        why: raised === undefined ? many : text(raised.why, ` ${many}`),
      },
    }),
  };
}

/** `+ 900 added: 812 A, 88 TXT` */
function sumsOf(changes: readonly ZoneChange[]): DiffLine[] {
  return (['add', 'change', 'remove'] as const).flatMap((kind): DiffLine[] => {
    const own = changes.filter((change) => change.do === kind);
    const types = Map.groupBy(own, (change) => (change.do === 'add' ? change.after : change.before).type);
    const sums = [...types].map(([type, some]) => `${some.length.toLocaleString('en-US')} ${type}`);
    const { sign, word } = kinds[kind];
    return own.length === 0
      ? []
      : [{ sign, text: `${own.length.toLocaleString('en-US')} ${word}: ${sums.join(', ')}` }];
  });
}

const kinds = {
  add: { sign: '+', word: 'added' },
  change: { sign: ' ', word: 'changed' },
  remove: { sign: '−', word: 'removed' },
} as const;
