import { z } from 'zod';
import { hasAddress, liveServers, namesOf, type Order, orderTarget } from '../../core/account/account.ts';
import {
  orderStatuses,
  type Power,
  type SeenServer,
  stateText,
  withoutPower,
  worstFirst,
} from '../../core/account/trouble.ts';
import { optional, order, words } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { tooManyFavorites } from '../../core/command/own-settings.ts';
import { matches } from '../../core/policy/evaluate.ts';
import type { ProtectionOf } from '../../core/policy/protection.ts';
import { isAll } from '../../core/targets/targets.ts';
import { byNumbers, count, sentenceStart, wordSet } from '../../core/text/words.ts';
import { endsSoon } from '../../core/view/days.ts';
import { Refusal } from '../../core/view/errors.ts';
import { favoriteLabel, signs } from '../../core/view/signs.ts';
import { menuPart, type Row, runButton, says, type Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { defineQuery } from '../define.ts';
import { leftOut } from '../left-out.ts';
import { defineList, paged } from '../list.ts';
import { namesIn, sayDaysLeft } from '../orders/list.ts';
import { protectionMark } from '../protection-mark.ts';
import { withReadAt } from '../read-at.ts';
import { countsLine, powerReadsMost, seeServersToShow } from './see-servers.ts';

/** `list tag:web off`: powers are alternatives, as are statuses; every other word must match. */
export type Filter = ReturnType<typeof readFilter>;

/** `list all servers that are off` */
const noise = wordSet('servers server vps please that which are is currently the do we i have there with in our my');
const powers = ['on', 'off', 'unknown'];
const otherPowers: ReadonlyMap<string, string> = new Map([
  ['down', 'off'],
  ['stopped', 'off'],
  ['running', 'on'],
  ['up', 'on'],
]);

/** Parses words as typed, of which some may be ids of these orders. */
export function readFilter(words: readonly string[], orders: readonly Order[]) {
  const typed = withPrefix(words.map((word) => word.toLowerCase().replace(/(?<=.)\?$/, ''))).map(
    (word) => otherPowers.get(word) ?? word,
  );
  const ofPower = typed.filter((word) => powers.includes(word));
  const statuses = typed.filter((word) => orderStatuses.includes(word));
  const rest = typed.filter((word) => !powers.includes(word) && !orderStatuses.includes(word));
  const others = rest.map((word) => fitOf(word, orders));
  return {
    isOfPower: ofPower.length > 0,
    isOfCanceled: statuses.includes('canceled'),
    hasPower: (power: Power) => ofPower.length === 0 || ofPower.includes(power),
    fits: (order: Order) =>
      (statuses.length === 0 || statuses.includes(order.status)) && others.every((fits) => fits(order)),
  };
}

/** `tag web` is `tag:web`. */
export function withPrefix(words: readonly string[]): readonly string[] {
  const isKind = (word: string | undefined) => word === 'tag' || word === 'project';
  return words.flatMap((word, at) => {
    if (isKind(words[at - 1])) return [`${words[at - 1]}:${word}`];
    return isKind(word) && at + 1 < words.length ? [] : [word];
  });
}

function fitOf(word: string, orders: readonly Order[]): (order: Order) => boolean {
  // An id names one order, so the names of the others need not be searched.
  if (orders.some(({ id }) => id === word)) return ({ id }) => id === word;
  const [, kind, value = ''] = /^(tag|project|plan):(.+)$/.exec(word) ?? [];
  const fits = patternOf(kind === undefined ? word : value);
  if (kind === 'tag') return (order) => order.tags.some(fits);
  if (kind === 'project') return ({ project }) => project !== null && (fits(project.name) || fits(String(project.id)));
  if (kind === 'plan') return (order) => fits(order.plan);
  if (isAll(word) || noise.has(word)) return () => true;
  return word.includes('*') ? (order) => namesOf(order).some(fits) : contains(word);
}

/** Matches the whole text literally, or with `*` for anything. */
export function patternOf(word: string): (text: string) => boolean {
  return (text) => (word.includes('*') ? matches(word, text) : text.toLowerCase() === word);
}

/** True for orders with the lower-case word in their id, names or addresses, or as a tag or project. */
export function contains(word: string): (order: Order) => boolean {
  const isThere = hasAddress(word);
  return (order) =>
    namesOf(order).some((name) => name.toLowerCase().includes(word)) ||
    [...order.tags, order.project?.name].some((name) => name?.toLowerCase() === word) ||
    isThere(order);
}

/** Lists of other things, for lines such as `list projects` that match no server. */
export const otherLists: ReadonlyMap<string, string> = new Map([
  ['alerts', 'alerts list'],
  ['buckets', 's3 list'],
  ['domains', 'dns domains'],
  ['favorites', 'favorites'],
  ['freezes', 'freeze list'],
  ['invoices', 'balance'],
  ['ips', 'ip list'],
  ['jobs', 'requests'],
  ['keys', 'ssh-key list'],
  ['networks', 'net list'],
  ['orders', 'orders'],
  ['plans', 'catalog'],
  ['projects', 'project list'],
  ['requests', 'requests'],
  ['tickets', 'ticket list'],
  ['zones', 'dns domains'],
]);

/** The command for another list, if one of the words names it. */
function otherList(words: readonly string[]): string | undefined {
  return words.map((word) => otherLists.get(word.toLowerCase())).find((path) => path !== undefined);
}

export const listServers = defineList({
  path: 'list',
  title: 'Servers',
  summary: 'List all servers, the ones in trouble first',
  examples: ['list', 'list tag:web on'],
  args: {
    filter: optional(
      words({
        hint: 'Such as tag:web, project:Shop, off, blocked, web*, or part of a name or address. All must fit.',
        example: 'tag:web',
        schema: z.string().max(100, 'a shorter word'),
        most: 10,
      }),
    ),
  },
  capability: 'read',
  visibility: 'channel',
  list: async ({ filter: typed = [], page }, context, show) => {
    const { now, may } = context;
    const account = await context.account();
    const every = account.orders.filter((order) => order.kind === 'vps' && may('read', orderTarget(order)));
    const filter = readFilter(typed, every);
    const all = filter.isOfCanceled ? every : liveServers(every);
    const fitting = all.filter(filter.fits).toSorted((a, b) => byNumbers(a.label, b.label));
    const labels = new Set(fitting.map(({ label }) => label));
    const namesakes = all.filter(({ label }) => labels.has(label));
    const row = rowsOf(namesakes, now, await context.bot.protections());
    const onPage = (seen: readonly SeenServer[]) => paged(seen, row, { at: page, lineOf: String }).rows;
    const seen = await readServers(fitting, filter, onPage, context);
    const shown = onPage(seen);
    const counts = countsLine(seen, all.length);
    const hidden = all.length < every.length ? ` · ${every.length - all.length} canceled not shown` : '';
    const other = shown.length === 0 ? otherList(typed) : undefined;
    const startable = shown.filter(
      ({ order, power, isWanted }) =>
        power === 'off' && isWanted !== true && order.status === 'active' && may('operate', orderTarget(order)),
    );
    return show({
      all: seen,
      columns: [{ name: 'Name' }, { name: 'State' }, { name: 'Paid' }],
      row,
      instead: nothing(typed, all.length),
      total: `${counts}${hidden}`,
      foot: (note) => withReadAt(`${counts}${note}${hidden}`, account.readAt),
      above: leftOut(account, 'order', may),
      buttons: [
        ...(other === undefined ? [] : [runButton(sentenceStart(other), other)]),
        ...(shown.length === 0 && all.length > 0 ? [runButton('All servers', 'list')] : []),
        ...startable.slice(0, 3).map(({ order }) => runButton(`Start ${order.label}`, `start ${order.id}`)),
      ],
    });
  },
});

/** Reads the power of all servers and sorts by it; with too many, reads only the page's. */
async function readServers(
  fitting: readonly Order[],
  filter: Filter,
  onPage: (seen: readonly SeenServer[]) => readonly SeenServer[],
  context: ReadContext<Reader>,
): Promise<readonly SeenServer[]> {
  const { now } = context;
  if (fitting.length <= powerReadsMost) {
    const all = await seeServersToShow(fitting, context);
    return worstFirst(all, now).filter(({ power }) => filter.hasPower(power));
  }
  if (filter.isOfPower) {
    throw new Refusal('impossible', `Reading the power of ${fitting.length} servers at once is too much.`, {
      hint: `Narrow it down to ${powerReadsMost}, by a tag for example.`,
      field: 'filter',
    });
  }
  const unread = worstFirst(fitting.map(withoutPower), now);
  const shown = onPage(unread);
  const read = await seeServersToShow(
    shown.map(({ order }) => order),
    context,
  );
  const at = unread.findIndex((server) => shown.includes(server));
  return unread.toSpliced(at, shown.length, ...worstFirst(read, now));
}

/** Draws rows. The status of a server has its addresses and tags. */
function rowsOf(all: readonly Order[], now: number, protectionOf: ProtectionOf): (seen: SeenServer) => Row {
  const nameOf = namesIn(all);
  return (seen) => {
    const { order } = seen;
    const soon = endsSoon(order.expires, now) ? `${signs.warning} ` : '';
    const then = order.isCancelMarked ? ', then canceled' : order.status === 'noprolong' ? ', not renewed' : '';
    return [
      `${nameOf(order)}${protectionMark(protectionOf, orderTarget(order))}`,
      stateText(seen),
      `${soon}${sayDaysLeft(order, now)}${then}`,
    ];
  };
}

function nothing(typed: readonly string[], all: number): Text {
  if (all === 0) return 'There is no server here that you may see.';
  return ['No server fits ', { code: typed.join(' ') }, '.'];
}

const common = { isBehind: true, capability: 'read', visibility: 'person' } as const;

export const favorites = defineQuery({
  ...common,
  path: 'favorites',
  title: 'Your favorites',
  summary: 'List the servers that you marked as favorites',
  examples: ['favorites', 'favorites'],
  args: {},
  run: async (_, { account, may, own }) => {
    const marked = await own.favorites();
    // A favorite grants no right: servers that the person may not read here are omitted.
    const servers = (await account()).orders
      .filter((order) => marked.has(order.id) && order.status !== 'canceled' && may('read', orderTarget(order)))
      .toSorted((a, b) => byNumbers(a.label, b.label));
    if (servers.length === 0)
      return says(['You have no favorites here. Add one with ', { code: '/host favorite web-1' }, '.']);
    const menu = (label: string, path: string) =>
      menuPart(
        label,
        servers.map((server) => runButton(server.label, `${path} ${server.id}`)),
      );
    return {
      summary: `Your favorites: ${count(servers.length, 'server')}`,
      parts: [
        { kind: 'heading', text: `${signs.favorite} Your favorites` },
        ...servers.map(({ label, addresses, id }) => ({
          kind: 'text' as const,
          text: [{ bold: label }, ` · ${addresses[0] ?? id}`],
        })),
        ...menu('Show one…', 'status'),
        ...menu('Remove one…', 'unfavorite'),
      ],
    };
  },
});

export const favorite = defineQuery({
  ...common,
  path: 'favorite',
  title: 'Add to favorites',
  summary: 'Add a server to your own favorites, which Home lists first',
  examples: ['favorite web-1', 'favorite db-1'],
  args: { server: order({ hint: 'The server to add.', example: 'web-1' }) },
  run: async ({ server: { id, label } }, { own }) => {
    const change = await own.setFavorite(id, true);
    if (change === 'full')
      throw new Refusal('impossible', tooManyFavorites, {
        suggestions: [{ label: 'Show your favorites', command: 'favorites' }],
      });
    const words = change === 'same' ? 'is one of your favorites already' : 'is one of your favorites now';
    return says(`${label} ${words}. Home lists them first, after the servers in trouble.`, [
      runButton(favoriteLabel(true), `unfavorite ${id}`),
    ]);
  },
});

export const unfavorite = defineQuery({
  ...common,
  path: 'unfavorite',
  title: 'Remove from favorites',
  summary: 'Remove a server from your own favorites',
  examples: ['unfavorite web-1', 'unfavorite db-1'],
  args: { server: order({ hint: 'The server to remove.', example: 'web-1' }) },
  run: async ({ server: { id, label } }, { own }) => {
    const change = await own.setFavorite(id, false);
    const words = change === 'same' ? 'is not one of your favorites' : 'is no longer one of your favorites';
    return says(`${label} ${words}.`, [runButton(favoriteLabel(false), `favorite ${id}`)]);
  },
});
