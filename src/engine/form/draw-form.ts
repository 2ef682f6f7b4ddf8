import { orderTarget, type Target } from '../../core/account/account.ts';
import { within } from '../../core/async/within.ts';
import { fieldsOf, rawOf } from '../../core/command/command-form.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { sentenceStart, wordSet } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Form, FormValues } from '../../core/view/form.ts';
import { signs } from '../../core/view/signs.ts';
import { type Text, withCode } from '../../core/view/view.ts';
import { accessesOf } from '../access/access.ts';
import { timeZoneOf } from '../command/channel-of-policy.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { openSession, type Session } from '../context/form-session.ts';
import type { Place } from '../context/request.ts';
import { withoutSecrets } from '../context/typed-line.ts';
import { pageAfter, pagesShown } from './form-pages.ts';
import { reasonField, takesReason, timingIn, unreadHour, whenFields } from './request-fields.ts';

/** Draws a page of a command's form. */

export type CommandSession = Extract<Session, { kind: 'command' }>;

const orderSources = wordSet('servers dedicated any-servers orders live-orders taggable');

/** Refuses people who may not use the command on any target: a form and its searches reveal names. */
export function mustBeAllowedToFillIn(access: Access, { path, capability, risk }: AnyCommand): void {
  const decision = access.decide(capability, risk, []);
  if (decision.allowed) return;
  throw new Refusal(decision.reason, `You may not use \`/host ${path}\` here.`, {
    hint: `\`/host why ${path}\` explains it.`,
  });
}

export async function commandForm(
  context: EngineContext,
  actor: string,
  session: CommandSession,
  command: AnyCommand,
  /** The error to show on this page, and the preview of the effect. */
  { trouble = '', preview }: { readonly trouble?: string; readonly preview?: readonly Text[] } = {},
): Promise<Form> {
  const id = await openSession(context, actor, session);
  const maySee = await readableBy(context, actor, session.place);
  const { pages } = command;
  const shownPages = pagesShown(command, session.raw);
  const names = pages?.[session.page];
  const shownArgs =
    names === undefined
      ? command.args
      : Object.fromEntries(Object.entries(command.args).filter(([name]) => names.includes(name)));
  const isLast = pageAfter(command, session.raw, session.page) === undefined;
  const policy = isLast ? await context.policies.get(session.place.channel) : undefined;
  const clock = { now: context.now(), timeZone: await timeZoneOf(context, actor) };
  const unread = isLast ? unreadHour(session.raw, clock) : undefined;
  const labeled = (name: string, value: string) =>
    orderSources.has(command.args[name]?.source ?? '') ? labelOf(context, value, maySee) : value;
  // The page of such a field may have been skipped, so its value is shown.
  const basis = new Set(Object.values(shownArgs).flatMap(({ dependsOn }) => dependsOn ?? []));
  const isPreviewed = command.kind === 'action' && command.hasPreview;
  const step = pages === undefined ? '' : `step ${shownPages.indexOf(session.page) + 1} of ${shownPages.length}`;
  return {
    id,
    title: command.title,
    submit: !isLast ? 'Next' : preview !== undefined ? 'Request' : isPreviewed ? 'Preview' : 'Continue',
    notes: [
      ...(trouble === '' ? [] : [withCode(`${signs.warning} ${trouble}`)]),
      ...(unread === undefined ? [] : [`${signs.warning} “${unread}” is not a time: choose one below.`]),
      ...firstLine(command, step),
      ...[...basis].map((name) => `For ${(session.raw[name] ?? []).map((value) => labeled(name, value)).join(', ')}`),
      ...(preview ?? (await soFarOf(context, actor, session, command))),
    ],
    fields: [
      ...fieldsOf(shownArgs, session.raw, labeled),
      ...(isLast ? whenFields(command, session.raw, policy, clock) : []),
      ...(isLast && takesReason(command) ? [reasonField(session.reason)] : []),
    ],
  };
}

/** The longest wait: the next page must open within Slack's three seconds. */
const soFarWithinMs = 1_000;

