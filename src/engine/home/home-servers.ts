import { liveServers, type Order, orderTarget, targetKey } from '../../core/account/account.ts';
import { gradeOf, type SeenServer, signOf, troublesOf, worstFirst } from '../../core/account/trouble.ts';
import { byNumbers, count } from '../../core/text/words.ts';
import { favoriteLabel, signs } from '../../core/view/signs.ts';
import { type Button, buttonRow, menuPart, notice, runButton, type Span, type ViewPart } from '../../core/view/view.ts';
import type { ValueOf } from '../../store/records/value-kinds.ts';
import { protectionsToShow } from '../access/protections.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { offAsUsual } from '../operation/last-powers.ts';
import type { HomeReads } from './home-reads.ts';
import { findLabel } from './menu.ts';
import { accountOrLast, readableBy } from './own-settings.ts';

/** The filter of the servers on a Home (`all`, `trouble`, `favorites`, `tag:web`, `project:Website`) and the page. */
export type HomeChoice = Readonly<Omit<ValueOf<'home'>, 'at'>>;

/** The filter of a Home that was just opened: servers that are not green, and favorites. */
export const unusual = 'unusual';
const perPage = 15;
/** Below Slack's limits: 100 options in a menu, 75 characters in an option's value. */
const mostFilters = 90;
const longestFilter = 40;

interface Seen extends SeenServer {
  readonly isFavorite: boolean;
  readonly isProtected: boolean;
  /** The command of a request under way on the server. */
  readonly doing: string | undefined;
}

/** The search and the servers on Home: the worst trouble first, and of the servers alike, favorites. */
export async function serverParts(
  context: EngineContext,
  accesses: readonly Access[],
  { powers, favorites }: { readonly powers: HomeReads['powers']; readonly favorites: ReadonlySet<string> },
  { filter, page }: HomeChoice,
): Promise<ViewPart[]> {
  if (accesses.length === 0) return [];
  const account = await accountOrLast(context);
  if (account === undefined) return notice('warning', 'The provider does not answer at the moment.').parts.slice();
  const orders = readableBy(accesses, account.orders);
  if (orders.length === 0) return [];
  const live = liveServers(orders);
  const others = orders.length - live.length;
  const now = context.now();
  const [powerOf, doing, protectedTargets, usual] = await Promise.all([
    powers.read(live),
    underWay(context, now),
    protectionsToShow(context, live.map(orderTarget)),
    offAsUsual(context.store, live),
  ]);
  const protectedKeys = new Set(protectedTargets.map(({ key }) => key));
  const entries = live
    .map((order): Seen => {
      const key = targetKey(orderTarget(order));
      const power = powerOf(order);
      return {
        order,
        power,
        isFavorite: favorites.has(order.id),
        isProtected: protectedKeys.has(key),
        doing: doing.get(key),
        isWanted: doing.has(key) || (power === 'off' && usual.has(order.id)),
      };
    })
    .toSorted((a, b) => Number(b.isFavorite) - Number(a.isFavorite) || byNumbers(a.order.label, b.order.label));
  const seen = worstFirst(entries, now);
  const on = seen.filter(({ power }) => power === 'on').length;
  const unread = seen.filter(({ power }) => power === undefined).length;
  // The age of the oldest data shown: while the provider is unavailable, the lists come from memory.
  const readAt = seen.reduce(
    (oldest, { order, power }) =>
      Math.min(oldest, power === undefined ? oldest : (powers.last(order.id)?.readAt ?? oldest)),
    account.readAt,
  );
  // A deleted tag must not leave a person with an empty Home.
  const fitting = seen.filter((entry) => isUnder(entry, filter, now));
  const isFiltered = filter !== 'all' && (fitting.length > 0 || namedFilters[filter]?.none !== undefined);
  const wanted = isFiltered ? fitting : seen;
  const pages = Math.max(1, Math.ceil(wanted.length / perPage));
  const current = Math.min(Math.max(1, page), pages);
  const parts: ViewPart[] = [
    { kind: 'heading', text: 'Servers', aside: powerWords(on, unread, live.length) },
    { kind: 'find', label: findLabel },
    { kind: 'menu', label: isFiltered ? filterLabel(filter) : 'All servers', options: filters(live) },
  ];
  if (wanted.length === 0) parts.push({ kind: 'text', text: namedFilters[filter]?.none ?? '' });
  for (const entry of wanted.slice((current - 1) * perPage, current * perPage))
    parts.push(...serverRow(entry, accesses, now));
  if (filter === unusual) parts.push(...othersOf(seen.filter((entry) => !isUnder(entry, filter, now))));
  parts.push(...pageButtons(isFiltered ? filter : 'all', current, pages));
  if (others > 0)
    parts.push(
      { kind: 'text', text: `${count(others, 'other order')}: dedicated servers, storage and the like.` },
      ...buttonRow([open('Show', 'orders')]),
    );
  parts.push({ kind: 'context', text: ['read ', { date: readAt, style: 'full' }] });
  return parts;
}

