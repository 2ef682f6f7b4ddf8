import { z } from 'zod';
import { hasAddress, namesOf, type Order } from '../../core/account/account.ts';
import { orderStatuses, type Power } from '../../core/account/trouble.ts';
import { type Arg, type CommonArg, optional, words } from '../../core/command/args.ts';
import { matches } from '../../core/policy/evaluate.ts';
import { isAll } from '../../core/targets/targets.ts';
import { wordSet } from '../../core/text/words.ts';

/** `list tag:web off`: powers are alternatives, as are statuses; every other word must match. */
export type Filter = ReturnType<typeof readFilter>;

/** `list all servers that are off` */
const noise = wordSet('servers server vps please that which are is currently the do we i have there with in our my');
const powers = ['on', 'off', 'unknown'];
const otherPowers = new Map(Object.entries({ down: 'off', stopped: 'off', running: 'on', up: 'on' }));

/** Parses words as typed, of which some may be ids of these orders. */
export function readFilter(wanted: readonly string[], orders: readonly Order[]) {
  const typed = withPrefix(wanted.map((word) => word.toLowerCase().replace(/(?<=.)\?$/, ''))).map(
    (word) => otherPowers.get(word) ?? word.replace(/^cancel+ed$/, 'canceled'),
  );
  const ofPower = typed.filter((word) => powers.includes(word));
  const statuses = typed.filter((word) => orderStatuses.includes(word));
  const rest = typed.filter((word) => !powers.includes(word) && !orderStatuses.includes(word));
  const others = rest.map((word) => fitOf(word, orders));
  return {
    words: typed,
    isKnown: (word: string) => !rest.includes(word) || orders.some(fitOf(word, orders)),
    isOfPower: ofPower.length > 0,
    isOfCanceled: statuses.includes('canceled'),
    hasPower: (power: Power) => ofPower.length === 0 || ofPower.includes(power),
    fits: (order: Order) =>
      (statuses.length === 0 || statuses.includes(order.status)) && others.every((fits) => fits(order)),
  };
}

/** The words that narrow a list. `longest`: the maximum of characters in each. */
export function filterWords(common: CommonArg, longest: number): Arg<readonly string[] | undefined> {
  return optional(words({ ...common, schema: z.string().max(longest, 'a shorter word'), most: 10 }));
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

/** True for orders with the lower-case word in their id, names or addresses, or as a tag, project, plan or status. */
export function contains(word: string): (order: Order) => boolean {
  const isThere = hasAddress(word);
  return (order) =>
    namesOf(order).some((name) => name.toLowerCase().includes(word)) ||
    wordsOf(order).some((name) => name.toLowerCase() === word) ||
    isThere(order);
}

/** The words of which each finds the order alone. */
export const wordsOf = (own: Order) => [...namesOf(own), ...own.tags, own.project?.name ?? '', own.plan, own.status];