/** The summary of earlier pages; empty on the first page, or if it cannot be read in time. */
async function soFarOf(
  context: EngineContext,
  actor: string,
  { place, page, raw }: CommandSession,
  command: AnyCommand,
): Promise<readonly Text[]> {
  if (command.kind !== 'action' || command.soFar === undefined || place.kind !== 'channel') return [];
  if (page === pagesShown(command, raw)[0]) return [];
  const asking = { actor, channel: place.channel, thread: place.thread };
  const reads = await context.readContext(asking, await context.accessOf(actor, place.channel));
  const soFar = await within(command.soFar(raw, reads), soFarWithinMs);
  return soFar.kind === 'done' ? soFar.value : [];
}

/** Merges the page's values into the session; values of other pages stay. */
export function merged(
  context: Pick<EngineContext, 'settings'>,
  command: AnyCommand,
  session: CommandSession,
  values: FormValues,
): RawArgs {
  const names = command.pages?.[session.page] ?? Object.keys(command.args);
  const kept = Object.fromEntries(Object.entries(session.raw).filter(([name]) => !names.includes(name)));
  return timingIn({ ...kept, ...withoutSecrets(context, command, rawOf(command.args, values)) }, values);
}

/** A form names targets that the person may read in the form's channel, or outside a channel in any of theirs. */
async function readableBy(context: EngineContext, actor: string, place: Place): Promise<(target: Target) => boolean> {
  const accesses =
    place.kind === 'channel'
      ? [await context.accessOf(actor, place.channel)]
      : [...(await accessesOf(context, actor)).values()];
  return (target) => accesses.some((access) => access.may('read', target));
}

function labelOf(context: EngineContext, value: string, maySee: (target: Target) => boolean): string {
  const order = context.accountReader
    .peek()
    ?.orders.find((candidate) => candidate.id === value || candidate.label === value);
  return order && maySee(orderTarget(order)) ? `${order.label} (${order.id})` : value;
}

interface Titled extends Readonly<Record<'title' | 'summary', string>> {
  readonly args?: AnyCommand['args'];
}

/** The first line of a form: what the summary adds to the title and to the names of the fields, and the step. */
function firstLine(command: Titled, step: string): string[] {
  const words = [isSaidBelow(command) ? '' : beyondTitle(command), step].filter((part) => part !== '').join(' · ');
  return words === '' ? [] : [words];
}

const linking = wordSet(
  'account another channel from give has in into of on posting private put registered this to which',
);

/** `Add a record to a domain` says nothing below `Add a DNS record` and above a field `Domain`. */
function isSaidBelow({ title, summary, args = {} }: Titled): boolean {
  const fields = Object.entries(args).flatMap(([name, { label = name }]) => label.split(/[\s_]+/));
  const mentioned = new Set([...wordsOf(title), ...fields].map(singular));
  return wordsOf(summary).every(
    (word) => unspoken.has(bare(word)) || linking.has(bare(word)) || mentioned.has(singular(word)),
  );
}

const singular = (word: string) => bare(word).replace(/s$/, '');

const unspoken: ReadonlySet<string> = new Set(['a', 'an', 'the', 'new', 'one', 'its']);
/** The remaining words can stand alone if they begin with one of these, or follow a comma or colon. */
const opening: ReadonlySet<string> = new Set(['as', 'by', 'from', 'to', 'with']);

/** The summary without its first words if they repeat the title; the whole summary if the rest cannot stand alone. */
function beyondTitle({ title, summary }: Titled): string {
  const titled = wordsOf(title).filter((word) => !unspoken.has(bare(word)));
  const words = wordsOf(summary);
  let at = 0;
  for (const word of titled) {
    while (unspoken.has(bare(words[at] ?? ''))) at += 1;
    if (bare(words[at] ?? '') !== bare(word)) return summary;
    at += 1;
  }
  const rest = words.slice(at);
  const [first] = rest;
  const canStandAlone = first === undefined || /[,:;]$/.test(words[at - 1] ?? '') || opening.has(bare(first));
  return canStandAlone ? sentenceStart(rest.join(' ')) : summary;
}

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}-]/gu, '');
