import { z } from 'zod';
import { domainTarget, orderTarget } from '../../core/account/account.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { defined } from '../../core/text/defined.ts';
import { countOrList, firstFew, list } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { dotted, valueDiff } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { parallelOf } from '../args.ts';
import { defineAction, sent, verdictOf } from '../define.ts';
import { findDomain } from '../dns/domains.ts';
import { orderLine, readOrder } from './read-order.ts';
import { withRights } from './rights.ts';
import { changeOfTags, mustBeTags, sayTags, signedTags, soAlready, tagSchema, titleOfTags } from './signed-tags.ts';
import { type Taggable, taggables, wordFor } from './taggable.ts';

const targets = taggables({
  label: 'Server or domain',
  hint: 'Names, ids or a tag such as tag:web, with commas between.',
  example: 'web-1',
});

const tagStep = z.object({
  kind: z.enum(['order', 'domain']),
  id: z.string(),
  name: z.string(),
  before: z.array(z.string()),
  tags: z.array(z.string()),
});
type TagStep = z.infer<typeof tagStep>;

/** The words for the rest, on the card and in its details. */
const stays = {
  order: ['servers keep running', 'Servers keep running.'],
  domain: ['the records stay', 'The records stay as they are.'],
} as const;

/** One write for each order or domain whose list changes: the provider only takes the whole list of tags. */
export const tag = defineAction({
  path: 'tag',
  words: `tag · untag · label · mark as | tag · label | add tag · put tag · set tag · add label · remove tag =
    how=remove · delete tag = how=remove · take tag = how=remove · tag put · tag add = · tag remove = how=remove ·
    tag delete = how=remove · tag rm = how=remove · tag set = how=set · untag = how=remove · dns tag = domain: · dns
    tag add = domain: · dns tag remove = how=remove domain: · dns tag delete = how=remove domain: · dns tag rm =
    how=remove domain: · dns tag set = how=set domain: · label add = · label remove = how=remove · label set =
    how=set · take out tag = how=remove · drop tag = how=remove · put label · strip tag = how=remove`,
  title: 'Change tags',
  summary: 'Add tags to a server or domain, or remove them',
  examples: ['tag web-1 +blue -old', 'tag domain:example.com +green'],
  args: { targets, ...signedTags, parallel: parallelOf('orders') },
  needs: [{ of: ['tags', 'none'], say: 'tags' }],
  capability: 'organize',
  risk: 'routine',
  step: tagStep,
  plan: async ({ targets: listed, parallel, ...tagArgs }, context) => {
    const change = changeOfTags(tagArgs);
    await mustBeTags(change.all, context);
    const all = await Promise.all(listed.map((item) => readFresh(item, context.reader)));
    const changes = all
      .map((item) => ({ ...item, after: change.to(item.target.tags) }))
      .filter(({ target, after }) => !isSame(target.tags, after));
    const tagged = changes.map(({ target, after }) => ({ before: target, after: { ...target, tags: after } }));
    const same = all.filter((item) => !changes.some(({ target }) => target === item.target));
    const sameNames = firstFew(same, 6, ({ target }) => target.name);
    const areSomeSame = same.length > 0 && changes.length > 0;
    const kinds = [...new Set(all.map(({ kind }) => kind))];
    const tagsBefore = all.map(({ target: { name, id, tags } }) => [`tags of ${name} (${id})`, tags.toSorted()]);
    const nothing =
      all.length === 1
        ? all.map(({ target }) => soAlready(change, target.name, target.tags)).join('')
        : `Nothing to change for any of them: ${sameNames}.`;
    return withRights(tagged, context, {
      title: titleOfTags(change, sayTagged(all.map(({ kind, target }) => ({ kind, name: target.name })))),
      subject: all.map(({ line }) => line),
      targets: all.map(({ target }) => target),
      effect: `Tags group ${kinds.map((kind) => `${kind}s`).join(' and ')} for people and for the rights of a channel. ${kinds.map((kind) => stays[kind][1]).join(' ')}`,
      glance: dotted([...kinds.map((kind) => stays[kind][0]), areSomeSame ? `so already: ${sameNames}` : '']),
      details: [['Stays', areSomeSame ? `${sameNames}: this is so already.` : '']],
      diff: changes.flatMap(({ target, after }) => valueDiff(target.name, sayTags(target.tags), sayTags(after))),
      // The tags before the change are facts: the write sends the whole list and would drop a tag added meanwhile.
      facts: Object.fromEntries(tagsBefore),
      steps: changes.map(({ kind, target, after }) => ({
        target,
        label: target.name,
        data: { kind, id: target.id, name: target.name, before: [...target.tags], tags: [...after] },
      })),
      parallel,
      nothingToDo: changes.length === 0 ? nothing : undefined,
    });
  },
  // The write replaces the whole list and would drop a tag set since the plan.
  recheckTarget: async (step, { reader }) => {
    const now = await tagsNow(step, reader);
    if (isSame(now, step.before)) return step;
    const change = `they were ${sayTags(step.before)} and are ${sayTags(now)} now`;
    throw new Refusal('changed', `The tags of ${step.name} changed meanwhile: ${change}.`);
  },
  execute: ({ kind, id, tags }, { provider }) =>
    sent(kind === 'order' ? provider.orders.update({ order_id: id, tags }) : provider.dns.setTags({ name: id, tags })),
  verify: async (step, { reader }) => {
    const now = await tagsNow(step, reader);
    const words = now.length === 0 ? `${step.name} has no tags` : `the tags of ${step.name} are ${sayTags(now)}`;
    return verdictOf(isSame(now, step.tags), words);
  },
  // One line undoes it if the same tags changed on all of them.
  done: (steps) => {
    const all = steps.map(({ data }) => data);
    const added = all.map(({ tags, before }) => tags.filter((tag) => !before.includes(tag)));
    const removed = all.map(({ tags, before }) => before.filter((tag) => !tags.includes(tag)));
    const [plus, minus] = [[...new Set(added.flat())], [...new Set(removed.flat())]];
    const names = sayTagged(all);
    const sentences = [
      ...(plus.length > 0 ? [`${list(plus)} added to ${names}`] : []),
      ...(minus.length > 0 ? [`${list(minus)} removed from ${names}`] : []),
    ];
    const isEven = [added, removed].every((each) => each.every((tags) => isSame(tags, each[0] ?? [])));
    const undo = isEven && sentences.length > 0 ? undoOf(all, plus, minus) : undefined;
    return { text: sentences.join('; ') || `${names} tagged`, ...defined({ undo }) };
  },
});

