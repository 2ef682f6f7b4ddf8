import { orderTarget } from '../../core/account/account.ts';
import { within } from '../../core/async/within.ts';
import { fieldsOf, rawOf } from '../../core/command/command-form.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import type { Reading } from '../../core/targets/targets.ts';
import { sentenceStart, wordSet } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Form, FormValues } from '../../core/view/form.ts';
import { signs } from '../../core/view/signs.ts';
import { type Text, withCode } from '../../core/view/view.ts';
import { accessAt } from '../access/access.ts';
import { readingFor } from '../command/command-scope.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { openForm, type Session } from '../context/form-session.ts';
import type { Place } from '../context/request.ts';
import { withoutSecrets } from '../context/typed-line.ts';
import { reasonField, takesReason, timingIn, type Way, whenPage } from './request-fields.ts';

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
  /** The error to show on this page, the preview of the effect, and the chosen *When*. */
  shown: { readonly trouble?: string; readonly preview?: readonly Text[]; readonly way?: Way } = {},
): Promise<Form> {
  const { trouble = '', preview, way = session.isLater === true ? 'at' : 'now' } = shown;
  // In the channel of the form, or outside a channel in any of the person's.
  const { may } = await accessAt(context, actor, session.place);
  const shownPages = pagesShown(command, session.raw);
  const names = command.pages[session.page] ?? [];
  const own = Object.fromEntries(Object.entries(command.args).filter(([name]) => names.includes(name)));
  const shownArgs = { ...own, ...moreArgsOf(command, session.raw) };
  const isLast = pagesShown(command, session.raw, session.page).length === 0;
  const asking = { at: context.now(), actor, command, raw: session.raw };
  const when = isLast ? await whenPage(context, asking, session.place.channel, way) : undefined;
  const labeled = (name: string, value: string) =>
    orderSources.has(command.args[name]?.source ?? '') ? labelOf(context, value, may) : value;
  // The page of such a field may have been skipped, so its value is shown.
  const basis = new Set(Object.values(shownArgs).flatMap(({ dependsOn }) => dependsOn ?? []));
  const isPreviewed = command.kind === 'action' && command.hasPreview;
  const step = `step ${shownPages.indexOf(session.page) + 1} of ${shownPages.length}`;
  return openForm(context, actor, session, {
    title: command.title,
    submit: !isLast ? 'Next' : preview !== undefined ? 'Request' : isPreviewed ? 'Preview' : 'Continue',
    notes: [
      ...(trouble === '' ? [] : [withCode(`${signs.warning} ${trouble}`)]),
      ...firstLine(command, command.pages.length === 1 ? [] : [step]),
      ...[...basis].map((name) => `For ${(session.raw[name] ?? []).map((value) => labeled(name, value)).join(', ')}`),
      ...(preview ?? (await soFarOf(context, actor, session, command))),
      ...(when?.hours ?? []).map(withCode),
    ],
    fields: [
      ...fieldsOf(shownArgs, session.raw, labeled),
      ...(when?.fields ?? []),
      ...(isLast && takesReason(command) ? [reasonField(session.reason)] : []),
    ],
  });
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
  const reads = await readsOf(context, await context.accessOf(actor, place.channel), place);
  const soFar = await within(command.soFar(raw, reads), soFarWithinMs);
  return soFar.kind === 'done' ? soFar.value : [];
}

/** The reads of a form, as for the line that it makes. */
export function readsOf(context: EngineContext, access: Access, { channel, thread }: Place) {
  return context.readContext({ actor: access.actor.id, channel, thread }, access);
}

/** Merges the page's values into the session; values of other pages stay. */
export function merged(context: EngineContext, command: AnyCommand, session: CommandSession, values: FormValues) {
  const names = command.pages[session.page] ?? [];
  const more = moreArgsOf(command, session.raw);
  const isKept = (name: string) => !names.includes(name) && more[name] === undefined;
  const kept = Object.fromEntries(Object.entries(session.raw).filter(([name]) => isKept(name)));
  const typed = withoutSecrets(context, command, rawOf({ ...command.args, ...more }, values));
  return timingIn({ ...kept, ...typed }, values);
}