/** `10 of 12 on`, `9 of 12 on, 2 not read` */
function powerWords(on: number, unread: number, all: number): string {
  if (unread === all && all > 0) return 'power not read';
  return `${on} of ${all} on${unread === 0 ? '' : `, ${unread} not read`}`;
}

function filters(live: readonly Order[]): Button[] {
  const tags = [...new Set(live.flatMap(({ tags }) => tags))].sort().map((tag) => `tag:${tag}`);
  const projects = [...new Set(live.flatMap(({ project }) => project?.name ?? []))]
    .sort()
    .map((name) => `project:${name}`);
  return [...Object.keys(namedFilters), ...tags, ...projects]
    .filter((filter) => filter.length <= longestFilter)
    .slice(0, mostFilters)
    .map((filter) => ({ label: filterLabel(filter), intent: { do: 'home', filter, page: 1 } }));
}

/** The filters that every Home has; `none` stands for the servers, and the filter stays chosen. */
const namedFilters: Readonly<Record<string, { readonly label: string; readonly none?: string }>> = {
  unusual: { label: 'In trouble, or a favorite', none: `${signs.done} No server is in trouble.` },
  all: { label: 'All servers' },
  trouble: { label: 'In trouble', none: `${signs.done} No server is in trouble.` },
  favorites: {
    label: `${signs.favorite} Favorites`,
    none: `You have no favorites here. The actions of a server have “${favoriteLabel(false)}”.`,
  },
};

function filterLabel(filter: string): string {
  return namedFilters[filter]?.label ?? filter.replace(/^tag:/, 'Tag ').replace(/^project:/, 'Project ');
}

function isUnder(entry: Seen, filter: string, now: number): boolean {
  if (filter === unusual) return entry.isFavorite || entry.doing !== undefined || troublesOf(entry, now).length > 0;
  if (filter === 'trouble') return troublesOf(entry, now).length > 0;
  if (filter === 'favorites') return entry.isFavorite;
  const { tags, project } = entry.order;
  return tags.some((tag) => filter === `tag:${tag}`) || filter === `project:${project?.name}`;
}

/** `9 others are on`: a menu that opens the status of each. */
function othersOf(others: readonly Seen[]): ViewPart[] {
  if (others.length === 0) return [];
  const areOn = others.every(({ power }) => power === 'on') ? (others.length === 1 ? ' is on' : ' are on') : '';
  const options = others.map(({ order: { label, id } }) => open(label, `status ${id}`));
  return [{ kind: 'text', text: `${count(others.length, 'other')}${areOn}.` }, ...menuPart('Open one', options)];
}

function pageButtons(filter: string, current: number, pages: number): ViewPart[] {
  const to = (label: string, page: number): Button => ({ label, intent: { do: 'home', filter, page } });
  return buttonRow([
    ...(current > 1 ? [to(`◀ Page ${current - 1}`, current - 1)] : []),
    ...(current < pages ? [to(`Page ${current + 1} of ${pages} ▶`, current + 1)] : []),
  ]);
}

/** The commands under way, by the key of their target. */
async function underWay({ store }: EngineContext, now: number): Promise<ReadonlyMap<string, string>> {
  const steps = (await store.steps.touchedSince(now)).filter(({ endedAt }) => endedAt === null);
  return new Map(steps.map(({ target, command }) => [target, command]));
}

const open = (label: string, line: string): Button => ({ label, intent: { do: 'open', line }, opens: true });

function serverRow(entry: Seen, accesses: readonly Access[], now: number): ViewPart[] {
  const { order, power, isFavorite, isProtected, doing } = entry;
  const { id, label } = order;
  const grade = gradeOf(entry, now);
  const wrong = troublesOf(entry, now).map(({ words }) => words);
  const words = [
    order.addresses[0] ?? id,
    ...(doing === undefined ? [] : [`${doing} is running`]),
    ...(wrong.includes(power ?? '') || doing !== undefined ? [] : [power ?? 'power not read']),
    ...wrong,
    ...(isFavorite ? [`${signs.favorite} favorite`] : []),
    ...(isProtected ? [`${signs.protected} pinned`] : []),
  ];
  const sign = doing !== undefined && grade !== 'down' ? signs.waiting : signOf(grade, power);
  const line: Span[] = [`${sign} `, { bold: label }, ` · ${words.join(' · ')}`];
  const mayOperate = accesses.some((access) => access.may('operate', orderTarget(order)));
  const options = [
    open('Status', `status ${id}`),
    runButton('Stats', `stats ${id}`),
    ...(mayOperate && power !== 'on' ? [runButton('Start…', `start ${id}`)] : []),
    ...(mayOperate && power !== 'off'
      ? [runButton('Restart…', `restart ${id}`), runButton('Stop…', `stop ${id}`)]
      : []),
    { label: favoriteLabel(isFavorite), intent: { do: 'favorite', order: id, isFavorite: !isFavorite } as const },
  ];
  return [
    { kind: 'text', text: line },
    { kind: 'menu', label: 'Actions', options },
  ];
}