/** A server, another order or a domain with its tags as of now. */
async function readFresh(item: Taggable, reader: Reader) {
  if (!('records' in item)) {
    const order = await readOrder(reader, item);
    return { kind: 'order', target: orderTarget(order), line: orderLine(order) } as const;
  }
  const { name } = item;
  const tags = await tagsNow({ kind: 'domain', id: name, name }, reader);
  const line = [{ bold: name }, ` · tags: ${sayTags(tags)}`];
  return { kind: 'domain', target: domainTarget({ name, tags }), line } as const;
}

async function tagsNow({ kind, id, name }: Pick<TagStep, 'kind' | 'id' | 'name'>, reader: Reader) {
  if (kind === 'order') return (await reader.orders.read({ order_id: id })).tags;
  const domain = await findDomain(reader, id);
  if (domain !== undefined) return domain.tags;
  throw new Refusal('changed', `The provider no longer lists the domain ${name}.`);
}

/** A tag that was set elsewhere may be none that can be typed here. */
function undoOf(steps: readonly TagStep[], added: readonly string[], removed: readonly string[]): string | undefined {
  const canType = [...added, ...removed].every((tag) => tagSchema.safeParse(tag).success && !/^[+-]/.test(tag));
  if (!canType) return undefined;
  const tags = [...removed.map((tag) => `+${tag}`), ...added.map((tag) => `-${tag}`)];
  return lineOf({ path: 'tag', args: { targets, tags: signedTags.tags } }, { targets: steps.map(wordFor), tags });
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.toSorted().join('\n') === b.toSorted().join('\n');
}

function sayTagged(all: readonly Pick<TagStep, 'kind' | 'name'>[]): string {
  const [only, second] = new Set(all.map(({ kind }) => kind));
  return countOrList(all, second === undefined && only !== undefined ? only : 'name', ({ name }) => name);
}
