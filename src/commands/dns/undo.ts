import { z } from 'zod';
import { type Account, type Domain, domainTarget } from '../../core/account/account.ts';
import { optional } from '../../core/command/args.ts';
import type { OperationSummary } from '../../core/command/bot-port.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { isAfter, isSame, type KnownRecord, type RecordData, recordText, sameness } from '../../core/dns/record.ts';
import { conflictsAfter, type ZoneChange } from '../../core/dns/zone-diff.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { higherRisk, type Risk } from '../../core/policy/policy.ts';
import { day, list } from '../../core/text/words.ts';
import { Refusal, type Suggestion } from '../../core/view/errors.ts';
import { requestId } from '../args.ts';
import { defineAction } from '../define.ts';
import { type ChangeStep, changeStep, describe, mustHaveDomains, readZone, recordAction } from './changes.ts';
import { planRecords, type ZonePart } from './record-plan.ts';

const undoableForMs = day;

export const dnsUndo = defineAction({
  ...recordAction,
  path: 'dns undo',
  words: `undo · revert · take back · reverse | dns · change · dns change · record | undo · undo last · undo that ·
    undo it · git revert · bring back old · mistake in dns · dns mistake · want back · made mistake · make back ·
    back dns · cancel my last change in dns · cancel dns change · never happened`,
  title: 'Undo a DNS change',
  summary: 'Undo a change of DNS records, if nobody has changed them since',
  examples: ['dns undo a7f3c2ab', 'dns undo k9m2x4pq'],
  alsoSays: ['that', 'it', 'last', 'change', 'dns'],
  args: {
    operation: optional(
      requestId({ hint: 'The change. Without it, the changes that can be undone are listed.', example: 'a7f3c2ab' }),
    ),
  },
  plan: async ({ operation: id }, context) => {
    if (id === undefined) throw await whichChange(context);
    const operation = await context.bot.operation(id);
    const steps = operation === undefined ? [] : recordSteps(operation);
    const domains = domainsOf(steps, await context.account());
    // A request on a domain that the person may not change looks like one that does not exist.
    if (operation === undefined || !mayChange(domains, context)) {
      const text = `There is no change of records ${id} that you may undo here.`;
      throw no('not_found', text, '`/host dns undo` shows the changes that can be undone.');
    }
    if (operation.endedAt === null)
      throw no('impossible', `${operation.title} has not ended yet.`, 'Ask again when it has.');
    if (context.now - operation.endedAt > undoableForMs)
      throw no('impossible', `${operation.title} ended more than 24 hours ago.`, 'Change the records with dns edit.');
    const parts: (ZonePart & { readonly isTouched: boolean })[] = [];
    for (const domain of domains) {
      const zone = await readZone(context.reader, domain.name);
      const own = steps.filter(({ data }) => data.domain === domain.name);
      parts.push({ domain, zone, ...(await reversed(own, zone, operation.title, domain.name)) });
    }
    const isTouched = parts.some((part) => part.isTouched);
    const same = `The records are as they were before "${operation.title}".`;
    const notes = isTouched ? ['A record of it was removed and added again since.'] : [];
    const plan = await planRecords(parts, { same, title: undoTitle(operation.title), notes }, context);
    return weighed(plan, operation.risk, isTouched);
  },
  undoes: ({ operation }) => operation?.[0],
});

const mostListed = 5;

/** Lists the changes that this person may undo, newest first, each with a button. */
async function whichChange({ bot, may, now, account }: ReadContext): Promise<Refusal> {
  const snapshot = await account();
  const suggestions = (await bot.operations({ limit: 100 }))
    .filter((operation) => {
      const { endedAt, undo } = operation;
      const isRecent = endedAt !== null && now - endedAt <= undoableForMs;
      return isRecent && undo !== null && mayChange(domainsOf(recordSteps(operation), snapshot), { may });
    })
    .slice(0, mostListed)
    .map(({ id, title }) => ({ label: undoTitle(title), command: `dns undo ${id}` }));
  if (suggestions.length === 0)
    return new Refusal('impossible', 'There is nothing to undo: no change of DNS records ended in the last 24 hours.', {
      suggestions: [{ label: 'Show the requests', command: 'requests' }],
    });
  return new Refusal('ambiguous', 'Which change should be undone? These are the newest.', { suggestions });
}

function mayChange(domains: readonly Domain[], { may }: Pick<ReadContext, 'may'>): boolean {
  return domains.length > 0 && domains.every((domain) => may('dns', domainTarget(domain)));
}

/** The undo of an untouched change has exactly the original risk, any other undo at least that risk. */
function weighed({ raised, ...plan }: Plan<ChangeStep>, risk: Risk, isTouched: boolean): Plan<ChangeStep> {
  if (plan.nothingToDo !== undefined) return plan;
  const own = raised?.risk ?? 'disruptive';
  if (isTouched && raised !== undefined && higherRisk(own, risk) === own) return { ...plan, raised };
  if (higherRisk('disruptive', risk) === 'disruptive') return plan;
  return { ...plan, raised: { risk, why: `It takes back a change that was ${risk}.` } };
}

