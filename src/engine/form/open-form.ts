import { orderTarget, type Target } from '../../core/account/account.ts';
import { within } from '../../core/async/within.ts';
import { fieldsOf, rawOf } from '../../core/command/command-form.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import { defined } from '../../core/text/defined.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Form, FormValues } from '../../core/view/form.ts';
import type { Intent } from '../../core/view/intent.ts';
import { signs } from '../../core/view/signs.ts';
import { notice, type Text, type View } from '../../core/view/view.ts';
import { accessAt, accessesOf } from '../access/access-at.ts';
import { decidableRequest, declineForm } from '../access/ask-access.ts';
import { review } from '../approval/review.ts';
import { voteForm } from '../approval/vote-form.ts';
import { timeZoneOf } from '../command/channel-of-policy.ts';
import { fillableHere, offeredHere, sayingLeft } from '../command/offer.ts';
import { mustBeReplaceable } from '../command/replace.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { errorView } from '../context/error-view.ts';
import { fromOf, newId, openSession, type Session } from '../context/form-session.ts';
import type { FormAnswer } from '../context/ports.ts';
import type { Refused } from '../context/remedies.ts';
import type { Place, Request } from '../context/request.ts';
import { reveal } from '../context/secrets.ts';
import { dialogOf, type TypedLine, withDomains } from '../context/typed-line.ts';
import { askForm } from './ask-form.ts';
import { firstLine } from './first-line.ts';
import { pageAfter, pagesShown } from './form-pages.ts';
import { startOf, toRaw } from './form-start.ts';
import { notificationsForm } from './notifications-form.ts';
import { openRead } from './open-read.ts';
import { reasonField, takesReason } from './reason-field.ts';
import { serversInMessageView } from './servers-in-message.ts';
import { timingIn, unreadHour, whenFields } from './when-field.ts';

const orderSources: ReadonlySet<string> = new Set(['servers', 'dedicated', 'any-servers', 'orders', 'taggable']);

/** The content of a modal that is already open. Never throws: the modal shows errors. */
export async function formFor(
  context: EngineContext,
  request: Request,
  place: Place,
  typed: TypedLine | undefined,
): Promise<FormAnswer> {
  try {
    const answer = await build(context, request, place, typed);
    return 'form' in answer ? answer : await withSession(context, request.actor, place, answer.view);
  } catch (error) {
    const view = errorView(error, 'Opening the form', context.log, aboutOf(request, typed));
    return withSession(context, request.actor, place, view).catch(() => ({ view }));
  }
}

/** Stores the session, so that any replica that gets a click knows where the modal was opened. */
async function withSession(context: EngineContext, actor: string, place: Place, view: View): Promise<FormAnswer> {
  const isClickable = view.parts.some(({ kind }) => kind === 'buttons' || kind === 'menu');
  if (!isClickable || place.channel === '') return { view };
  return { view, session: await openSession(context, actor, { kind: 'about', place }) };
}

/** The subject of a refusal: a request, or the line of the form. */
function aboutOf({ ask }: Request, typed: TypedLine | undefined): Refused {
  if (ask.kind === 'intent' && ask.intent.do === 'vote') return { operation: ask.intent.operation };
  return typed === undefined ? {} : { line: typed.text };
}

