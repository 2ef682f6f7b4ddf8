import { domainTarget, orderTarget, projectTarget } from '../core/account/account.ts';
import type { ReadContext } from '../core/command/command.ts';
import { NotOne } from '../core/targets/not-one.ts';
import { nearest, sentenceStart, shortened } from '../core/text/words.ts';

/** Of each read, what its words may be, the button for the whole list, and the argument. */
const reads = {
  list: ['name, tag, project, plan or state of a server', 'All servers', 'filter'],
  orders: ['name, address, tag, type, project, plan or status of an order', 'All orders', 'filter'],
  'ip list': ['server, address, location or reverse DNS name', 'All addresses', 'filter'],
  'dns domains': ['name, tag or address of a domain', 'All domains', 'filter'],
  'dns list': ['host, type, value or id of a record', 'All records', 'filter'],
  scheduled: ['name of a server, order, domain, project or action', 'All that is scheduled', 'about'],
  audit: ['name of a server, order, domain or project', 'All entries', 'about'],
} as const;

type Asked = Readonly<Record<'names' | 'words', readonly string[]>> & { readonly isKnown?: (word: string) => boolean };

/**
 * Refuses a word that names nothing, since a typo would look like an empty list; offers the nearest name and `lines`.
 * `names` are what this person may read: without any, no word is refused, and by default a part of one is known.
 */
export function mustName(path: keyof typeof reads, { words, names, ...more }: Asked, lines = [path as string]) {
  const isPart = (word: string) => names.some((name) => name.toLowerCase().includes(word.toLowerCase()));
  const unknown = words.find((word) => !(more.isKnown ?? isPart)(word));
  if (unknown === undefined || names.length === 0) return;
  const [kinds, all, field] = reads[path];
  const near = nearest(unknown, names);
  const values = words.map((word) => (word === unknown ? (near ?? word) : word));
  const [hint, candidates] =
    near === undefined ? [`See /host ${lines.at(-1)}.`, []] : [`Did you mean ${near}?`, [{ label: near, values }]];
  const offers = lines.map((line) => ({ command: line, label: line.startsWith(path) ? all : sentenceStart(line) }));
  const text = `\`${shortened(unknown)}\` is no ${kinds} here.`;
  throw Object.assign(new NotOne('not_found', text, hint, candidates, offers), { field });
}

/** Names in the account that this person may read, and `more`; none while a part of the account is unread. */
export async function namesHere({ account, may }: Pick<ReadContext, 'account' | 'may'>, more: readonly string[] = []) {
  const { orders, domains, projects, unread, unreadable } = await account();
  const all = [...orders.map(orderTarget), ...domains.map(domainTarget), ...projects.map(projectTarget)];
  const names = all.filter((target) => may('read', target)).map(({ name }) => name);
  return unread.length + unreadable.length > 0 ? [] : [...names, ...more];
}
