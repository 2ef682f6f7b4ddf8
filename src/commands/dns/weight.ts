import { isSpf, type RecordData } from '../../core/dns/record.ts';
import type { ZoneChange } from '../../core/dns/zone-diff.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { higherRisk, nextRisk, type Risk } from '../../core/policy/policy.ts';
import { list } from '../../core/text/words.ts';

/** The risk of a change of records. */

/**
 * Removing records is dangerous, any other change disruptive. The risk is one level higher for records that the whole
 * domain depends on, or for more than a third of the zone.
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

/** The changed records on which delegation and mail of the whole domain depend. */
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
