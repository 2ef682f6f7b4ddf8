import { type Account, addressesOf, domainTarget, orderTarget, type Target } from '../../core/account/account.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import { textOf } from '../../core/dns/quoted.ts';
import { fullName, isSpf, type RecordData, sayTtl, targetName } from '../../core/dns/record.ts';
import { longestString } from '../../core/dns/values.ts';
import type { ZoneChange } from '../../core/dns/zone-diff.ts';
import type { Capability } from '../../core/policy/policy.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { dotted, plain, type Text } from '../../core/view/view.ts';
import { named } from './changes.ts';

/** Details of a plan that changes records: dependencies and side effects. */

interface Touched {
  readonly changes: readonly ZoneChange[];
  readonly after: readonly RecordData[];
  readonly domain: string;
  readonly hiddenBy: HiddenBy;
}

type May = (capability: Capability, target: Target) => boolean;

export function detailsOf(touched: Touched, account: Account, may: May): [string, Text][] {
  return [
    hidden(touched),
    servers(touched, account, may),
    depends(touched, account, may),
    spf(touched),
    strings(touched),
  ].filter((detail) => detail !== undefined);
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
  const old = changes.flatMap((change) => (change.do === 'add' ? [] : [change.before]));
  if (old.length === 0) return '';
  const ttls = old.flatMap(({ ttl }) => ttl ?? []);
  const longest = [
    ...(ttls.length === 0 ? [] : [`up to ${sayTtl(Math.max(...ttls))}`]),
    ...(ttls.length === old.length ? [] : ["for the provider's default time"]),
  ];
  return `The old ${old.length === 1 ? 'answer stays' : 'answers stay'} cached ${longest.join(', or ')}.`;
}

/** Records without effect, because another zone or other name servers answer for their names. */
function hidden({ changes, domain, hiddenBy }: Touched): [string, Text] | undefined {
  const written = changes.flatMap((change) => (change.do === 'remove' ? [] : [change.after]));
  const byReason = Map.groupBy(written, hiddenBy);
  const sentences = [...byReason].flatMap(([reason, records]) => {
    const names = [...new Set(records.map((record) => named(record, domain)))];
    return reason === undefined ? [] : [`${reason}, so add ${firstFew(names, 3)} there.`];
  });
  return sentences.length === 0 ? undefined : ['Hidden', sentences.join(' ')];
}

function servers({ changes }: Touched, account: Account, may: May): [string, Text] | undefined {
  const addresses = new Set(
    changes
      .flatMap(recordsOf)
      .filter((record) => record.type === 'A' || record.type === 'AAAA')
      .map((record) => record.value),
  );
  const visible = account.orders.filter((order) => may('read', orderTarget(order)));
  const keyOf = (address: string) => canonicalAddress(address) ?? address;
  const owners = Map.groupBy(
    visible.flatMap((order) => addressesOf(order).map((address) => ({ address, order }))),
    ({ address }) => keyOf(address),
  );
  const sentences = [...addresses].flatMap((address) => {
    const [owner] = owners.get(keyOf(address)) ?? [];
    return owner ? [`${address} is ${owner.order.label}`] : [];
  });
  return sentences.length === 0 ? undefined : ['Servers', firstFew(sentences, 6)];
}

/** Names that point to a changed or removed name. */
function depends({ changes, after, domain }: Touched, account: Account, may: May): [string, Text] | undefined {
  const losing = changes.flatMap((change) => (change.do === 'add' ? [] : [change.before]));
  const names = new Set(
    losing
      .filter((record) => ['A', 'AAAA', 'CNAME'].includes(record.type))
      .map((record) => fullName(record.host, domain)),
  );
  if (names.size === 0) return undefined;
  if (account.unread.includes('domains')) return ['Affected', 'Unknown: the zones could not be read.'];
  const readable = account.domains.filter((other) => may('read', domainTarget(other)));
  const pointing = readable.flatMap((other) =>
    // For this zone, only records after the change: a record removed with the others depends on nothing.
    (other.name === domain ? after : other.records)
      .filter((record) => names.has(targetOf(record)))
      .map((record) => `${fullName(record.host, other.name)} ${record.type}`),
  );
  if (pointing.length === 0) return undefined;
  return [
    'Affected',
    `${count(pointing.length, 'record')} ${pointing.length === 1 ? 'points' : 'point'} here: ${firstFew(pointing, 6)}.`,
  ];
}

function targetOf(record: { readonly type: string; readonly value: string }): string {
  const type = (['CNAME', 'MX', 'NS', 'SRV'] as const).find((candidate) => candidate === record.type);
  return type === undefined ? '' : (targetName({ type, value: record.value }) ?? '');
}

/** Receivers treat two SPF records of one name as an error and trust neither. */
function spf({ changes, after, domain }: Touched): [string, Text] | undefined {
  const hosts = new Set(
    changes.flatMap((change) => (change.do !== 'remove' && isSpf(change.after) ? [change.after.host] : [])),
  );
  const there = Map.groupBy(after.filter(isSpf), ({ host }) => host);
  const twice = [...hosts].filter((host) => (there.get(host) ?? []).length > 1);
  if (twice.length === 0) return undefined;
  const names = twice.map((host) => fullName(host, domain));
  return [
    'Mail',
    `${firstFew(names, 3)} would have more than one SPF record, which receivers take as an error. Keep one.`,
  ];
}

function strings({ changes }: Touched): [string, Text] | undefined {
  const [long] = changes
    .flatMap((change) => (change.do !== 'remove' && change.after.type === 'TXT' ? [bytesOf(change.after.value)] : []))
    .filter((bytes) => bytes > longestString);
  if (long === undefined) return undefined;
  const parts = Math.ceil(long / longestString);
  return [
    'Text',
    `${long} bytes: DNS carries them as ${parts} strings of at most ${longestString}, and readers join them again.`,
  ];
}

/** DNS counts the bytes of the text without its quotes: é has two. */
function bytesOf(value: string): number {
  return Buffer.byteLength(textOf(value));
}

function recordsOf(change: ZoneChange): RecordData[] {
  if (change.do === 'add') return [change.after];
  return change.do === 'remove' ? [change.before] : [change.before, change.after];
}

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
