import { type Account, addressesOf, domainTarget, type Order } from '../../core/account/account.ts';
import { canonicalAddress } from '../../core/account/ip-address.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { dotted, type Text, text } from '../../core/view/view.ts';
import { type Power, powerSigns, sayStatus } from './power.ts';

interface Glance {
  readonly power: (order: Order) => Power;
  /** `down 1–3 min` */
  readonly briefly: string;
  /** The servers whose names do not answer meanwhile. */
  readonly goingDown: readonly Order[];
  /** Named servers that need no change. */
  readonly leftOut?: readonly Text[];
  readonly account: Account;
  readonly may: ReadContext<unknown>['may'];
}

const mostNames = 3;
/** A title names up to this number of servers. */
const mostInTitle = 4;
/** A card names up to this number of states and names; Details has all of them. */
const mostNamed = 4;

/** The one line of a card about servers: `🟢 on · down 1–3 min · example.com and www.example.com point here`. */
export function glanceOf(
  servers: readonly Order[],
  { power, briefly, goingDown, leftOut = [], ...scope }: Glance,
): Text {
  const states = Map.groupBy(servers, power);
  const sentences = [...states].map(([state, those]) =>
    servers.length === 1 ? powerSigns[state] : powerSigns[state].replace(' ', ` ${those.length} `),
  );
  const parts: Text[] = [
    sentences.join(', '),
    ...(servers.length > mostInTitle ? [firstFew(servers, mostNamed, ({ label }) => label)] : []),
    ...statusesOf(servers),
    briefly,
    ...namesHere(goingDown, scope, servers.length > mostInTitle ? 0 : mostNames),
    ...leftOut.map((names) => text('left out: ', names)),
  ];
  return dotted(parts);
}

/** `wiki-1 not renewed`, and of many servers `2 not renewed`. */
function statusesOf(servers: readonly Order[]): string[] {
  const unusual = servers.filter(({ status }) => status !== 'active');
  if (servers.length === 1) return unusual.map(({ status }) => sayStatus(status));
  if (servers.length <= mostInTitle) return unusual.map(({ label, status }) => `${label} ${sayStatus(status)}`);
  const alike = Map.groupBy(unusual, ({ status }) => sayStatus(status));
  return [...alike].map(([words, those]) => `${those.length} ${words}`);
}

/** `example.com and www.example.com point here`, empty where none does. Without a place for names it counts them. */
export function namesHere(
  orders: readonly Order[],
  { account, may }: Pick<Glance, 'account' | 'may'>,
  most = mostNames,
): string[] {
  if (orders.length === 0) return [];
  if (account.unread.includes('domains')) return ['its DNS names could not be read'];
  const addresses = new Set(orders.flatMap((order) => addressesOf(order).map((own) => canonicalAddress(own))));
  const zones = account.domains.map((domain) => ({
    isKnown: may('read', domainTarget(domain)),
    names: domain.records
      .filter((record) => addresses.has(canonicalAddress(record.value) ?? record.value))
      .map(({ host }) => (host === '@' ? domain.name : `${host}.${domain.name}`)),
  }));
  const names = [...new Set(zones.filter(({ isKnown }) => isKnown).flatMap((zone) => zone.names))];
  const hidden = zones.filter(({ isKnown }) => !isKnown).reduce((sum, zone) => sum + zone.names.length, 0);
  const parts = [
    ...(names.length > 0 ? [most === 0 ? count(names.length, 'DNS name') : firstFew(names, most)] : []),
    ...(hidden > 0 ? [`${hidden} in zones that may not be read here`] : []),
  ].join(' and ');
  return parts === '' ? [] : [`${parts} ${names.length + hidden === 1 ? 'points' : 'point'} here`];
}
