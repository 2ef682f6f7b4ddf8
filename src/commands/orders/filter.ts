import { hasAddress, namesOf, type Order, type Project } from '../../core/account/account.ts';
import { orderStatuses } from '../../core/account/trouble.ts';
import { nearest } from '../../core/text/nearest.ts';
import { day, sayDuration } from '../../core/text/words.ts';
import { spanOf } from '../../core/time/time-words.ts';
import { daysUntil } from '../../core/view/days.ts';
import { Refusal } from '../../core/view/errors.ts';
import { kindWord } from './fresh.ts';

export interface OrderFilterArgs {
  /** Words as typed: `expiring 14d`, `blocked`, `tag:web`, or part of a name. */
  readonly filter: readonly string[];
  readonly expiring: number | undefined;
  readonly status: string | undefined;
  readonly tag: string | undefined;
  readonly type: string | undefined;
  readonly project: Project | null | undefined;
  readonly canceled: boolean;
}

export interface OrderFilter {
  /** `expiring within 14 days, tagged web`; empty without a filter. */
  readonly say: string;
  readonly fits: (order: Order, now: number) => boolean;
  /** Only orders marked for cancellation, by the provider's own filter, since its lists may lack the mark. */
  readonly onlyMarked: boolean;
}

interface Criterion {
  readonly say: string;
  readonly fits: (order: Order, now: number) => boolean;
}

const defaultSpanMs = 14 * day;

export function orderFilter(filterArgs: OrderFilterArgs): OrderFilter {
  const criteria: Criterion[] = [];
  if (filterArgs.expiring !== undefined) criteria.push(expiringWithin(filterArgs.expiring));
  if (filterArgs.status !== undefined) criteria.push(withStatus(filterArgs.status));
  if (filterArgs.tag !== undefined) criteria.push(withTag(filterArgs.tag));
  if (filterArgs.type !== undefined) criteria.push(ofType(filterArgs.type));
  if (filterArgs.project !== undefined) criteria.push(inProject(filterArgs.project));
  let onlyMarked = filterArgs.canceled;
  const words = [...filterArgs.filter];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const lower = word.toLowerCase();
    if (/^(?:ordering|order_by|sort)[=:]/.test(lower))
      throw new Refusal('impossible', 'The list has one order: what needs attention comes first.', {
        hint: 'Filter it, like `orders expiring 14d`.',
      });
    if (/^(cancel+ed|marked)$/.test(lower)) onlyMarked = true;
    else if (lower === 'expiring') {
      const spanMs = spanOf(words[0]?.toLowerCase() ?? '');
      if (spanMs !== undefined) words.shift();
      criteria.push(expiringWithin(spanMs ?? defaultSpanMs));
    } else criteria.push(fromWord(word));
  }
  if (onlyMarked) criteria.push({ say: 'marked to be canceled', fits: () => true });
  return {
    say: criteria.map((criterion) => criterion.say).join(', '),
    fits: (order, now) => criteria.every((criterion) => criterion.fits(order, now)),
    onlyMarked,
  };
}

const byKey: Readonly<Record<string, (value: string) => Criterion>> = {
  tag: withTag,
  status: withStatus,
  type: ofType,
};

function fromWord(word: string): Criterion {
  const [, key = '', value = ''] = /^(\p{L}+):(.+)$/u.exec(word) ?? [];
  const keyed = byKey[key.toLowerCase()];
  if (keyed !== undefined) return keyed(value);
  const status = orderStatuses.find((candidate) => candidate === word.toLowerCase());
  return status === undefined ? containing(word) : withStatus(status);
}

function expiringWithin(spanMs: number): Criterion {
  return {
    say: `expiring within ${sayDuration(spanMs)}`,
    fits: (order, now) => {
      const days = daysUntil(order.expires, now);
      return order.status !== 'canceled' && days !== undefined && days * day <= spanMs;
    },
  };
}

/** People spell `canceled` both ways. */
function withStatus(word: string): Criterion {
  const wanted = word.toLowerCase() === 'cancelled' ? 'canceled' : word.toLowerCase();
  if (!orderStatuses.includes(wanted)) {
    const near = nearest(wanted, orderStatuses);
    throw new Refusal('bad_value', `\`${word.slice(0, 40)}\` is no status of an order: ${orderStatuses.join(', ')}.`, {
      ...(near ? { hint: `Did you mean ${near}?` } : {}),
      field: 'filter',
    });
  }
  return { say: `status ${wanted}`, fits: (order) => order.status === wanted };
}

function withTag(tag: string): Criterion {
  return {
    say: `tagged ${tag}`,
    fits: (order) => order.tags.some((candidate) => candidate.toLowerCase() === tag.toLowerCase()),
  };
}

function ofType(type: string): Criterion {
  const wanted = type.toLowerCase().replace(/[_-]/g, ' ');
  return {
    say: `type ${type}`,
    fits: (order) =>
      [order.type, order.kind, kindWord(order)].some((word) => word.toLowerCase().replace(/[_-]/g, ' ') === wanted),
  };
}

function inProject(project: Project | null): Criterion {
  return {
    say: project === null ? 'in no project' : `in ${project.name}`,
    fits: (order) => (order.project?.id ?? null) === (project?.id ?? null),
  };
}

function containing(word: string): Criterion {
  const wanted = word.toLowerCase();
  const isThere = hasAddress(wanted);
  return {
    say: `with "${word}"`,
    fits: (order) =>
      isThere(order) || [...namesOf(order), order.plan].some((text) => text.toLowerCase().includes(wanted)),
  };
}
