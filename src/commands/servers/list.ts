import { z } from 'zod';
import { type Order, orderTarget } from '../../core/account/account.ts';
import { optional, words } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { quote } from '../../core/grammar/tokens.ts';
import type { PinOf } from '../../core/policy/pins.ts';
import { sentenceStart } from '../../core/text/words.ts';
import { endsSoon } from '../../core/view/days.ts';
import { Refusal } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import type { Row, Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { listView } from '../list.ts';
import { type Paged, page, paged } from '../orders/page.ts';
import { namesIn } from '../orders/table.ts';
import { pinMark } from '../pin-mark.ts';
import { withReadAt } from '../read-at.ts';
import { leftOut } from '../unreadable.ts';
import { byOrder, byPower, type Filter, readFilter } from './list-filter.ts';
import { otherList } from './other-lists.ts';
import {
  countsLine,
  powerReadsMost,
  type SeenServer,
  sayDaysLeft,
  seeServers,
  serversSeen,
  stateText,
  worstFirst,
} from './overview.ts';

export const listServers = defineQuery({
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
    page,
  },
  capability: 'read',
  visibility: 'channel',
  run: async ({ filter: typed = [], page }, context) => {
    const { now, may } = context;
    const account = await context.account();
    const filter = readFilter(typed, account.orders);
    const { live, canceled } = serversSeen(account, may);
    const all = filter.statuses.has('canceled') ? [...live, ...canceled] : live;
    const fitting = all.filter((order) => byOrder(filter, order));
    const line = (number: number) =>
      ['list', ...typed.map(retyped), ...(number > 1 ? [`page=${number}`] : [])].join(' ');
    const row = rowsOf(all, now, await context.bot.pins());
    const cut = (seen: readonly SeenServer[]) => paged(seen, page, { row, lineOf: line });
    const { read, shown, where } = await lookAt(fitting, filter, cut, context);
    const counts = [
      `${countsLine(read, all.length)}${where.note}`,
      ...(all === live && canceled.length > 0 ? [`${canceled.length} canceled not shown`] : []),
    ].join(' · ');
    const other = otherList(typed);
    const startable = shown.filter(
      ({ order, power, isOffAsUsual }) =>
        power === 'off' && !isOffAsUsual && order.status === 'active' && may('operate', orderTarget(order)),
    );
    const view = await listView({
      all: shown,
      columns: [{ name: 'Name' }, { name: 'State' }, { name: 'Paid' }],
      row,
      instead: nothing(typed, all.length),
      total: counts,
      foot: () => withReadAt(counts, account.readAt),
      above: leftOut(account, 'order', may),
      after: [
        {
          kind: 'buttons',
          buttons: [
            ...where.buttons,
            ...(shown.length === 0 && other !== undefined ? [runButton(sentenceStart(other), other)] : []),
            ...(shown.length === 0 && all.length > 0 ? [runButton('All servers', 'list')] : []),
            ...startable.slice(0, 3).map(({ order }) => runButton(`Start ${order.label}`, `start ${order.id}`)),
          ],
        },
      ],
    });
    return { ...view, ...where.more };
  },
});

interface Page {
  /** All matching servers, for the counts. */
  readonly read: readonly SeenServer[];
  readonly shown: readonly SeenServer[];
  readonly where: Paged<SeenServer>;
}

/** Reads the power of all servers and sorts by it; with too many, reads only the page's. */
async function lookAt(
  fitting: readonly Order[],
  filter: Filter,
  cut: (seen: readonly SeenServer[]) => Paged<SeenServer>,
  context: ReadContext<Reader>,
): Promise<Page> {
  const { now } = context;
  if (fitting.length <= powerReadsMost) {
    const all = await seeServers(fitting, context);
    const read = worstFirst(
      all.filter((server) => byPower(filter, server.power)),
      now,
    );
    const where = cut(read);
    return { read, shown: where.rows, where };
  }
  if (filter.powers.size > 0) {
    throw new Refusal('impossible', `Reading the power of ${fitting.length} servers at once is too much.`, {
      hint: `Narrow it down to ${powerReadsMost}, by a tag for example.`,
      field: 'filter',
    });
  }
  const unread = worstFirst(
    fitting.map((order) => ({ order, power: undefined })),
    now,
  );
  const where = cut(unread);
  const { rows: orders } = where;
  const seen = orders.map(({ order }) => order);
  const shown = worstFirst(await seeServers(seen, context), now);
  const others = unread.filter((server) => !orders.includes(server));
  return { read: [...shown, ...others], shown, where };
}

/** Draws rows. The status of a server has its addresses and tags. */
function rowsOf(all: readonly Order[], now: number, pinOf: PinOf): (seen: SeenServer) => Row {
  const nameOf = namesIn(all);
  return (seen) => [
    `${nameOf(seen.order)}${pinMark(pinOf, orderTarget(seen.order))}`,
    stateText(seen),
    paidText(seen.order, now),
  ];
}

function paidText(order: Order, now: number): string {
  return `${endsSoon(order.expires, now) ? `${signs.warning} ` : ''}${sayDaysLeft(order, now)}${order.isCancelMarked ? ', then canceled' : order.status === 'noprolong' ? ', not renewed' : ''}`;
}

function nothing(typed: readonly string[], all: number): Text {
  if (all === 0) return 'There is no server here that you may see.';
  return ['No server fits ', { code: typed.join(' ') }, '.'];
}

/** Keeps `tag:web` as typed, since it is not an option of this command. */
function retyped(word: string): string {
  return /^(tag|project|plan):[\p{L}\p{N}_.*-]+$/u.test(word) ? word : quote(word);
}
