import { type Order, orderTarget, type Project } from '../../core/account/account.ts';
import { orderStatuses, sayStatus, statusText } from '../../core/account/trouble.ts';
import { type Arg, choice, flag, option, project, text, type ValuesOf } from '../../core/command/args.ts';
import { span } from '../../core/command/time-args.ts';
import { count, day, money, monthly, sayDuration } from '../../core/text/words.ts';
import { spanOf } from '../../core/time/time-words.ts';
import { daysUntil } from '../../core/view/days.ts';
import { Refusal } from '../../core/view/errors.ts';
import { type Row, runButton } from '../../core/view/view.ts';
import { optionOf } from '../args.ts';
import { type CommandContext, defineList, moneyRead, withReadAt } from '../define.ts';
import { leftOut } from '../left-out.ts';
import { mustName } from '../must-name.ts';
import { protectionMark } from '../protection-mark.ts';
import { contains, filterWords, wordsOf } from '../servers/list-filter.ts';
import { costOf, inTroubleFirst, kindWord, markedIds } from './read-order.ts';

/** A list of orders. The card of an order has its id, plan, tags and project. */
export async function orderList(all: readonly Order[], context: Pick<CommandContext, 'bot' | 'currency' | 'now'>) {
  const { now } = context;
  const [currency, protectionOf] = await Promise.all([context.currency(), context.bot.protections()]);
  const nameOf = namesIn(all);
  return {
    all,
    columns: [{ name: 'Name' }, { name: 'Status' }, { name: 'Paid' }],
    row: (order: Order): Row => [
      `${nameOf(order)}${protectionMark(protectionOf, orderTarget(order))} · ${kindWord(order)}`,
      statusText(order),
      `${order.status === 'canceled' ? 'canceled' : sayDaysLeft(order, now)} · ${monthly(order.costMonth, currency)}`,
    ],
    showOne: ({ label, id }: Order) => runButton(label, `order ${id}`),
  } as const;
}

/** Names orders. The id tells those of one name apart. */
export function namesIn(all: readonly Order[]): (order: Order) => string {
  const sharing = Map.groupBy(all, ({ label }) => label);
  return ({ label, id }) => ((sharing.get(label)?.length ?? 0) > 1 ? `${label} (${id})` : label);
}

/** `19 days`; the provider's dates are exact to days only. */
export function sayDaysLeft(order: Order, now: number): string {
  const days = daysUntil(order.expires, now);
  if (days === undefined) return 'unknown';
  return days < 0 ? 'past' : days === 0 ? 'today' : count(days, 'day');
}

/** A project by name or id, or the word `none`. */
export function projectOrNone(common: Parameters<typeof project>[0]): Arg<Project | null> {
  const arg = project(common);
  return {
    ...arg,
    source: 'projects-or-none',
    read: (words, reading) => (words.join(' ').trim().toLowerCase() === 'none' ? null : arg.read(words, reading)),
    show: (value) => (value === null ? ['none'] : arg.show(value)),
    targets: (value) => (value === null ? [] : arg.targets(value)),
  };
}

const filterArgs = {
  filter: filterWords({ hint: 'Such as expiring 14d, blocked, canceled, or part of a name.' }, 80),
  expiring: optionOf(span)({
    hint: 'Only orders whose paid period ends within this time, such as 14d.',
    minMs: day,
    maxMs: 3_650 * day,
  }),
  status: option(choice({ hint: 'Only orders with this status.', of: orderStatuses })),
  tag: option(text({ hint: 'Only orders with this tag.' })),
  type: option(text({ hint: 'Only orders of this type, such as vps or domain.' })),
  project: option(projectOrNone({ hint: 'Only orders of this project, or none.' })),
  canceled: flag({ hint: 'Only orders that will be canceled.' }),
};

/** `expiring within 14 days`, whether an order is so, and the word, if it names something in the account. */
type Criterion = readonly [say: string, fits: (order: Order, now: number) => boolean, word?: string];

function orderFilter(wanted: ValuesOf<typeof filterArgs>) {
  const { expiring, project } = wanted;
  const keyed = (['status', 'tag', 'type'] as const).flatMap((key) => (wanted[key] ? [`${key}:${wanted[key]}`] : []));
  const criteria: Criterion[] = [
    ...(expiring === undefined ? [] : [expiringWithin(expiring)]),
    ...(project === undefined ? [] : [inProject(project)]),
  ];
  let onlyMarked = wanted.canceled;
  const rest = [...keyed, ...(wanted.filter ?? [])];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const lower = word.toLowerCase();
    if (/^(?:ordering|order_by|sort)[=:]/.test(lower))
      throw new Refusal('impossible', 'The list has one order: what needs attention comes first.', {
        hint: 'Filter it, like `orders expiring 14d`.',
      });
    if (/^(cancel+ed|marked)$/.test(lower)) onlyMarked = true;
    else if (lower === 'expiring') {
      const spanMs = spanOf(rest[0]?.toLowerCase() ?? '');
      if (spanMs !== undefined) rest.shift();
      criteria.push(expiringWithin(spanMs ?? 14 * day));
    } else criteria.push(fromWord(word));
  }
  if (onlyMarked) criteria.push(['marked to be canceled', () => true]);
  return {
    /** `expiring within 14 days, tagged web`; empty without a filter. */
    say: criteria.map(([say]) => say).join(', '),
    fits: (order: Order, now: number) => criteria.every(([, fits]) => fits(order, now)),
    /** Only orders marked for cancellation, by the provider's own filter, since its lists may lack the mark. */
    onlyMarked,
    unknownAmong: (orders: readonly Order[]) =>
      criteria.flatMap(([, fits, word = '']) => (word === '' || orders.some((order) => fits(order, 0)) ? [] : [word])),
  };
}

