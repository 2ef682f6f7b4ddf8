import { z } from 'zod';
import { type Domain, domainTarget } from '../../core/account/account.ts';
import { domain } from '../../core/command/args.ts';
import type { DoneStep, ReadContext, WriteContext } from '../../core/command/command.ts';
import type { Ending, Plan, Receipt, Verdict } from '../../core/plan/plan.ts';
import { defined } from '../../core/text/defined.ts';
import { list } from '../../core/text/words.ts';
import { valueDiff } from '../../core/view/diff.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Provider, Reader } from '../../provider/client.ts';
import { weighRights } from '../orders/rights.ts';
import { isSame, sayTags, tags, undoLine } from '../orders/tags.ts';

/** The provider only takes the whole list of tags. */

export const taggedDomain = domain({ hint: 'A domain.', example: 'example.com' });
export const domainTagStep = z.object({ name: z.string(), before: z.array(z.string()), tags: z.array(z.string()) });
type DomainTagStep = z.infer<typeof domainTagStep>;

async function tagsNow(name: string, reader: Pick<Reader, 'dns'>): Promise<readonly string[]> {
  const found = (await reader.dns.domains({ q: name })).find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found.tags;
  throw new Refusal('changed', `The provider no longer lists the domain ${name}.`);
}

interface Change {
  readonly title: string;
  readonly to: (before: readonly string[]) => readonly string[];
  readonly soAlready: (before: readonly string[]) => string;
}

export async function planDomainTags(
  known: Domain,
  { title, to, soAlready }: Change,
  context: ReadContext<Reader>,
): Promise<Plan<DomainTagStep>> {
  const { name } = known;
  const before = await tagsNow(name, context.reader);
  const after = to(before);
  const target = domainTarget({ name, tags: before });
  const rights = await weighRights([{ before: target, after: { ...target, tags: after } }], context);
  return {
    title,
    subject: [[{ bold: name }, ` · tags: ${sayTags(before)}`]],
    targets: [target],
    effect: 'Tags group domains for people and for the rights of a channel. The records stay as they are.',
    details: rights.details,
    diff: valueDiff(name, sayTags(before), sayTags(after)),
    // The tags before the change are facts: the write sends the whole list and would drop a tag added meanwhile.
    facts: { [`tags of ${name}`]: before.toSorted(), ...rights.facts },
    steps: [{ target, label: name, data: { name, before: [...before], tags: [...after] } }],
    ...rights.plan,
    ...(isSame(before, after) ? { nothingToDo: soAlready(before) } : {}),
  };
}

/** Reads the tags again before the write, which replaces the whole list. */
export async function sendDomainTags(step: DomainTagStep, { provider }: WriteContext<Provider>): Promise<Receipt> {
  const now = await tagsNow(step.name, provider);
  if (!isSame(now, step.before)) {
    throw new Refusal(
      'changed',
      `The tags of ${step.name} changed meanwhile: they were ${sayTags(step.before)} and are ${sayTags(now)} now.`,
      {
        hint: 'Nothing was sent; ask again.',
      },
    );
  }
  const answered = await provider.dns.setTags({ name: step.name, tags: step.tags });
  return { text: '', data: { tags: answered.tags } };
}

export async function readDomainTags(step: DomainTagStep, { reader }: ReadContext<Reader>): Promise<Verdict> {
  const now = await tagsNow(step.name, reader);
  return {
    is: isSame(now, step.tags) ? 'so' : 'not',
    text: now.length === 0 ? `${step.name} has no tags` : `the tags of ${step.name} are ${sayTags(now)}`,
  };
}

export function endOfDomainTags([step]: readonly DoneStep<DomainTagStep>[]): Ending {
  if (step === undefined) return { text: 'tags set' };
  const { name, before, tags: after } = step.data;
  const added = after.filter((tag) => !before.includes(tag));
  const removed = before.filter((tag) => !after.includes(tag));
  const said = [
    ...(added.length > 0 ? [`${list(added)} added to ${name}`] : []),
    ...(removed.length > 0 ? [`${list(removed)} removed from ${name}`] : []),
  ];
  const undo = undoLine({ path: 'dns tag', args: { domain: taggedDomain, tags } }, { domain: [name] }, added, removed);
  return { text: said.join('; ') || `${name} tagged`, ...defined({ undo }) };
}