/** The title of an undo; the undo of an undo repeats the change. */
function undoTitle(title: string): string {
  const [, word, change = ''] = /^(Undo|Redo): ([\s\S]*)$/.exec(title) ?? [];
  return word === undefined ? `Undo: ${title}` : `${word === 'Undo' ? 'Redo' : 'Undo'}: ${change}`;
}

/** The steps that were or may have been carried out; the zone decides about the latter. */
function recordSteps(operation: OperationSummary) {
  return operation.steps
    .filter((step) => step.state === 'done' || step.state === 'unverified' || step.state === 'unknown')
    .flatMap(({ data, receipt }) => {
      const parsed = changeStep.safeParse(data);
      return parsed.success ? [{ data: parsed.data, receipt }] : [];
    });
}

type DoneStep = ReturnType<typeof recordSteps>[number];

/** All domains of the steps, or a refusal: a change is undone as a whole. */
function domainsOf(steps: readonly DoneStep[], account: Account): readonly Domain[] {
  const names = [...new Set(steps.map(({ data }) => data.domain))];
  const domains = names.flatMap((name) => account.domains.find((domain) => domain.name === name) ?? []);
  if (domains.length === names.length) return domains;
  mustHaveDomains(account);
  return [];
}

/** Last step first: a record removed to make room returns after the new one is removed. */
async function reversed(steps: readonly DoneStep[], zone: readonly KnownRecord[], title: string, domain: string) {
  const byId = new Map<number | undefined, KnownRecord>(zone.map((record) => [record.id, record]));
  const bySameness = Map.groupBy(zone, sameness);
  const changed: string[] = [];
  let isTouched = false;
  const changes = eachOnce(steps)
    .reverse()
    .flatMap((step): ZoneChange[] => {
      const reverse = reverseOf(step, byId, bySameness);
      isTouched ||=
        typeof reverse !== 'string' && reverse.some((change) => change.do !== 'add' && change.id !== idOf(step));
      if (typeof reverse !== 'string') return reverse;
      changed.push(reverse);
      return [];
    });
  for (const { record, text } of await conflictsAfter(changes, zone, domain))
    changed.push(`${recordText(record)} cannot come back: ${text}`);
  if (changed.length === 0) return { changes, isTouched };
  const text = `${domain} changed since "${title}": ${list(changed)}. Nothing was put back.`;
  const show = { label: 'Show the records', command: `dns list ${domain}` };
  throw no('changed', text, 'Use dns edit for what should be different.', [show]);
}

/** Several steps on one record, as a plan of several lines has them, as the one step from the first state to the last. */
function eachOnce(steps: readonly DoneStep[]): DoneStep[] {
  const all: DoneStep[] = [];
  for (const step of steps) {
    const { data } = step;
    const at = data.do === 'add' ? -1 : all.findIndex((earlier) => idOf(earlier) === data.id);
    const earlier = at < 0 ? undefined : all.splice(at, 1)[0];
    if (earlier === undefined || data.do === 'add') all.push(step);
    else if (earlier.data.do === 'change' && data.do === 'remove')
      all.push({ ...step, data: { ...data, before: earlier.data.before } });
    else if (earlier.data.do !== 'remove' && data.do === 'change')
      all.push({ ...earlier, data: { ...earlier.data, after: data.after } });
  }
  return all;
}

/** The record's id after the step; undefined if unknown. */
function idOf({ data, receipt }: DoneStep): number | undefined {
  return data.do === 'add' ? addedSchema.safeParse(receipt).data?.id : data.id;
}

const addedSchema = z.object({ id: z.number() });

/**
 * Returns the changes that undo a step, an empty list if it is already undone, or a sentence if the record changed
 * since.
 */
function reverseOf(
  { data: step, receipt }: DoneStep,
  byId: ReadonlyMap<number | undefined, KnownRecord>,
  bySameness: ReadonlyMap<string, readonly KnownRecord[]>,
): ZoneChange[] | string {
  if (step.do === 'remove') return bySameness.has(sameness(step.before)) ? [] : [{ do: 'add', after: step.before }];
  // A record that was removed and added again has another id.
  const [again] = (step.do === 'add' ? bySameness.get(sameness(step.after)) : undefined) ?? [];
  const current = byId.get(idOf({ data: step, receipt })) ?? again;
  if (step.do === 'add') {
    if (current === undefined) return [];
    if (isSame(current, step.after)) return [{ do: 'remove', id: current.id, before: current }];
    return nowIs(step.after, current);
  }
  if (current === undefined) return `${recordText(step.after)} was removed`;
  if (isAfter(current, step.after, step.before)) return [];
  if (isSame(current, step.after)) return [{ do: 'change', id: current.id, before: current, after: step.before }];
  return nowIs(step.after, current);
}

function nowIs(left: RecordData, current: KnownRecord): string {
  return `${describe(left)} is now ${describe(current)}`;
}

function no(reason: Refusal['reason'], text: string, hint: string, suggestions: readonly Suggestion[] = []): Refusal {
  return new Refusal(reason, text, { hint, suggestions, field: 'operation' });
}
