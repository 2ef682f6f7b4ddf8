import { emptyAccount } from '../../core/account/account.ts';
import { lineOf, missingNeeds } from '../../core/grammar/parse.ts';
import { NotOne } from '../../core/targets/not-one.ts';
import { defined } from '../../core/text/defined.ts';
import { withoutHost } from '../../core/text/undo-typing.ts';
import { Refusal } from '../../core/view/errors.ts';
import { hourIn, reasonName } from '../../core/view/form.ts';
import type { Text, View } from '../../core/view/view.ts';
import { accessAt } from '../access/access.ts';
import { declineAccess } from '../access/ask-access.ts';
import { castVote } from '../approval/vote.ts';
import type { CommandRequest } from '../command/command-request.ts';
import { readingFor } from '../command/command-scope.ts';
import { withSuggestions } from '../command/offered-here.ts';
import { attempt, fulfill, runLine } from '../command/run-line.ts';
import { sayHours } from '../command/say-hours.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { errorView } from '../context/error-view.ts';
import { rememberedSession, type Session } from '../context/form-session.ts';
import type { SubmitAnswer } from '../context/ports.ts';
import { operationId, operationSeed, type Place, type Request } from '../context/request.ts';
import { readLine } from '../context/typed-line.ts';
import { type CommandSession, commandForm, merged, pagesShown, readsOf, toRaw, withoutSkipped } from './draw-form.ts';
import { askAboutForm, type Submitted, saidInDialog } from './late-form.ts';
import { saveNotifications } from './notifications-form.ts';
import { filledForm } from './open-form.ts';
import { fullFields, isUnseenHour, reasonIn, refusedAt, takesReason, wayIn, whenNames } from './request-fields.ts';

/** Handles a submitted modal. `isAgain`: a crash interrupted it; the modal is gone, so errors are posted privately. */
export async function submit(context: EngineContext, request: Request, isAgain: boolean): Promise<SubmitAnswer> {
  if (request.ask.kind !== 'submit') throw new Error('not a submitted form');
  const { ask } = request;
  const remembered = await rememberedSession(context, ask.form, request.actor);
  if (remembered === undefined) {
    // Slack submitted it again after a lost response: the request exists.
    const made = await context.store.operations.find(operationId(operationSeed(request)));
    if (made?.requester === request.actor) return accepted();
    const gone = 'This form is no longer available: it was open for more than a day, or was sent already.';
    return errors('', `${gone} Open it again.`);
  }
  const submitted: Submitted = { request, ask, isAgain };
  const asked = await askAboutForm(context, submitted, remembered);
  if (asked !== undefined) return asked;
  const { session } = remembered;
  switch (session.kind) {
    case 'command':
      return submitCommand(context, submitted, session);
    case 'vote':
      return submitVote(context, submitted, session);
    case 'decline-access':
      return orErrors('words', () =>
        declineAccess(context, session.request, request.actor, String(ask.values.words ?? '')).then(accepted),
      );
    case 'notifications':
      return orErrors('ends', () => saveNotifications(context, request.actor, ask.values).then(accepted));
    case 'ask':
      return submitLine(context, submitted);
    case 'about':
      return accepted();
  }
}

