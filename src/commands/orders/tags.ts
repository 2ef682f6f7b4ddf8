import { z } from 'zod';
import { domainTarget, orderTarget, type Target } from '../../core/account/account.ts';
import type { DoneStep, ReadContext, WriteContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { Ending, Plan, Receipt, Verdict } from '../../core/plan/plan.ts';
import { defined } from '../../core/text/defined.ts';
import { countOrList, firstFew, list } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { valueDiff } from '../../core/view/value-diff.ts';
import { dotted, type Text, text } from '../../core/view/view.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { orderLine, readOrder } from './read-order.ts';
import { weighRights } from './rights.ts';
import { type SignedChange, sayTags, signedTags, soAlready, tagSchema, titleOfTags } from './signed-tags.ts';
import { type Taggable, taggables } from './taggable.ts';

/** The provider only takes the whole list of tags. */

export const tagged = taggables({
  label: 'Server or domain',
  hint: 'Names, ids or a tag such as tag:web, with commas between.',
  example: 'web-1',
});

export const tagStep = z.object({
  kind: z.enum(['order', 'domain']),
  id: z.string(),
  name: z.string(),
  before: z.array(z.string()),
  tags: z.array(z.string()),
});
type TagStep = z.infer<typeof tagStep>;

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
  return { kind: 'domain', target: domainTarget({ name, tags }), line: [{ bold: name }, ` · tags: ${sayTags(tags)}`] };
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

/** The words for the rest, on the card and in its details. */
const stays = {
  order: ['servers keep running', 'Servers keep running.'],
  domain: ['the records stay', 'The records stay as they are.'],
} as const;

/** Plans one write for each order or domain whose list changes. */
export async function planTags(
  change: SignedChange,
  listed: readonly Taggable[],
  parallel: number,
  context: ReadContext<Reader>,
): Promise<Plan<TagStep>> {
  const all = await Promise.all(listed.map((item) => readFresh(item, context.reader)));
  const changes = all
    .map((item) => ({ ...item, after: change.to(item.target.tags) }))
    .filter(({ target, after }) => !isSame(target.tags, after));
  const rights = await weighRights(
    changes.map(({ target, after }) => ({ before: target, after: { ...target, tags: after } })),
    context,
  );
  const same = all.filter((item) => !changes.some(({ target }) => target === item.target));
  const sameNames = firstFew(same, 6, ({ target }) => target.name);
  const areSomeSame = same.length > 0 && changes.length > 0;
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const nothing =
    all.length === 1
      ? all.map(({ target }) => soAlready(change, target.name, target.tags)).join('')
      : `Nothing to change for any of them: ${sameNames}.`;
  return {
    title: titleOfTags(change, sayTagged(all.map(({ kind, target }) => ({ kind, name: target.name })))),
    subject: all.map(({ line }) => line),
    targets: all.map(({ target }) => target),
    effect: `Tags group ${kinds.map((kind) => `${kind}s`).join(' and ')} for people and for the rights of a channel. ${kinds.map((kind) => stays[kind][1]).join(' ')}`,
    glance: dotted([
      ...kinds.map((kind) => stays[kind][0]),
      areSomeSame ? `so already: ${sameNames}` : '',
      ...rights.details.map(([label, value]) => text(`${label.toLowerCase()}: `, value)),
    ]),
    details: [...(areSomeSame ? [['Stays', `${sameNames}: this is so already.`] as const] : []), ...rights.details],
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
    ...(changes.length === 0 ? { nothingToDo: nothing } : {}),
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

/** The end text, with the line that undoes the change if one line can: the same tags changed on all of them. */
export function endOfTags(steps: readonly DoneStep<TagStep>[]): Ending {
  const added = steps.map(({ data }) => data.tags.filter((tag) => !data.before.includes(tag)));
  const removed = steps.map(({ data }) => data.before.filter((tag) => !data.tags.includes(tag)));
  const [plus, minus] = [[...new Set(added.flat())], [...new Set(removed.flat())]];
  const names = sayTagged(steps.map(({ data }) => data));
  const sentences = [
    ...(plus.length > 0 ? [`${list(plus)} added to ${names}`] : []),
    ...(minus.length > 0 ? [`${list(minus)} removed from ${names}`] : []),
  ];
  const isEven = [added, removed].every((each) => each.every((tags) => isSame(tags, each[0] ?? [])));
  const undo = isEven && sentences.length > 0 ? undoOf(steps, plus, minus) : undefined;
  return { text: sentences.join('; ') || `${names} tagged`, ...defined({ undo }) };
}

/** A tag that was set elsewhere may be none that can be typed here. */
function undoOf(
  steps: readonly DoneStep<TagStep>[],
  added: readonly string[],
  removed: readonly string[],
): string | undefined {
  const canType = [...added, ...removed].every((tag) => tagSchema.safeParse(tag).success && !/^[+-]/.test(tag));
  if (!canType) return undefined;
  const targets = steps.map(({ data }) => (data.kind === 'domain' ? `domain:${data.id}` : data.id));
  const tags = [...removed.map((tag) => `+${tag}`), ...added.map((tag) => `-${tag}`)];
  return lineOf({ path: 'tag', args: { targets: tagged, tags: signedTags.tags } }, { targets, tags });
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
