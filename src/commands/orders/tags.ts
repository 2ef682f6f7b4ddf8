import { z } from 'zod';
import { domainTarget, orderTarget, type Target } from '../../core/account/account.ts';
import { words } from '../../core/command/args.ts';
import type { DoneStep, ReadContext, WriteContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { CommandShape, RawArgs } from '../../core/grammar/shapes.ts';
import type { Ending, Plan, Receipt, Verdict } from '../../core/plan/plan.ts';
import { defined } from '../../core/text/defined.ts';
import { countOrList, firstFew, list } from '../../core/text/words.ts';
import { valueDiff } from '../../core/view/diff.ts';
import { Refusal } from '../../core/view/errors.ts';
import { dotted, type Text, text } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { parallelOf } from '../parallel.ts';
import { withoutStar } from '../without-star.ts';
import { orderLine, readOrder } from './fresh.ts';
import { weighRights } from './rights.ts';
import { type Taggable, taggables } from './taggable.ts';

/** The provider only takes the whole list of tags. */

export const anyTagSchema = z
  .string()
  .trim()
  .min(1)
  .max(64, 'a tag of at most 64 characters')
  .regex(/^[^\p{Cc},]+$/u, 'a tag in one line, without commas');

/** A tag to write. Tags made elsewhere may contain `*` and can be removed. */
export const tagSchema = withoutStar(anyTagSchema);

export const tagged = taggables({
  label: 'Server or domain',
  hint: 'Names, ids or a tag such as tag:web, with commas between.',
  example: 'web-1',
});
export const tags = words({ hint: 'The tags.', example: 'prod', schema: tagSchema, most: 30 });
export const parallel = parallelOf('orders');

export const tagStep = z.object({
  kind: z.enum(['order', 'domain']),
  id: z.string(),
  name: z.string(),
  before: z.array(z.string()),
  tags: z.array(z.string()),
});
type TagStep = z.infer<typeof tagStep>;

export function hasTag(tags: readonly string[], tag: string): boolean {
  return tags.some((candidate) => candidate.toLowerCase() === tag.toLowerCase());
}

/** A server, another order or a domain with its tags as of now. */
interface Fresh {
  readonly target: Target;
  readonly kind: TagStep['kind'];
  readonly line: Text;
}

async function readFresh(item: Taggable, reader: Reader): Promise<Fresh> {
  if (item.kind === 'order') {
    const order = await readOrder(reader, item.order);
    return { kind: 'order', target: orderTarget(order), line: orderLine(order) };
  }
  const { name } = item.domain;
  const tags = await tagsNow({ kind: 'domain', id: name, name }, reader);
  return {
    kind: 'domain',
    target: domainTarget({ name, tags }),
    line: [{ bold: name }, ` · tags: ${sayTags(tags)}`],
  };
}

async function tagsNow(
  { kind, id, name }: Pick<TagStep, 'kind' | 'id' | 'name'>,
  reader: Pick<Reader, 'orders' | 'dns'>,
): Promise<readonly string[]> {
  if (kind === 'order') return (await reader.orders.read({ order_id: id })).tags;
  const domain = (await reader.dns.domains({ q: id })).find(
    (candidate) => candidate.name.toLowerCase() === id.toLowerCase(),
  );
  if (domain !== undefined) return domain.tags;
  throw new Refusal('changed', `The provider no longer lists the domain ${name}.`);
}

const stays: Readonly<Record<TagStep['kind'], string>> = {
  order: 'Servers keep running.',
  domain: 'The records stay as they are.',
};

/** Plans one write for each order or domain whose list changes; `change` returns the new list. */
export async function planTags(
  title: (names: string) => string,
  listed: readonly Taggable[],
  parallel: number,
  change: (before: readonly string[]) => readonly string[],
  context: ReadContext<Reader>,
  /** The reason if one needs no change. */
  soAlready: (target: Target) => string,
): Promise<Plan<TagStep>> {
  const all = await Promise.all(listed.map((item) => readFresh(item, context.reader)));
  const changes = all
    .map((item) => ({ ...item, after: change(item.target.tags) }))
    .filter(({ target, after }) => !isSame(target.tags, after));
  const rights = await weighRights(
    changes.map(({ target, after }) => ({ before: target, after: { ...target, tags: after } })),
    context,
  );
  const same = all
    .filter((item) => !changes.some(({ target }) => target === item.target))
    .map(({ target }) => target.name);
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const staying = kinds.map((kind) => stays[kind]).join(' ');
  return {
    title: title(sayTagged(all.map(({ kind, target }) => ({ kind, name: target.name })))),
    subject: all.map(({ line }) => line),
    targets: all.map(({ target }) => target),
    effect: `Tags group ${kinds.map((kind) => `${kind}s`).join(' and ')} for people and for the rights of a channel. ${staying}`,
    glance: dotted([
      ...kinds.map((kind) => (kind === 'order' ? 'servers keep running' : 'the records stay')),
      same.length > 0 && changes.length > 0 ? `so already: ${firstFew(same, 6)}` : '',
      ...rights.details.map(([label, value]) => text(`${label.toLowerCase()}: `, value)),
    ]),
    details: [
      ...(same.length > 0 && changes.length > 0
        ? [['Stays', `${firstFew(same, 6)}: this is so already.`] as const]
        : []),
      ...rights.details,
    ],
    diff: changes.flatMap(({ target, after }) => valueDiff(target.name, sayTags(target.tags), sayTags(after))),
    // The tags before the change are facts: the write sends the whole list and would drop a tag added meanwhile.
    facts: {
      ...Object.fromEntries(all.map(({ target }) => [`tags of ${target.name} (${target.id})`, target.tags.toSorted()])),
      ...rights.facts,
    },
    steps: changes.map(({ kind, target, after }) => ({
      target,
      label: target.name,
      data: { kind, id: target.id, name: target.name, before: [...target.tags], tags: [...after] },
    })),
    parallel,
    ...rights.plan,
    ...(changes.length === 0
      ? {
          nothingToDo:
            all.length === 1
              ? all.map(({ target }) => soAlready(target)).join('')
              : `Nothing to change for any of them: ${firstFew(same, 6)}.`,
        }
      : {}),
  };
}

/** Reads the tags again: the write replaces the whole list and would drop a tag set since the plan. */
export async function sameTags(step: TagStep, { reader }: ReadContext<Reader>): Promise<TagStep> {
  const now = await tagsNow(step, reader);
  if (isSame(now, step.before)) return step;
  const change = `they were ${sayTags(step.before)} and are ${sayTags(now)} now`;
  throw new Refusal('changed', `The tags of ${step.name} changed meanwhile: ${change}.`);
}

export async function sendTags({ kind, id, tags }: TagStep, { provider }: WriteContext<Provider>): Promise<Receipt> {
  const answered =
    kind === 'order'
      ? await provider.orders.update({ order_id: id, tags })
      : await provider.dns.setTags({ name: id, tags });
  return { text: '', data: { tags: answered.tags } };
}

export async function readTags(step: TagStep, { reader }: ReadContext<Reader>): Promise<Verdict> {
  const now = await tagsNow(step, reader);
  return {
    is: isSame(now, step.tags) ? 'so' : 'not',
    text: now.length === 0 ? `${step.name} has no tags` : `the tags of ${step.name} are ${sayTags(now)}`,
  };
}

/** The end text, with the line that undoes the change if one line can. */
export function endOfTags(steps: readonly DoneStep<TagStep>[]): Ending {
  const added = changeOf(steps, (data) => data.tags.filter((tag) => !data.before.includes(tag)));
  const removed = changeOf(steps, (data) => data.before.filter((tag) => !data.tags.includes(tag)));
  const names = sayTagged(steps.map(({ data }) => data));
  const sentences = [
    ...(added.all.length > 0 ? [`${list(added.all)} added to ${names}`] : []),
    ...(removed.all.length > 0 ? [`${list(removed.all)} removed from ${names}`] : []),
  ];
  const undo = undoOf(steps, added, removed);
  return { text: sentences.join('; ') || `${names} tagged`, ...defined({ undo }) };
}

interface TagChange {
  readonly all: readonly string[];
  /** True if the same tags changed on all of them, so that one line can undo it. */
  readonly isEven: boolean;
}

function changeOf(steps: readonly DoneStep<TagStep>[], changed: (data: TagStep) => readonly string[]): TagChange {
  const each = steps.map((step) => changed(step.data));
  const [first = []] = each;
  return { all: [...new Set(each.flat())], isEven: each.every((tags) => isSame(tags, first)) };
}

function undoOf(steps: readonly DoneStep<TagStep>[], added: TagChange, removed: TagChange): string | undefined {
  const ids = steps.map(({ data }) => (data.kind === 'domain' ? `domain:${data.id}` : data.id));
  const isEven = steps.length === 1 || (added.isEven && removed.isEven);
  return isEven
    ? undoLine({ path: 'tag', args: { targets: tagged, tags } }, { targets: ids }, added.all, removed.all)
    : undefined;
}

/** The line that takes a change back. A tag that was set elsewhere may be none that can be typed here. */
function undoLine(
  command: CommandShape,
  about: RawArgs,
  added: readonly string[],
  removed: readonly string[],
): string | undefined {
  const canType = [...added, ...removed].every((tag) => tagSchema.safeParse(tag).success && !/^[+-]/.test(tag));
  if (!canType || added.length + removed.length === 0) return undefined;
  return lineOf(command, { ...about, tags: [...removed.map((tag) => `+${tag}`), ...added.map((tag) => `-${tag}`)] });
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.toSorted().join('\n') === b.toSorted().join('\n');
}

function sayTagged(all: readonly { readonly kind: TagStep['kind']; readonly name: string }[]): string {
  const kinds = new Set(all.map(({ kind }) => kind));
  const [only] = kinds;
  return countOrList(
    all.map(({ name }) => name),
    kinds.size === 1 && only !== undefined ? only : 'name',
  );
}

export function sayTags(tags: readonly string[]): string {
  return tags.length === 0 ? 'none' : tags.join(', ');
}
