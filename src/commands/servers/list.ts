import { liveServers, type Order, orderTarget } from '../../core/account/account.ts';
import { type SeenServer, stateText, withoutPower, worstFirst } from '../../core/account/trouble.ts';
import type { ProtectionOf } from '../../core/policy/protection.ts';
import { byNumbers, sentenceStart } from '../../core/text/words.ts';
import { endsSoon } from '../../core/view/days.ts';
import { impossible } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import { type Row, runButton } from '../../core/view/view.ts';
import { type CommandContext, channelRead, defineList, paged, withReadAt } from '../define.ts';
import { leftOut } from '../left-out.ts';
import { mustName } from '../must-name.ts';
import { namesIn, sayDaysLeft } from '../orders/list.ts';
import { protectionMark } from '../protection-mark.ts';
import { type Filter, filterWords, readFilter, wordsOf } from './list-filter.ts';
import { countsLine, powerReadsMost, seeServersToShow } from './see-servers.ts';

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
  ['pinned', 'pins'],
  ['plans', 'catalog'],
  ['projects', 'project list'],
  ['requests', 'requests'],
  ['tickets', 'ticket list'],
  ['zones', 'dns domains'],
]);

const hint = 'Such as tag:web, project:Shop, off, blocked, web*, or part of a name or address. All must fit.';

export const listServers = defineList({
  path: 'list',
  words: `list · ls | server · machine · vps · instance · node · droplet · vm · host · pod · computer · fleet |
    server in project · server off = off · server down = off · are off = off · are down = off · are stopped = off ·
    server on = on · are on = on · are up = on · are running = on · list servers · list all servers · how many server ·
    which server · what server · all server · ps · anything down = off · anything off = off · what is down = off ·
    get node · what boxes · which boxes · all boxes · list boxes · every machine`,
  title: 'Servers',
  summary: 'List all servers, the ones in trouble first',
  examples: ['list', 'list tag:web on'],
  args: { filter: filterWords({ hint, example: 'tag:web' }, 100) },
  ...channelRead,
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
    const onPage: OnPage = (seen) => paged(seen, row, { at: page, lineOf: String }).rows;
    const seen = await readServers(fitting, filter, onPage, context);
    const shown = onPage(seen);
    const counts = countsLine(seen, all.length);
    const hidden = all.length < every.length ? ` · ${every.length - all.length} canceled not shown` : '';
    const lists = shown.length > 0 ? [] : typed.flatMap((word) => otherLists.get(word.toLowerCase()) ?? []);
    const odd = leftOut(account, 'order', may);
    const names = fitting.length + odd.length > 0 ? [] : every.flatMap(wordsOf);
    mustName('list', { ...filter, names }, [...lists.slice(0, 1), 'list']);
    const startable = shown.filter(
      ({ order, power, isWanted }) =>
        power === 'off' && isWanted !== true && order.status === 'active' && may('operate', orderTarget(order)),
    );
    return show({
      all: seen,
      columns: [{ name: 'Name' }, { name: 'State' }, { name: 'Paid' }],
      row,
      instead:
        all.length === 0
          ? 'There is no server here that you may see.'
          : ['No server fits ', { code: typed.join(' ') }, '.'],
      total: `${counts}${hidden}`,
      foot: (note) => withReadAt(`${counts}${note}${hidden}`, account.readAt),
      above: odd,
      buttons: [
        ...lists.slice(0, 1).map((list) => runButton(sentenceStart(list), list)),
        ...(shown.length === 0 && all.length > 0 ? [runButton('All servers', 'list')] : []),
        ...startable.slice(0, 3).map(({ order }) => runButton(`Start ${order.label}`, `start ${order.id}`)),
      ],
    });
  },
});

type OnPage = (seen: readonly SeenServer[]) => readonly SeenServer[];

/** Reads the power of all servers and sorts by it; with too many, reads only the page's. */
async function readServers(fitting: readonly Order[], filter: Filter, onPage: OnPage, context: CommandContext) {
  const { now } = context;
  if (fitting.length <= powerReadsMost) {
    const all = await seeServersToShow(fitting, context);
    return worstFirst(all, now).filter(({ power }) => filter.hasPower(power));
  }
  if (filter.isOfPower) {
    const hint = `Narrow it down to ${powerReadsMost}, by a tag for example.`;
    throw impossible(`Reading the power of ${fitting.length} servers at once is too much.`, hint, 'filter');
  }
  const unread = worstFirst(fitting.map(withoutPower), now);
  const shown = onPage(unread);
  const orders = shown.map(({ order }) => order);
  const read = await seeServersToShow(orders, context);
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
