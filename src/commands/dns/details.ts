import { type Account, addressesOf, type Domain, domainTarget, orderTarget } from '../../core/account/account.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import { mapInSlices } from '../../core/async/in-slices.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { textOf } from '../../core/dns/quoted.ts';
import type { RecordData } from '../../core/dns/record.ts';
import { fullName, isAddress, isSpf, longestString, sayTtl, targetName } from '../../core/dns/record.ts';
import { replacedBy, writtenBy, type ZoneChange } from '../../core/dns/zone-diff.ts';
import { higherRisk, nextRisk, type Risk } from '../../core/policy/policy.ts';
import { count, firstFew, list } from '../../core/text/words.ts';
import { dotted, plain, type Text } from '../../core/view/view.ts';
import { named } from './changes.ts';

/** Details of a plan that changes records: dependencies, side effects and the risk. */

interface Touched {
  readonly changes: readonly ZoneChange[];
  /** The records of the domain after all changes. */
  readonly after: readonly RecordData[];
  readonly domain: string;
}

export type May = ReadContext['may'];
type Detail = [label: string, value: Text];

/** The label of the detail about records that no name server answers. */
export const hiddenLabel = 'Hidden';

export async function detailsOf(touched: Touched, account: Account, may: May): Promise<Detail[]> {
  const read = await mapInSlices([hidden, servers, depends, spf, strings], (detail) => detail(touched, account, may));
  return read.flatMap((detail) => (detail === undefined ? [] : [detail]));
}

/** `cached up to 1 hour · 192.0.2.10 is web-1`: what depends on the records, in one line. */
export function glanceOf(where: Text, changes: readonly ZoneChange[], more: readonly Text[]): Text {
  const cached = cachedSentence(changes)
    .replace(/^The old answers? stays? /, '')
    .replace(", or for the provider's default time", ' or the default time');
  return dotted([where, ...[cached, ...more].map((part) => plain(part).replace(/[.]$/, ''))]);
}

/** `The old answer stays cached up to 1 hour`; empty if no record existed before. */
export function cachedSentence(changes: readonly ZoneChange[]): string {
  const old = replacedBy(changes);
  if (old.length === 0) return '';
  const ttls = old.flatMap(({ ttl }) => ttl ?? []);
  const longest = [
    ...(ttls.length === 0 ? [] : [`up to ${sayTtl(Math.max(...ttls))}`]),
    ...(ttls.length === old.length ? [] : ["for the provider's default time"]),
  ];
  return `The old ${old.length === 1 ? 'answer stays' : 'answers stay'} cached ${longest.join(', or ')}.`;
}

/**
 * Removing records is dangerous, any other change disruptive. The risk is one level higher for records that the whole
 * domain depends on, or for more than a third of the zone. Undefined for the command's own risk.
 */
export function weightOf(changes: readonly ZoneChange[], zoneSize: number, own: Risk, domain: string) {
  const isRemoval = changes.some((change) => change.do === 'remove');
  const touched = replacedBy(changes).length;
  const carriers = list([...new Set([...replacedBy(changes), ...writtenBy(changes)].flatMap(carrier))]);
  const graver = [
    ...(carriers === '' ? [] : [`It changes ${carriers} of ${domain} itself.`]),
    ...(touched > 1 && touched * 3 > zoneSize ? [`It changes or removes ${touched} of the ${zoneSize} records.`] : []),
  ];
  const base = higherRisk(own, isRemoval ? 'dangerous' : 'disruptive');
  const risk = graver.length > 0 ? nextRisk(base) : base;
  if (risk === own) return undefined;
  return { risk, why: [...(own === base ? [] : ['It removes records.']), ...graver].join(' ') };
}

/** The part of the domain on which its delegation or all its mail depends. */
function carrier(record: RecordData): string | readonly never[] {
  if (record.host !== '@') return [];
  if (record.type === 'NS') return 'the name servers (NS)';
  if (record.type === 'MX') return 'the mail servers (MX)';
  return isSpf(record) ? 'the SPF record' : [];
}

/** Records without effect, because another zone or other name servers answer for their names. */
function hidden(touched: Touched, account: Account, may: May): Detail | undefined {
  const byReason = Map.groupBy(writtenBy(touched.changes), createHiddenBy(touched, account, may));
  const sentences = [...byReason].flatMap(([reason, records]) => {
    const names = [...new Set(records.map((record) => named(record, touched.domain)))];
    return reason === undefined ? [] : [`${reason}, so add ${firstFew(names, 3)} there.`];
  });
  return sentences.length === 0 ? undefined : [hiddenLabel, sentences.join(' ')];
}

