import { lineOf } from '../../core/grammar/parse.ts';
import { defined } from '../../core/text/defined.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { sayDuration } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Intent } from '../../core/view/intent.ts';
import { type Button, notice, says, text, type View, type ViewPart } from '../../core/view/view.ts';
import { askForAccess } from '../access/ask-access.ts';
import { actOnAlert } from '../alerts/acknowledge.ts';
import { type Ballot, pressAgain } from '../approval/ballot.ts';
import { explainRule } from '../approval/explain-rule.ts';
import { remind } from '../approval/notices.ts';
import { castVote } from '../approval/vote.ts';
import { questions } from '../approval/vote-form.ts';
import { runLine } from '../command/run-line.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { refusalView } from '../context/error-view.ts';
import { longestLineToRepeat, type Request } from '../context/request.ts';
import { dialogOf, type TypedLine } from '../context/typed-line.ts';
import { needsName } from '../operation/card.ts';
import { approversOf, remindButtons } from '../operation/card-names.ts';
import { readOperation } from '../operation/read-operation.ts';

export interface Details {
  readonly typed: TypedLine | undefined;
  /** True if a crash interrupted the request. */
  readonly isAgain: boolean;
}

/** `request.place` is the channel that it is about. */
type Handle = (context: EngineContext, request: Request, details: Details) => Promise<void>;

const reply = ({ messenger }: EngineContext, { place, actor }: Request, view: View) =>
  messenger.postEphemeral(place, actor, view);

/** The handler of each kind of request that needs no modal. */
export const handlers: Readonly<Record<Exclude<Request['ask']['kind'], 'submit'>, Handle>> = {
  line: async (context, request, { typed }) => {
    if (typed === undefined) return;
    if (await askWhetherWanted(context, request, typed)) return context.meter.request(request.ask.kind, 'asked');
    const answer = await runLine(context, request, typed);
    context.meter.request(request.ask.kind, answer);
  },
  intent: async (context, request, { typed, isAgain }) => {
    if (request.ask.kind !== 'intent') return;
    const { intent } = request.ask;
    if (typed !== undefined && (await askWhetherWanted(context, request, typed)))
      return context.meter.request('button', 'asked');
    const late = isOnlyPressedNow(intent) ? pressAgain(request) : undefined;
    if (late !== undefined) {
      await reply(context, request, says(late));
      return context.meter.request('button', 'refused');
    }
    if ((intent.do === 'run' || intent.do === 'refresh' || intent.do === 'share') && typed !== undefined) {
      context.meter.request('button', await runLine(context, request, typed));
    } else if (intent.do === 'vote') {
      const { operation, vote } = intent;
      const { actor: user, at, saidAt } = request;
      // Only a move takes words of its button: those of the others are typed.
      const words = vote === 'move' ? intent.at : undefined;
      await click(context, request, { operation, user, vote, at, ...defined({ saidAt, words }), isAgain });
    } else if (intent.do === 'remind' || intent.do === 'why') {
      await answerFrom(context, request, intent);
    } else if (intent.do === 'ask-access' && typed !== undefined) {
      await askForAccess(context, request, typed);
      context.meter.request('button', 'asked');
    } else if (intent.do === 'alert') {
      await actOnAlert(context, request, intent);
      context.meter.request('alert', intent.act);
    } else {
      await needsModal(context, request);
    }
  },
  about: needsModal,
  ask: needsModal,
};

/** Buttons whose late click must not count: it would notify others or silence an alert. Votes have their own check. */
function isOnlyPressedNow(intent: Intent): boolean {
  if (intent.do === 'alert') return intent.act !== 'acknowledge';
  return intent.do === 'remind' || intent.do === 'share' || intent.do === 'ask-access';
}

async function click(context: EngineContext, request: Request, ballot: Ballot): Promise<void> {
  const { operation, vote } = ballot;
  const find = () => context.store.operations.find(operation);
  const isNameable = ballot.saidAt === undefined && (vote === 'approve' || vote === 'continue');
  const row = isNameable ? await find() : undefined;
  const asksName = vote === 'approve' ? row?.state === 'waiting' : row?.heldAt !== null;
  if (row !== undefined && asksName && needsName(readOperation(row).rule)) {
    const label = vote === 'approve' ? 'Approve' : 'Continue';
    const button: Button = { label, intent: { do: 'vote', operation, vote }, style: 'primary', opens: true };
    const view = notice('info', 'Deciding on this needs the name of what is destroyed.', [button]);
    return reply(context, request, view);
  }
  try {
    await castVote(context, ballot);
    context.meter.request('vote', vote);
    await replaceCopy(context, request, operation);
    if (request.place.dialog !== undefined)
      await reply(context, request, notice('success', 'Done: the card shows it.'));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const late = error.reason === 'not_yours' ? await find() : undefined;
    const stored = late && readOperation(late);
    const isAsked = stored?.state === 'waiting' && typeof stored.rule === 'object';
    // Names the approvers to a person who may not approve.
    const who = isAsked ? text(approversOf(stored, context.settings.admins), ' can approve it.') : undefined;
    const asked: ViewPart | undefined = who && { kind: 'text', text: who };
    const isOwn = asked !== undefined && stored?.requester === request.actor;
    const others = stored !== undefined && isOwn ? remindButtons(stored) : sayingButtons(error, ballot);
    const view = refusalView(error, { operation }, others);
    const [first, ...buttons] = view.parts;
    const parts = asked === undefined || first === undefined ? view.parts : [first, asked, ...buttons];
    await reply(context, request, { ...view, parts });
    context.meter.request('vote', 'refused');
    await replaceCopy(context, request, operation);
  }
}

