import { type Account, domainTarget, type Target } from '../../core/account/account.ts';
import { fullName, type RecordData, targetName } from '../../core/dns/record.ts';
import type { Capability } from '../../core/policy/policy.ts';
import { firstFew } from '../../core/text/words.ts';

/** Finds the zone or the delegated name servers that answer instead of a record. */

interface Around {
  readonly domain: string;
  /** The records of the domain after all changes. */
  readonly after: readonly RecordData[];
  readonly account: Account;
  readonly may: (capability: Capability, target: Target) => boolean;
}

/**
 * Returns a sentence about the zone or name servers that answer instead of a record; undefined if this zone answers, as
 * far as the person may know.
 */
export type HiddenBy = (record: RecordData) => string | undefined;

/** Finds the zones and delegations below the domain once instead of for each of thousands of records. */
export function createHiddenBy({ domain, after, account, may }: Around): HiddenBy {
  const zones = new Set(
    account.domains
      .filter((zone) => zone.name.endsWith(`.${domain}`) && may('read', domainTarget(zone)))
      .map(({ name }) => name),
  );
  const delegations = Map.groupBy(
    after.filter(({ host, type }) => type === 'NS' && host !== '@'),
    ({ host }) => fullName(host, domain),
  );
  return ({ host, type }) => {
    const name = fullName(host, domain);
    // NS records at the name itself belong to this zone.
    const above = belowDomain(host, domain).filter((other) => other !== name || type !== 'NS');
    const zone = above.find((other) => zones.has(other));
    if (zone !== undefined) return `${zone} is a separate zone`;
    const delegated = above.findLast((other) => delegations.has(other));
    const servers = above.flatMap((other) => delegations.get(other) ?? []);
    // The address of a name server below its own delegation must be in this zone as well, or the server cannot be
    // found.
    const isGlue = (type === 'A' || type === 'AAAA') && servers.some((server) => targetName(server) === name);
    if (delegated === undefined || isGlue) return undefined;
    const there = (delegations.get(delegated) ?? []).map(({ value }) => value);
    return `${delegated} is delegated to ${firstFew(there, 2)}`;
  };
}

/** The name and its parents below the domain. */
function belowDomain(host: string, domain: string): readonly string[] {
  const labels = host === '@' ? [] : host.split('.');
  return labels.map((_, at) => fullName(labels.slice(at).join('.'), domain));
}