function servers({ changes }: Touched, account: Account, may: May): Detail | undefined {
  const touched = changes.flatMap((change) => [...replacedBy([change]), ...writtenBy([change])]).filter(isAddress);
  const addresses = new Set(touched.map(({ value }) => value));
  const visible = account.orders.filter((order) => may('read', orderTarget(order)));
  const keyOf = (address: string) => canonicalAddress(address) ?? address;
  const owned = visible.flatMap((order) => addressesOf(order).map((address) => ({ address, order })));
  const owners = Map.groupBy(owned, ({ address }) => keyOf(address));
  const sentences = [...addresses].flatMap((address) => {
    const [owner] = owners.get(keyOf(address)) ?? [];
    return owner ? [`${address} is ${owner.order.label}`] : [];
  });
  return sentences.length === 0 ? undefined : ['Servers', firstFew(sentences, 6)];
}

function depends({ changes, after, domain }: Touched, account: Account, may: May): Detail | undefined {
  const losing = replacedBy(changes).filter((record) => isAddress(record) || record.type === 'CNAME');
  const names = new Set(losing.map((record) => fullName(record.host, domain)));
  if (names.size === 0) return undefined;
  if (account.unread.includes('domains')) return ['Affected', 'Unknown: the zones could not be read.'];
  // For this zone, only records after the change: a record removed with the others depends on nothing.
  const domains = account.domains.map((other) => (other.name === domain ? { ...other, records: after } : other));
  const pointing = sayPointing(domains, may, { of: '', to: 'here', isMeant: (name) => names.has(name) });
  return pointing === undefined ? undefined : ['Affected', pointing];
}

/** `2 records point here: …`, in the zones that the person may see; undefined without any. */
export function sayPointing(
  zones: readonly (Omit<Domain, 'records'> & { readonly records: readonly RecordData[] })[],
  may: May,
  { of, to, isMeant }: { readonly of: string; readonly to: string; readonly isMeant: (name: string) => boolean },
): string | undefined {
  const pointing = zones
    .filter((zone) => may('read', domainTarget(zone)))
    .flatMap(({ name, records }) =>
      records.filter((record) => isMeant(targetName(record) ?? '')).map((record) => named(record, name)),
    );
  if (pointing.length === 0) return undefined;
  const verb = pointing.length === 1 ? 'points' : 'point';
  return `${count(pointing.length, 'record')}${of} ${verb} ${to}: ${firstFew(pointing, 6)}.`;
}

/** Receivers treat two SPF records of one name as an error and trust neither. */
function spf({ changes, after, domain }: Touched): Detail | undefined {
  const hosts = new Set(writtenBy(changes).flatMap((record) => (isSpf(record) ? [record.host] : [])));
  const there = Map.groupBy(after.filter(isSpf), ({ host }) => host);
  const twice = [...hosts].filter((host) => (there.get(host) ?? []).length > 1);
  if (twice.length === 0) return undefined;
  const names = firstFew(twice, 3, (host) => fullName(host, domain));
  return ['Mail', `${names} would have more than one SPF record, which receivers take as an error. Keep one.`];
}

function strings({ changes }: Touched): Detail | undefined {
  const texts = writtenBy(changes).filter(({ type }) => type === 'TXT');
  // DNS counts the bytes of the text without its quotes: é has two.
  const long = texts.map(({ value }) => Buffer.byteLength(textOf(value))).find((bytes) => bytes > longestString);
  if (long === undefined) return undefined;
  const parts = Math.ceil(long / longestString);
  return [
    'Text',
    `${long} bytes: DNS carries them as ${parts} strings of at most ${longestString}, and readers join them again.`,
  ];
}

/**
 * Returns a sentence about the zone or name servers that answer instead of a record; undefined if this zone answers, as
 * far as the person may know. Finds the zones and delegations below the domain once, not for each of thousands of records.
 */
function createHiddenBy({ domain, after }: Touched, account: Account, may: May) {
  const zones = new Set(
    account.domains
      .filter((zone) => zone.name.endsWith(`.${domain}`) && may('read', domainTarget(zone)))
      .map(({ name }) => name),
  );
  const below = after.filter(({ host, type }) => type === 'NS' && host !== '@');
  const delegations = Map.groupBy(below, ({ host }) => fullName(host, domain));
  return (record: RecordData): string | undefined => {
    const name = fullName(record.host, domain);
    // NS records at the name itself belong to this zone.
    const labels = record.host === '@' ? [] : record.host.split('.');
    const above = labels
      .map((_, at) => fullName(labels.slice(at).join('.'), domain))
      .filter((other) => other !== name || record.type !== 'NS');
    const zone = above.find((other) => zones.has(other));
    if (zone !== undefined) return `${zone} is a separate zone`;
    const delegated = above.findLast((other) => delegations.has(other));
    const servers = above.flatMap((other) => delegations.get(other) ?? []);
    // The address of a name server below its own delegation must be in this zone as well, or the server cannot be
    // found.
    const isGlue = isAddress(record) && servers.some((server) => targetName(server) === name);
    if (delegated === undefined || isGlue) return undefined;
    const there = (delegations.get(delegated) ?? []).map(({ value }) => value);
    return `${delegated} is delegated to ${firstFew(there, 2)}`;
  };
}