async function submitCommand(context: EngineContext, submitted: Submitted, session: CommandSession) {
  const { request, ask, isAgain } = submitted;
  const command = commandAt(context, session.command);
  if (command === undefined) return errors('', 'This version of the bot no longer has this command.');
  const filled = merged(context, command, session, ask.values);
  const [next] = pagesShown(command, filled, session.page);
  const raw = next === undefined ? withoutSkipped(command, filled) : filled;
  const nextForm = async (turned: CommandSession, shown?: Parameters<typeof commandForm>[4]) =>
    ({ kind: 'next', form: await commandForm(context, request.actor, turned, command, shown) }) as const;
  const when = next === undefined ? wayIn(raw, ask.values) : undefined;
  const wrong =
    fullFields(command, ask.values) ?? (await checkValues(context, request, command, raw, session)) ?? when?.wrong;
  if (wrong) return wrong;
  if (next !== undefined || when?.way !== undefined) {
    const reason = reasonIn(context, ask.values) ?? session.reason;
    return nextForm({ ...session, raw: toRaw(raw), page: next ?? session.page, ...defined({ reason }) }, when);
  }
  const way = session.isShared ? ({ kind: 'share' } as const) : undefined;
  const reason = reasonIn(context, ask.values) ?? (takesReason(command) ? undefined : session.reason);
  const isHeard = session.isFromDialog === true && command.kind === 'action' && !isAgain;
  const heard = isHeard ? listen(context, session) : { context, place: session.place, views: [] };
  const commandRequest = {
    id: operationSeed(request),
    at: request.at,
    actor: request.actor,
    place: heard.place,
    command,
    raw,
    ...defined({ way, reason, from: session.from, replaces: session.replaces }),
  };
  const isUnseen =
    isUnseenHour(session.raw, raw, ask.values) &&
    typeof (await sayHours(context, commandRequest, session.place.channel)) === 'string';
  if (isAgain) {
    // The submit was only for the preview: nothing was requested yet.
    const isPreviewed = isUnseen || (command.kind === 'action' && command.hasPreview);
    if (isPreviewed && session.previewed !== lineOf(command, raw))
      return errors('', 'The bot was interrupted before it could show the preview. Open the form again.');
    await fulfill(context, commandRequest);
    return accepted();
  }
  try {
    const previewNow = async () => (await previewOf(context, commandRequest)) ?? (isUnseen ? [] : undefined);
    const preview = session.previewed === lineOf(command, raw) ? undefined : await previewNow();
    if (preview !== undefined) {
      const shown = { ...session, raw: toRaw(raw), previewed: lineOf(command, raw), ...defined({ reason }) };
      return nextForm(shown, { preview });
    }
    await attempt(heard.context, commandRequest);
  } catch (error) {
    const refusal = error instanceof Refusal ? withWayBack(error, commandRequest) : undefined;
    const field = refusal?.field ?? '';
    const words = refusal === undefined ? '' : withHint(refusal);
    if (refusal !== undefined && [...(command.pages[session.page] ?? []), reasonName, ...whenNames].includes(field)) {
      const line = lineOf(command, raw, reason);
      const view = errorView(withSuggestions(refusal, commandRequest), line, context.log, { line });
      return { ...errors(refusedAt(field, ask.values), words), withoutForm: { view, place: session.place } };
    }
    const there = command.pages.findIndex((names) => names.includes(field));
    if (there >= 0) {
      // Opens the page with the wrong value, with all values filled in.
      const back = { ...session, raw: toRaw(raw), page: there, ...defined({ reason }) };
      const answer = await nextForm(back, { trouble: words });
      await context.store.forms.delete(ask.form);
      return answer;
    }
    await fulfill(heard.context, commandRequest, refusal ?? error);
  }
  await context.store.forms.delete(ask.form);
  return ended(context, request.actor, heard.views, session.place);
}

/** The preview of the effect, if there is one, for people who may run the command: it reveals the present state. */
async function previewOf(context: EngineContext, commandRequest: CommandRequest): Promise<readonly Text[] | undefined> {
  const { command, raw, place, actor } = commandRequest;
  if (command.kind !== 'action' || !command.hasPreview) return undefined;
  const access = await context.accessOf(actor, place.channel);
  const prepared = command.prepare(raw, await readingFor(context, command, access));
  if (!access.decide(command.capability, command.risk, prepared.targets).allowed) return undefined;
  return prepared.preview?.(await readsOf(context, access, place));
}

/** Adds a button that opens the closed form again with its values. */
function withWayBack(error: Refusal, { command, raw, reason, replaces }: CommandRequest): Refusal {
  // A button with the line would make a second request. The card of the waiting request opens the form again.
  if (replaces !== undefined)
    return new Refusal(error.reason, error.text, defined({ hint: error.hint, field: error.field }));
  if (error instanceof NotOne || error.suggestions.length > 0) return error;
  if (!['bad_value', 'impossible', 'not_found', 'unavailable'].includes(error.reason)) return error;
  return new Refusal(error.reason, error.text, {
    ...defined({ hint: error.hint, field: error.field }),
    suggestions: [{ label: 'Open the form again', command: lineOf(command, raw, reason), isForm: true }],
  });
}

