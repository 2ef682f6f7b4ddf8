import { isSpf, type RecordData } from '../../core/dns/record.ts';
import type { ZoneChange } from '../../core/dns/zone-diff.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { higherRisk, nextRisk, type Risk } from '../../core/policy/policy.ts';
import { list } from '../../core/text/words.ts';

/** How grave a change of records is. */

/**
 * Removing records is dangerous; the rest is disruptive. One level more when it touches what the whole domain stands
 * on, or more than a third of the zone at once.
 */
export function weightOf(
  changes: readonly ZoneChange[],
  zoneSize: number,
  { own, domain }: { readonly own: Risk; readonly domain: string },
): Pick<Plan<never>, 'raised'> {
  const removals = changes.filter((change) => change.do === 'remove').length;
  const touched = changes.filter((change) => change.do !== 'add').length;
  const graver = [
    ...carriers(changes).map((what) => `It changes ${what} of ${domain} itself.`),
    ...(touched > 1 && touched * 3 > zoneSize ? [`It changes or removes ${touched} of the ${zoneSize} records.`] : []),
  ];
  const base = higherRisk(own, removals > 0 ? 'dangerous' : 'disruptive');
  const risk = graver.length > 0 ? nextRisk(base) : base;
  if (risk === own) return {};
  const why = [...(removals > 0 && own !== base ? ['It removes records.'] : []), ...graver].join(' ');
  return { raised: { risk, why } };
}

/** Delegation and mail hang on these, for the domain and everything below it. */
function carriers(changes: readonly ZoneChange[]): string[] {
  const kinds = changes
    .flatMap((change): RecordData[] =>
      change.do === 'add' ? [change.after] : change.do === 'remove' ? [change.before] : [change.before, change.after],
    )
    .filter((record) => record.host === '@')
    .flatMap((record) =>
      record.type === 'NS'
        ? ['the name servers (NS)']
        : record.type === 'MX'
          ? ['the mail servers (MX)']
          : isSpf(record)
            ? ['the SPF record']
            : [],
    );
  const unique = [...new Set(kinds)];
  return unique.length === 0 ? [] : [list(unique)];
}