/** Opens the form of a vote that came without the line that it needs. */
function sayingButtons({ field }: Refusal, { operation, vote }: Ballot): Button[] {
  const title = field === 'words' ? questions[vote]?.title : undefined;
  return title === undefined ? [] : [{ label: `${title}…`, intent: { do: 'vote', operation, vote }, opens: true }];
}

/**
 * If Slack's response to a card's first post was lost, the card exists twice and only the second is edited. After a
 * click on the first, a link to the second replaces it.
 */
async function replaceCopy({ directory, outbox, messenger }: EngineContext, request: Request, operation: string) {
  const { place } = request;
  if (place.message === undefined) return;
  const card = await outbox.posted(`card:${operation}`);
  if (card === undefined || card.ts === place.message || card.channel !== place.channel) return;
  const url = await directory.permalink(card.channel, card.ts).catch(() => undefined);
  const view = url && says(['This card was posted twice. ', { link: url, text: 'The other one' }, ' has its state.']);
  await messenger.replace(request, view || card.view);
}

/** Handles a button whose result is a message to the person who clicked. */
async function answerFrom(
  context: EngineContext,
  request: Request,
  { do: kind, operation }: Extract<Intent, { do: 'remind' | 'why' }>,
): Promise<void> {
  const answer = kind === 'remind' ? remind : explainRule;
  try {
    await reply(context, request, await answer(context, request, operation));
    context.meter.request(kind, 'answered');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await reply(context, request, refusalView(error, { operation }));
    context.meter.request(kind, 'refused');
  }
}

async function needsModal(context: EngineContext, request: Request): Promise<void> {
  const view = notice('info', 'Slack could not open the dialog. Click the button again.');
  await reply(context, request, view);
}

/**
 * Slack may deliver a missed command or click hours later. Instead of running it, the bot asks once at the same place
 * whether it is still wanted, and returns true.
 */
async function askWhetherWanted(
  { outbox, settings }: EngineContext,
  { id, at, actor, place, saidAt, ask }: Request,
  { parsed, text }: TypedLine,
): Promise<boolean> {
  if (saidAt === undefined || parsed.kind !== 'command' || parsed.missing.length > 0) return false;
  const pressed = ask.kind === 'intent' ? ask.intent : undefined;
  // A late click that only reads is harmless.
  if (pressed !== undefined && (pressed.do !== 'run' || parsed.command.kind === 'query')) return false;
  const isShort = text.length <= longestLineToRepeat;
  const doing = strikeSecrets(lineOf(parsed.command, parsed.raw), settings.knownSecrets);
  const still = isShort ? 'Still wanted?' : 'Send it again if it is still wanted.';
  const button: Button = { label: 'Ask now', intent: { ...pressed, do: 'run', line: text }, style: 'primary' };
  const view = says(
    [
      { user: actor },
      ' asked at ',
      { date: saidAt },
      `, ${sayDuration(at - saidAt)} ago: `,
      { code: `/host ${isShort ? doing : `${parsed.command.path} …`}` },
      `. Slack delivered it only now, so nothing was done. ${still}`,
    ],
    isShort ? [button] : [],
  );
  // A person on Home or in a dialog does not see the channel.
  const channel = place.kind === 'channel' || place.kind === 'dm' ? place.channel : actor;
  await outbox.put({ key: `late:${id}`, channel, threadTs: place.thread ?? place.message ?? null, view });
  return true;
}

/** A read is acknowledged at once, a change once it is stored, and a form by opening its dialog. */
type Acknowledgement = 'read' | 'change' | 'form';

export function acknowledgementOf({ ask }: Pick<Request, 'ask'>, typed: TypedLine | undefined): Acknowledgement {
  if (ask.kind === 'submit') return 'change';
  if (ask.kind === 'intent') {
    if (ask.intent.do === 'vote') return ask.intent.vote in questions ? 'form' : 'change';
    if (['alert', 'remind', 'ask-access', 'favorite'].includes(ask.intent.do)) return 'change';
    if (ask.intent.do === 'home' || ask.intent.do === 'why') return 'read';
    if (['form', 'open', 'reveal', 'review', 'schedule', 'access', 'notifications'].includes(ask.intent.do))
      return 'form';
  }
  if (typed === undefined) return 'form';
  const { parsed } = typed;
  if (parsed.kind !== 'command') return 'read';
  if (parsed.missing.length > 0 || dialogOf(typed) !== undefined) return 'form';
  return parsed.command.kind === 'query' ? 'read' : 'change';
}