const moreArgsOf = (command: AnyCommand, raw: RawArgs) =>
  (command.kind === 'action' ? command.moreArgs?.(raw) : {}) ?? {};

function labelOf(context: EngineContext, value: string, may: Access['may']): string {
  const order = context.accountReader
    .peek()
    ?.orders.find((candidate) => candidate.id === value || candidate.label === value);
  return order && may('read', orderTarget(order)) ? `${order.label} (${order.id})` : value;
}

type Paged = Pick<AnyCommand, 'pages' | 'skips'>;

/** The numbers of the form pages that are shown with these values, later than `after`. */
export function pagesShown(command: Paged, raw: RawArgs, after = -1): number[] {
  return command.pages.map((_, page) => page).filter((page) => page > after && command.skips?.(page, raw) !== true);
}

/** Drops the values of skipped pages, which were filled in before a choice that skips them. */
export function withoutSkipped(command: Paged, raw: RawArgs): RawArgs {
  const shown = new Set(pagesShown(command, raw));
  const left = new Set(command.pages.flatMap((names, page) => (shown.has(page) ? [] : names)));
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !left.has(name)));
}

/**
 * Finds the first page with an empty field and resolves the names on earlier pages. Words for targets that this person
 * may not use stay as typed, since the id would reveal the target of a tag or an address.
 */
export async function startOf(context: EngineContext, command: AnyCommand, typed: RawArgs, access: Access) {
  const raw = toRaw(typed);
  for (const page of pagesShown(command, raw).slice(0, -1)) {
    const names = command.pages[page] ?? [];
    if (names.some((name) => raw[name] === undefined)) return { raw, page };
    try {
      const reading = await readingFor(context, command, access);
      for (const name of names) raw[name] = [...shown(command, name, raw[name] ?? [], reading, access)];
    } catch {
      // Invalid values are reported when the form is submitted.
      return { raw, page };
    }
  }
  return { raw, page: pagesShown(command, raw).at(-1) ?? 0 };
}

function shown(
  { args, capability, risk }: AnyCommand,
  name: string,
  words: readonly string[],
  reading: Reading,
  access: Access,
): readonly string[] {
  const arg = args[name];
  if (arg === undefined) return words;
  const value = arg.read(words, reading);
  return access.decide(capability, risk, arg.targets(value)).allowed ? arg.show(value) : words;
}

export function toRaw(raw: RawArgs): Record<string, string[]> {
  return Object.fromEntries(Object.entries(raw).map(([name, words]) => [name, [...words]]));
}

interface Titled extends Readonly<Record<'title' | 'summary', string>> {
  readonly args?: AnyCommand['args'];
}

/** The first line of a form: what the summary adds to the title and to the names of the fields, and the step. */
export function firstLine(command: Titled, step: readonly string[]): string[] {
  const words = [...(isSaidBelow(command) ? [] : [beyondTitle(command)]), ...step];
  return words.length === 0 ? [] : [words.join(' · ')];
}

const unspoken = wordSet(
  'a an the new one its account another channel from give has in into of on posting private put registered this to which',
);

/** `Add a record to a domain` says nothing below `Add a DNS record` and above a field `Domain`. */
function isSaidBelow({ title, summary, args = {} }: Titled): boolean {
  const labels = Object.entries(args).map(([name, { label = name }]) => label);
  const mentioned = new Set(wordsOf([title, ...labels].join(' ')).map(singular));
  return wordsOf(summary).every((word) => unspoken.has(word) || mentioned.has(singular(word)));
}

const singular = (word: string) => word.replace(/s$/, '');

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [];

/** The summary without its first words if they repeat the title; the whole summary if the rest cannot stand alone. */
function beyondTitle({ title, summary }: Titled): string {
  const article = '(?:(?:an?|the|new|one|its) )*';
  const titled = title.replace(/\b(?:an?|the|new|one|its) /gi, '').replaceAll(' ', ` ${article}`);
  // The rest can stand alone after a comma or colon, or if it begins with one of these words.
  const start = new RegExp(`^${article}${titled}(?:[,:;] | (?=(?:as|by|from|to|with) ))`, 'i');
  return sentenceStart(summary.replace(start, ''));
}
