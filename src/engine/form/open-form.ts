import { type Order, orderTarget } from '../../core/account/account.ts';
import { createServerFinder } from '../../core/account/servers-in-text.ts';
import { theHour } from '../../core/grammar/take-time.ts';
import { defined } from '../../core/text/defined.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Form, UnopenedForm } from '../../core/view/form.ts';
import type { Intent } from '../../core/view/intent.ts';
import { buttonRow, notice, runButton, says, type View, type ViewPart } from '../../core/view/view.ts';
import { accessAt, channelsOf, slackDidNotSay } from '../access/access.ts';
import { decidableRequest, declineForm } from '../access/ask-access.ts';
import { eachNamed } from '../access/say-names.ts';
import { review } from '../approval/review.ts';
import { voteForm } from '../approval/vote-form.ts';
import { readNow } from '../command/answer.ts';
import { commandScopeOf, noteAnswer, resolveChannel } from '../command/command-scope.ts';
import { lastKnown, wasUnavailable } from '../command/last-known.ts';
import { fillableHere, offeredHere, sayingLeft } from '../command/offered-here.ts';
import { lineToReplace } from '../command/replaceable.ts';
import type { Access } from '../context/access-port.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { errorView, type Refused } from '../context/error-view.ts';
import { fromOf, openForm, openSession } from '../context/form-session.ts';
import type { FormAnswer } from '../context/ports.ts';
import type { Place, Request } from '../context/request.ts';
import { reveal } from '../context/seal-secrets.ts';
import { dialogOf, type TypedLine, withDomains } from '../context/typed-line.ts';
import type { CommandSession } from './draw-form.ts';
import { commandForm, mustBeAllowedToFillIn, pagesShown, readsOf, startOf, toRaw } from './draw-form.ts';
import { notificationsForm } from './notifications-form.ts';

/** The request for a modal, the place that it is about, and its line. */
interface Opening {
  readonly request: Request;
  readonly place: Place;
  readonly typed: TypedLine | undefined;
}

