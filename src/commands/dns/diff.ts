import { domainTarget } from '../../core/account/account.ts';
import { optional } from '../../core/command/args.ts';
import type { ZoneVersion } from '../../core/command/zone-history.ts';
import { recordDifference } from '../../core/dns/zone-version.ts';
import { quote } from '../../core/grammar/tokens.ts';
import { count } from '../../core/text/words.ts';
import { buttonRow, runButton, type Text, type ViewPart } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { diffLines } from './record-plan.ts';
import { fullDate, historyOf, past, pastDomain, sayWho } from './versions.ts';

/** More lines do not fit into a message; the zone file has all. */
const mostLines = 100;

export const dnsDiff = defineQuery({
  path: 'dns diff',
  title: 'Compare versions',
  summary: 'Show how the records of a domain differ between two times',
  examples: ['dns diff example.com yesterday', 'dns diff example.com v11 v12'],
  args: {
    domain: pastDomain,
    from: past({ hint: 'The earlier time or row of the history.', example: 'yesterday' }),
    to: optional(past({ hint: 'The later one. Without it, the records now.', example: 'v12' })),
  },
  capability: 'read',
  visibility: 'channel',
  run: async ({ domain, from, to }, context) => {
    const { name } = domain;
    const { newest, at, recordsOf } = await historyOf(domain, context);
    const first = at(from, 'from');
    const second = to === undefined ? newest : at(to, 'to');
    const [older, newer] = first.n <= second.n ? [first, second] : [second, first];
    const [before, after] = await Promise.all([recordsOf(older), recordsOf(newer)]);
    const lines = diffLines(recordDifference(before, after));
    const amount = count(lines.length, 'line');
    const mayRestore = context.may('dns', domainTarget(domain)) && !older.isGone && lines.length > 0;
    const differs: ViewPart[] =
      lines.length === 0
        ? [{ kind: 'text', text: 'The records are the same.' }]
        : [{ kind: 'diff', lines: lines.slice(0, mostLines) }];
    const cut = lines.length > mostLines ? `the first ${mostLines} of ${amount}` : amount;
    return {
      summary: `${name}: ${amount} of difference between v${older.n} and v${newer.n}`,
      parts: [
        { kind: 'heading', text: name },
        ...differs,
        { kind: 'context', text: [`${cut} · `, ...sayVersion(older), ' → ', ...sayVersion(newer)] },
        ...buttonRow([
          ...(mayRestore ? [runButton(`Restore v${older.n}…`, `dns restore ${quote(name)} v${older.n}`)] : []),
          ...(older.isGone ? [] : [runButton(`Zone file of v${older.n}`, `dns zone ${quote(name)} at=v${older.n}`)]),
          runButton('History', `dns history ${quote(name)}`),
        ]),
      ],
    };
  },
});

function sayVersion(version: ZoneVersion): Exclude<Text, string> {
  const who = sayWho(version);
  return [
    `v${version.n}, `,
    fullDate(version.at),
    ...(who.length === 0 ? [] : [' ', ...who]),
    ...(version.since === null ? [] : [' after ', fullDate(version.since)]),
  ];
}