/** Checks every value of the page against the account and reports errors at their fields before anything is sent. */
async function checkValues(
  context: EngineContext,
  request: Request,
  command: AnyCommand,
  raw: Parameters<AnyCommand['prepare']>[0],
  session: CommandSession,
): Promise<SubmitAnswer | undefined> {
  const page = command.pages[session.page] ?? [];
  const later = pagesShown(command, raw, session.page).flatMap((shown) => command.pages[shown] ?? []);
  const reading = command.needsAccount
    ? await readingFor(context, command, await accessAt(context, request.actor, session.place))
    : { account: emptyAccount, maySee: () => false };
  const wrong: Record<string, string> = {};
  for (const name of page) {
    const arg = command.args[name];
    const words = raw[name] ?? [];
    if (arg === undefined || (words.length === 0 && arg.optional)) continue;
    try {
      arg.read(words, reading);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const candidates = error instanceof NotOne ? error.candidates.map((candidate) => candidate.label).join(', ') : '';
      wrong[name] = [error.message, error.hint, candidates === '' ? '' : `(${candidates})`].filter(Boolean).join(' ');
    }
  }
  // Reported on the last page that has one of the fields: a later page could only close the form.
  for (const { of, say } of command.pages.length === 1 ? [] : missingNeeds(command, raw)) {
    const first = of.find((name) => page.includes(name));
    if (first !== undefined && !of.some((name) => later.includes(name)))
      wrong[first] ??= `Something is needed here: ${say}.`;
  }
  return Object.keys(wrong).length === 0 ? undefined : { kind: 'errors', errors: wrong };
}

const withHint = ({ message, hint }: Refusal) => [message, hint].filter(Boolean).join(' ');

/** Shows a refusal at the field that it names, or else at `field`. */
async function orErrors(field: string, work: () => Promise<SubmitAnswer>): Promise<SubmitAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return errors(error.field ?? field, withHint(error));
  }
}

async function submitVote(
  context: EngineContext,
  { request, ask, isAgain }: Submitted,
  session: Extract<Session, { kind: 'vote' }>,
): Promise<SubmitAnswer> {
  const hour = hourIn(ask.values);
  const { words = hour.words, reason } = ask.values;
  // The session is kept until it expires: after a crash it is the only record of the vote.
  return orErrors(session.vote === 'move' ? hour.name : reason === undefined ? 'words' : 'reason', () =>
    castVote(context, {
      operation: session.operation,
      vote: session.vote,
      user: request.actor,
      at: request.at,
      words: typeof words === 'string' ? words : '',
      ...(typeof reason === 'string' ? { reason } : {}),
      isAgain,
    }).then(accepted),
  );
}

async function submitLine(context: EngineContext, { request, ask, isAgain }: Submitted): Promise<SubmitAnswer> {
  const channel = String(ask.values.channel ?? '');
  const typed = readLine(context, withoutHost(String(ask.values.line ?? '')));
  const { parsed } = typed;
  if (!isAgain && parsed.kind === 'problem') return errors('line', withHint(parsed.refusal));
  // The channel is a form value that the person chose, so their membership is checked.
  const isIn = await context.directory.isInChannel(channel, request.actor).catch(() => undefined);
  if (isIn === undefined)
    return errors('channel', 'Slack did not say whether you are in this channel. Send it again in a minute.');
  if (!isIn) return errors('channel', 'You are not in this channel.');
  const place = { channel, kind: 'channel' } as const;
  if (parsed.kind === 'command' && parsed.missing.length > 0 && !isAgain)
    return orErrors('line', async () => {
      const form = await filledForm(context, request.actor, place, parsed, { isFromDialog: true });
      return { kind: 'next', form };
    });
  const isRead = parsed.kind === 'command' && parsed.command.kind === 'query';
  const heard = isAgain || isRead ? { context, place, views: [] } : listen(context, { place });
  await runLine(heard.context, { ...request, id: operationSeed(request), place: heard.place }, typed);
  await context.store.forms.delete(ask.form);
  return ended(context, request.actor, heard.views, place);
}

/** Collects private messages for the open dialog instead of posting them. */
function listen(context: EngineContext, { place }: { readonly place: Place }) {
  const views: View[] = [];
  const postEphemeral = async (_: Place, __: string, view: View) => void views.push(view);
  const messenger = { ...context.messenger, postEphemeral };
  return { context: { ...context, messenger }, place: { ...place, dialog: 'the form' }, views };
}

/** Shows the last private message in the dialog; without one, the card is the response and the dialog closes. */
async function ended(context: EngineContext, actor: string, views: readonly View[], at: Place): Promise<SubmitAnswer> {
  const view = views.at(-1);
  return view === undefined ? { kind: 'accepted' } : saidInDialog(context, actor, at, view);
}

const accepted = () => ({ kind: 'accepted' }) as const;

function errors(field: string, text: string) {
  return { kind: 'errors', errors: { [field]: text } } as const;
}