async function build(
  context: EngineContext,
  request: Request,
  place: Place,
  typed: TypedLine | undefined,
): Promise<FormAnswer> {
  const { ask, actor } = request;
  if (ask.kind === 'about')
    return { view: await serversInMessageView(context, ask.text, await accessAt(context, actor, place)) };
  if (ask.kind === 'ask') {
    const form = await askForm(context, actor, place);
    return { form: { ...form, id: await openSession(context, actor, { kind: 'ask', place }) } };
  }
  if (ask.kind === 'intent' && ask.intent.do === 'reveal') {
    const form = await reveal(context, ask.intent.secret, actor);
    return form
      ? { form }
      : {
          view: notice(
            'warning',
            'This can be shown once only, to the person it was made for, and within ten minutes. It is gone. Ask for a new one if you need it.',
          ),
        };
  }
  if (ask.kind === 'intent' && ask.intent.do === 'open')
    return { view: await openRead(context, request, place, typed) };
  if (ask.kind === 'intent' && ask.intent.do === 'review') return reviewAnswer(context, actor, ask.intent.operation);
  if (ask.kind === 'intent' && ask.intent.do === 'vote') {
    const { operation, vote } = ask.intent;
    const id = newId();
    const form = await voteForm(context, operation, vote, id);
    await openSession(context, actor, { kind: 'vote', operation, vote, place }, id);
    return { form };
  }
  if ((ask.kind === 'intent' && ask.intent.do === 'notifications') || dialogOf(typed) === 'notifications') {
    const form = await notificationsForm(context, actor);
    return { form: { ...form, id: await openSession(context, actor, { kind: 'notifications', place }) } };
  }
  if (ask.kind === 'intent' && ask.intent.do === 'access') return accessForm(context, request, ask.intent);
  const parsed = typed === undefined ? undefined : (await withDomains(context, typed, true)).parsed;
  if (parsed?.kind === 'problem') throw await offeredHere(context, actor, place, parsed.refusal);
  if (parsed?.kind !== 'command') throw new Refusal('not_understood', 'Nothing to fill in here.');
  const { command, raw, isShared, reason } = parsed;
  const access = await accessAt(context, actor, place);
  mustBeAllowedToFillIn(access, command);
  const asking = { actor, channel: place.channel, thread: place.thread };
  const filled =
    command.kind === 'action' && command.fillIn !== undefined && place.kind === 'channel'
      ? await command.fillIn(raw, await context.readContext(asking, access))
      : raw;
  const { raw: names, left } = fillableHere(context, command, filled, access);
  const replaces = ask.kind === 'intent' && ask.intent.do === 'form' ? ask.intent.replaces : undefined;
  if (replaces !== undefined) await mustBeReplaceable(context, replaces, actor);
  // The form of a requested change opens at its first page.
  const start =
    replaces === undefined
      ? await startOf(context, command, names, access)
      : { raw: toRaw(names), page: pagesShown(command, names)[0] ?? 0 };
  return {
    form: await commandForm(
      context,
      actor,
      {
        kind: 'command',
        command: command.path,
        place,
        isShared,
        ...start,
        ...defined({ reason, replaces }),
        ...fromOf(request, place),
        ...(request.place.kind === 'modal' ? { isFromDialog: true } : {}),
      },
      command,
      sayingLeft(left),
    ),
  };
}

/** Refuses people who may not use the command on any target: a form and its searches reveal names. */
export function mustBeAllowedToFillIn(access: Access, { path, capability, risk }: AnyCommand): void {
  const decision = access.decide(capability, risk, []);
  if (decision.allowed) return;
  throw new Refusal(decision.reason, `You may not use \`/host ${path}\` here.`, {
    hint: `\`/host why ${path}\` explains it.`,
  });
}

async function reviewAnswer(context: EngineContext, actor: string, id: string): Promise<FormAnswer> {
  const result = await review(context, actor, id);
  if ('view' in result) return { view: result.view };
  const { operation, vote } = result;
  const place: Place = { channel: operation.channel, kind: 'channel' };
  const session = await openSession(context, actor, { kind: 'vote', operation: operation.id, vote, place });
  return { form: { ...result.form, id: session } };
}

/** The dialog with which an admin decides a request for access: the filled-in grant, or the reason to decline. */
async function accessForm(
  context: EngineContext,
  asked: Request,
  { request, act }: Extract<Intent, { do: 'access' }>,
): Promise<FormAnswer> {
  const { actor } = asked;
  const { place, raw } = await decidableRequest(context, request, actor);
  const command = commandAt(context, 'access grant');
  if (act === 'grant' && command !== undefined) {
    const from = fromOf(asked, place);
    const session = { kind: 'command', command: command.path, raw, place, page: 0, isShared: false, ...from } as const;
    return { form: await commandForm(context, actor, session, command) };
  }
  const id = await openSession(context, actor, { kind: 'decline-access', request, place });
  return { form: declineForm(id) };
}

export async function commandForm(
  context: EngineContext,
  actor: string,
  session: Extract<Session, { kind: 'command' }>,
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
      ...(trouble === '' ? [] : [`${signs.warning} ${trouble}`]),
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
  { place, page, raw }: Extract<Session, { kind: 'command' }>,
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
  command: AnyCommand,
  session: Extract<Session, { kind: 'command' }>,
  values: FormValues,
): RawArgs {
  const names = command.pages?.[session.page] ?? Object.keys(command.args);
  const kept = Object.fromEntries(Object.entries(session.raw).filter(([name]) => !names.includes(name)));
  return timingIn({ ...kept, ...rawOf(command.args, values) }, values);
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