/** The content of a modal that is already open. Never throws: the modal shows errors. */
export async function formFor(context: EngineContext, opening: Opening): Promise<FormAnswer> {
  const { request, place } = opening;
  try {
    const answer = await build(context, opening);
    return 'form' in answer ? answer : await withSession(context, request.actor, place, answer.view);
  } catch (error) {
    const view = errorView(error, 'Opening the form', context.log, aboutOf(opening));
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
function aboutOf({ request: { ask }, typed }: Opening): Refused {
  if (ask.kind === 'intent' && ask.intent.do === 'vote') return { operation: ask.intent.operation };
  return typed === undefined ? {} : { line: typed.text };
}

async function build(context: EngineContext, opening: Opening): Promise<FormAnswer> {
  const { request, place } = opening;
  const { ask, actor } = request;
  if (ask.kind === 'about')
    return { view: await serversInMessageView(context, ask.text, await accessAt(context, actor, place)) };
  if (ask.kind === 'ask')
    return { form: await openForm(context, actor, { kind: 'ask', place }, await askForm(context, actor, place)) };
  if (ask.kind !== 'intent') return lineForm(context, opening);
  const { intent } = ask;
  switch (intent.do) {
    case 'reveal':
      return revealAnswer(context, actor, intent.secret);
    case 'open':
      return { view: await openRead(context, opening) };
    case 'review':
      return reviewAnswer(context, actor, intent.operation);
    case 'schedule':
      return scheduleAnswer(context, opening, intent.operation);
    case 'vote': {
      const { operation, vote } = intent;
      const form = await voteForm(context, { operation, user: actor, vote });
      return { form: await openForm(context, actor, { kind: 'vote', operation, vote, place }, form) };
    }
    case 'notifications':
      return notificationsAnswer(context, actor, place);
    case 'access':
      return accessForm(context, request, intent);
    default:
      return lineForm(context, opening);
  }
}

/** The form of the global shortcut: a field for a line, and a menu of this person's commands in their channels. */
async function askForm(context: EngineContext, actor: string, place: Place): Promise<UnopenedForm> {
  // Offers only channels in which this person may use the bot, to keep other names from them.
  const { accesses, isUnsure } = await channelsOf(context, actor);
  const usable = [...accesses].filter(([, access]) => access.decide('none', 'safe', []).allowed).slice(0, 100);
  const channels = usable.map(([channel]) => channel);
  const options = await eachNamed(context, channels, (label, value) => ({ value, label }));
  if (options.length === 0 && isUnsure) throw slackDidNotSay('so no channel can be offered.');
  if (options.length === 0)
    throw new Refusal('no_policy', 'No channel that you are in has a policy yet.', {
      hint: 'An admin makes one with `/host access` in the channel.',
    });
  const only = options.length === 1 ? options[0] : undefined;
  const { parts } = await context.menu(await accessAt(context, actor, place), place);
  return {
    title: 'Ask Hostler',
    submit: 'Ask',
    about: parts,
    notes: [['Or type here what you would type after ', { code: '/host' }, '.']],
    fields: [
      {
        name: 'channel',
        label: 'In which channel',
        hint: 'The answer, or the card of the request, appears in this channel.',
        widget: 'choice',
        options,
        optional: false,
        ...(only === undefined ? {} : { initial: only.value }),
      },
      { name: 'line', label: 'What', widget: 'text', example: 'status web-1', optional: false },
    ],
  };
}

async function revealAnswer(context: EngineContext, actor: string, secret: string): Promise<FormAnswer> {
  const form = await reveal(context, secret, actor);
  if (form) return { form };
  const gone =
    'This can be shown once only, to the person it was made for, and within ten minutes. It is gone. Ask for a new one if you need it.';
  return { view: notice('warning', gone) };
}

async function notificationsAnswer(context: EngineContext, actor: string, place: Place): Promise<FormAnswer> {
  const form = await notificationsForm(context, actor);
  return { form: await openForm(context, actor, { kind: 'notifications', place }, form) };
}

async function lineForm(context: EngineContext, { request, place, typed }: Opening): Promise<FormAnswer> {
  const { ask, actor } = request;
  if (dialogOf(typed) === 'notifications') return notificationsAnswer(context, actor, place);
  const parsed = typed === undefined ? undefined : (await withDomains(context, typed, true)).parsed;
  if (parsed?.kind === 'problem') throw await offeredHere(context, actor, place, parsed.refusal);
  if (parsed?.kind !== 'command') throw new Refusal('not_understood', 'Nothing to fill in here.');
  const isAtStart = ask.kind === 'intent' && ask.intent.do === 'form' && ask.intent.atStart === true;
  return { form: await filledForm(context, actor, place, parsed, moreOf({ request, place }), isAtStart) };
}

/** The form of a waiting request, whose submission replaces it. */
async function scheduleAnswer(context: EngineContext, opening: Opening, replaces: string): Promise<FormAnswer> {
  const { actor } = opening.request;
  const { place, line } = await lineToReplace(context, replaces, actor);
  return { form: await filledForm(context, actor, place, line, { ...moreOf(opening), replaces }) };
}

function moreOf({ request, place }: Pick<Opening, 'place' | 'request'>): Pick<CommandSession, 'from' | 'isFromDialog'> {
  return { ...fromOf(request, place), ...(request.place.kind === 'modal' ? { isFromDialog: true } : {}) };
}

/** The form of a command, filled in as far as its line goes, for people who may use it. */
export async function filledForm(
  context: EngineContext,
  actor: string,
  place: Place,
  { command, raw, missing, isShared, reason }: Extract<TypedLine['parsed'], { kind: 'command' }>,
  more: Pick<CommandSession, 'from' | 'isFromDialog' | 'replaces'>,
  isAtStart = false,
): Promise<Form> {
  const access = await accessAt(context, actor, place);
  mustBeAllowedToFillIn(access, command);
  const filled =
    command.kind === 'action' && command.fillIn !== undefined && place.kind === 'channel'
      ? await command.fillIn(raw, await readsOf(context, access, place))
      : raw;
  const { raw: names, left } = fillableHere(context, command, filled, access);
  const start = isAtStart
    ? { raw: toRaw(names), page: pagesShown(command, names)[0] ?? 0 }
    : await startOf(context, command, names, access);
  const session = { kind: 'command', command: command.path, place, isShared, ...start, ...more } as const;
  const isLater = missing.includes(theHour) ? (true as const) : undefined;
  return commandForm(context, actor, { ...session, ...defined({ reason, isLater }) }, command, sayingLeft(left));
}

async function reviewAnswer(context: EngineContext, actor: string, id: string): Promise<FormAnswer> {
  const result = await review(context, actor, id);
  if ('view' in result) return { view: result.view };
  const { operation, vote, form } = result;
  const place: Place = { channel: operation.channel, kind: 'channel' };
  return { form: await openForm(context, actor, { kind: 'vote', operation: operation.id, vote, place }, form) };
}

/** The dialog with which an admin decides a request for access: the filled-in grant, or the reason to decline. */
async function accessForm(context: EngineContext, asked: Request, { request, act }: Extract<Intent, { do: 'access' }>) {
  const { actor } = asked;
  const { place, raw } = await decidableRequest(context, request, actor);
  const command = commandAt(context, 'access grant');
  if (act === 'grant' && command !== undefined) {
    const from = fromOf(asked, place);
    const session = { kind: 'command', command: command.path, raw, place, page: 0, isShared: false, ...from } as const;
    return { form: await commandForm(context, actor, session, command) };
  }
  return { form: await openForm(context, actor, { kind: 'decline-access', request, place }, declineForm) };
}

/** Answers a read in a dialog. Rights, reads and audit are the same as for the typed line. */
async function openRead(context: EngineContext, { request: asked, place, typed }: Opening): Promise<View> {
  if (typed === undefined) throw new Refusal('not_understood', 'Nothing was chosen.');
  const { parsed } = await withDomains(context, typed);
  if (parsed.kind === 'problem') throw parsed.refusal;
  if (parsed.kind !== 'command' || parsed.command.kind !== 'query' || parsed.missing.length > 0)
    throw new Refusal('not_understood', 'Only a read can be opened here.');
  const { command, raw } = parsed;
  const { id, at, actor } = asked;
  const request = { id, at, actor, place, command, raw };
  try {
    const resolved = await resolveChannel(context, request);
    if ('channels' in resolved) throw new Refusal('impossible', 'Only a read can be opened here.');
    const scope = await commandScopeOf(context, request, resolved);
    const { view, line } = await readNow(context, scope, command);
    await noteAnswer(context, { kind: 'answered', actor, channel: place.channel, text: line });
    return view;
  } catch (error) {
    if (wasUnavailable(error, request)) return lastKnown(context, request, error);
    throw error;
  }
}

/** "Act on this": servers that a message mentions by name, id, hostname or address, with this person's actions. */
async function serversInMessageView(context: EngineContext, text: string, access: Access): Promise<View> {
  const account = await context.accountReader.read({ staleOk: true });
  const servers = createServerFinder(account)(text).filter((order) => access.may('read', orderTarget(order)));
  if (servers.length === 0) return says('This message names no server that you may see here.');
  const mayOperate = (order: Order) => order.kind === 'vps' && access.may('operate', orderTarget(order));
  const parts = servers
    .slice(0, 8)
    .flatMap((order): ViewPart[] => [
      { kind: 'text', text: [{ bold: order.label }, ` · ${order.id} · ${order.addresses.join(', ')}`] },
      ...buttonRow([
        { label: 'Status', intent: { do: 'open', line: `status ${order.id}` }, opens: true },
        ...(mayOperate(order) ? [runButton('Restart', `restart ${order.id}`)] : []),
      ]),
    ]);
  return { summary: `${servers.length} found`, parts };
}
