import { z } from 'zod';
import { type Order, orderTarget } from '../../core/account/account.ts';
import { orders, words } from '../../core/command/args.ts';
import type { DoneStep, ReadContext, WriteContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { CommandShape, RawArgs } from '../../core/grammar/shapes.ts';
import type { Ending, Plan, Receipt, Verdict } from '../../core/plan/plan.ts';
import { defined } from '../../core/text/defined.ts';
import { firstFew, list } from '../../core/text/words.ts';
import { valueDiff } from '../../core/view/diff.ts';
import { Refusal } from '../../core/view/errors.ts';
import { dotted, text } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { parallelOf } from '../parallel.ts';
import { withoutStar } from '../without-star.ts';
import { everyKind, orderLine, readOrder, sayOrders } from './fresh.ts';
import { weighRights } from './rights.ts';

/** The provider only takes the whole list of tags. */

export const anyTagSchema = z
  .string()
  .trim()
  .min(1)
  .max(64, 'a tag of at most 64 characters')
  .regex(/^[^\p{Cc},]+$/u, 'a tag in one line, without commas');

/** A tag to write. Tags made elsewhere may contain `*` and can be removed. */
export const tagSchema = withoutStar(anyTagSchema);

export const tagged = orders({
  hint: 'Names, ids or a tag such as tag:web, with commas between.',
  example: 'web-1',
  kinds: everyKind,
  place: 'word',
});
export const tags = words({ hint: 'The tags.', example: 'prod', schema: tagSchema, most: 30 });
export const parallel = parallelOf('orders');

export const tagStep = z.object({
  id: z.string(),
  name: z.string(),
  before: z.array(z.string()),
  tags: z.array(z.string()),
});
type TagStep = z.infer<typeof tagStep>;

export function hasTag(tags: readonly string[], tag: string): boolean {
  return tags.some((known) => known.toLowerCase() === tag.toLowerCase());
}

/** Plans one write for each order whose list changes; `change` returns the new list. */
export async function planTags(
  title: (names: string) => string,
  known: readonly Order[],
  parallel: number,
  change: (before: readonly string[]) => readonly string[],
  context: ReadContext<Reader>,
  /** The reason if an order needs no change. */
  soAlready: (order: Order) => string = (order) => `${order.label} has these tags already: ${sayTags(order.tags)}.`,
): Promise<Plan<TagStep>> {
  const all = await Promise.all(known.map((order) => readOrder(context.reader, order)));
  const changes = all
    .map((order) => ({ order, after: change(order.tags) }))
    .filter(({ order, after }) => !isSame(order.tags, after));
  const rights = await weighRights(
    changes.map(({ order, after }) => ({ before: orderTarget(order), after: { ...orderTarget(order), tags: after } })),
    context,
  );
  const same = all.filter((order) => !changes.some((one) => one.order === order)).map((order) => order.label);
  return {
    title: title(sayOrders(all.map((order) => order.label))),
    subject: all.map(orderLine),
    targets: all.map(orderTarget),
    effect: 'Tags group orders for people and for the rights of a channel. Servers keep running.',
    glance: dotted([
      'servers keep running',
      same.length > 0 && changes.length > 0 ? `so already: ${firstFew(same, 6)}` : '',
      ...rights.details.map(([label, value]) => text(`${label.toLowerCase()}: `, value)),
    ]),
    details: [
      ...(same.length > 0 && changes.length > 0
        ? [['Stays', `${firstFew(same, 6)}: this is so already.`] as const]
        : []),
      ...rights.details,
    ],
    diff: changes.flatMap(({ order, after }) => valueDiff(order.label, sayTags(order.tags), sayTags(after))),
    // The tags before the change are facts: the write sends the whole list and would drop a tag added meanwhile.
    facts: {
      ...Object.fromEntries(all.map((order) => [`tags of ${order.label} (${order.id})`, order.tags.toSorted()])),
      ...rights.facts,
    },
    steps: changes.map(({ order, after }) => ({
      target: orderTarget(order),
      label: order.label,
      data: { id: order.id, name: order.label, before: [...order.tags], tags: [...after] },
    })),
    parallel,
    ...rights.plan,
    ...(changes.length === 0
      ? {
          nothingToDo:
            all.length === 1 ? all.map(soAlready).join('') : `Nothing to change for any of them: ${firstFew(same, 6)}.`,
        }
      : {}),
  };
}

/** Reads the tags again: the write replaces the whole list and would drop a tag set since the plan. */
export async function sameTags(step: TagStep, { reader }: ReadContext<Reader>): Promise<TagStep> {
  const { tags: now } = await reader.orders.read({ order_id: step.id });
  if (isSame(now, step.before)) return step;
  const change = `they were ${sayTags(step.before)} and are ${sayTags(now)} now`;
  throw new Refusal('changed', `The tags of ${step.name} changed meanwhile: ${change}.`);
}

export async function sendTags(step: TagStep, { provider }: WriteContext<Provider>): Promise<Receipt> {
  const answered = await provider.orders.update({ order_id: step.id, tags: step.tags });
  return { text: '', data: { tags: answered.tags } };
}

export async function readTags(step: TagStep, { reader }: ReadContext<Reader>): Promise<Verdict> {
  const { tags: now } = await reader.orders.read({ order_id: step.id });
  return {
    is: isSame(now, step.tags) ? 'so' : 'not',
    text: now.length === 0 ? `${step.name} has no tags` : `the tags of ${step.name} are ${sayTags(now)}`,
  };
}

/** The end text, with the line that undoes the change if one line can. */
export function endOfTags(steps: readonly DoneStep<TagStep>[]): Ending {
  const added = changeOf(steps, (data) => data.tags.filter((tag) => !data.before.includes(tag)));
  const removed = changeOf(steps, (data) => data.before.filter((tag) => !data.tags.includes(tag)));
  const names = sayOrders(steps.map((step) => step.data.name));
  const said = [
    ...(added.all.length > 0 ? [`${list(added.all)} added to ${names}`] : []),
    ...(removed.all.length > 0 ? [`${list(removed.all)} removed from ${names}`] : []),
  ];
  const undo = undoOf(steps, added, removed);
  return { text: said.join('; ') || `${names} tagged`, ...defined({ undo }) };
}

interface TagChange {
  readonly all: readonly string[];
  /** True if the same tags changed on every order, so that one line can undo it. */
  readonly isEven: boolean;
}

function changeOf(steps: readonly DoneStep<TagStep>[], changed: (data: TagStep) => readonly string[]): TagChange {
  const each = steps.map((step) => changed(step.data));
  const [first = []] = each;
  return { all: [...new Set(each.flat())], isEven: each.every((tags) => isSame(tags, first)) };
}

function undoOf(steps: readonly DoneStep<TagStep>[], added: TagChange, removed: TagChange): string | undefined {
  const ids = steps.map((step) => step.data.id);
  const isEven = steps.length === 1 || (added.isEven && removed.isEven);
  return isEven
    ? undoLine({ path: 'tag', args: { orders: tagged, tags } }, { orders: ids }, added.all, removed.all)
    : undefined;
}

/** The line that takes a change back. A tag that was set elsewhere may be none that can be typed here. */
export function undoLine(
  command: CommandShape,
  about: RawArgs,
  added: readonly string[],
  removed: readonly string[],
): string | undefined {
  const canType = [...added, ...removed].every((tag) => tagSchema.safeParse(tag).success && !/^[+-]/.test(tag));
  if (!canType || added.length + removed.length === 0) return undefined;
  return lineOf(command, { ...about, tags: [...removed.map((tag) => `+${tag}`), ...added.map((tag) => `-${tag}`)] });
}

export function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.toSorted().join('\n') === b.toSorted().join('\n');
}

export function sayTags(tags: readonly string[]): string {
  return tags.length === 0 ? 'none' : tags.join(', ');
}