const byKey = new Map(Object.entries({ tag: withTag, status: withStatus, type: ofType }));

function fromWord(word: string): Criterion {
  const [, key = '', value = ''] = /^(\p{L}+):(.+)$/u.exec(word) ?? [];
  const keyed = byKey.get(key.toLowerCase());
  if (keyed !== undefined) return keyed(value);
  return orderStatuses.includes(word.toLowerCase()) ? withStatus(word) : containing(word);
}

function expiringWithin(spanMs: number): Criterion {
  const fits = ({ expires, status }: Order, now: number) => {
    const days = daysUntil(expires, now);
    return status !== 'canceled' && days !== undefined && days * day <= spanMs;
  };
  return [`expiring within ${sayDuration(spanMs)}`, fits];
}

/** People spell `canceled` both ways. */
function withStatus(word: string): Criterion {
  const wanted = word.toLowerCase() === 'cancelled' ? 'canceled' : word.toLowerCase();
  if (!orderStatuses.includes(wanted)) return containing(`status:${word}`);
  return [`status ${wanted}`, ({ status }) => status === wanted];
}

function withTag(tag: string): Criterion {
  return [`tagged ${tag}`, ({ tags }) => tags.some((own) => own.toLowerCase() === tag.toLowerCase()), `tag:${tag}`];
}

function ofType(type: string): Criterion {
  const bare = (word: string) => word.toLowerCase().replace(/[_-]/g, ' ');
  const words = (order: Order) => [order.type, order.kind, kindWord(order)].map(bare);
  return [`type ${type}`, (order) => words(order).includes(bare(type)), `type:${type}`];
}

function inProject(wanted: Project | null): Criterion {
  return [wanted === null ? 'in no project' : `in ${wanted.name}`, ({ project }) => project?.id === wanted?.id];
}

function containing(word: string): Criterion {
  const wanted = word.toLowerCase();
  const isNamed = contains(wanted);
  const [, isOfType] = ofType(word);
  const fits = (order: Order) => isNamed(order) || isOfType(order, 0) || order.plan.toLowerCase().includes(wanted);
  return [`with "${word}"`, fits, word];
}

export const orders = defineList({
  path: 'orders',
  words: `| order · renewal · subscription · contract · expiring · bought · everything ordered | what expire · will
    be renewed · what is expiring · next renewal · due soon · have bought · have ordered · must pay soon · pay soon ·
    anything run out · did we order · did we buy · order end · contract end`,
  title: 'Find orders',
  summary: 'List or filter orders, those that need attention first',
  examples: ['orders expiring 14d', 'orders tag:prod status:active'],
  alsoSays: ['this', 'next', 'week', 'month', 'soon'],
  args: filterArgs,
  ...moneyRead,
  list: async (wanted, context, show) => {
    const { reader, account, currency, may, now } = context;
    const filter = orderFilter(wanted);
    const whole = await account();
    const marked = filter.onlyMarked ? await markedIds(reader) : undefined;
    const readable = whole.orders.filter((order) => may('read', orderTarget(order)));
    const fitting = readable
      .map((order) => (marked?.has(order.id) ? { ...order, isCancelMarked: true } : order))
      .filter((order) => (marked === undefined || marked.has(order.id)) && filter.fits(order, now));
    const all = inTroubleFirst(fitting, now);
    const odd = leftOut(whole, 'order', may);
    const unknown = all.length + odd.length > 0 ? [] : filter.unknownAmong(readable);
    const words = [...(wanted.filter ?? []), ...unknown];
    mustName('orders', { words, names: readable.flatMap(wordsOf), isKnown: (word) => !unknown.includes(word) });
    const isAll = filter.say === '';
    const byStatus = Map.groupBy(all, ({ status }) => status);
    const tally = [...byStatus].map(([status, those]) => `${those.length} ${sayStatus(status)}`);
    const none = isAll ? 'There are no orders you may see here.' : `No order fits: ${filter.say}.`;
    const total = `${count(all.length, 'order')}${isAll ? '' : ` (${filter.say})`}: ${tally.join(', ')}`;
    const cost = `${money(costOf(all), await currency())} a month`;
    return show({
      ...(await orderList(all, context)),
      instead: none,
      total: all.length === 0 ? none : total,
      foot: (note) => withReadAt(all.length === 0 ? '' : `${total} · ${cost}${note}`, whole.readAt),
      above: odd,
      buttons: [
        ...(isAll && all.length > 0 ? [runButton('Expiring', 'orders expiring 14d')] : []),
        ...(isAll || all.length > 0 ? [] : [runButton('All orders', 'orders')]),
      ],
    });
  },
});
