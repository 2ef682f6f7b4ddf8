import { emptyAccount, type Target } from '../../core/account/account.ts';
import { aside } from '../../core/async/aside.ts';
import type { Asking } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { shorten } from '../../core/grammar/tokens.ts';
import type { Plan } from '../../core/plan/plan.ts';
import type { Reading } from '../../core/targets/targets.ts';
import { defined } from '../../core/text/defined.ts';
import type { Json } from '../../core/text/json.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { sayDuration } from '../../core/text/words.ts';
import { Refusal, StoreUnavailable, type Suggestion } from '../../core/view/errors.ts';
import { type Button, says, type Text, type View } from '../../core/view/view.ts';
import type { AuditEntry } from '../../store/audit/audit-lines.ts';
import { accessAt, channelsOf, slackDidNotSay } from '../access/access.ts';
import { seeingFor } from '../access/allowed-names.ts';
import { nameOr, sayIds, sayNames } from '../access/say-names.ts';
import { decideOn, weightsOfLine } from '../access/weights.ts';
import type { Access } from '../context/access-port.ts';
import { type AnyCommand, isPlan } from '../context/dependencies.ts';
import { type EngineContext, timeZoneOf } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';
import { type CommandRequest, withNames } from './command-request.ts';

/** The kind of response, for the audit and the metrics. */
export type CommandAnswer = 'answered' | 'asked' | 'nothing_to_do' | 'refused' | 'failed' | 'not_understood';

/** A parsed command with everything needed to answer or request it. */
export interface CommandScope {
  readonly request: CommandRequest;
  /** The channel whose policy decides and which gets the card; differs from the request's place in a direct message. */
  readonly place: Place;
  readonly access: Access;
  readonly asking: Asking;
  readonly reading: Reading;
}

export async function commandScopeOf(
  context: EngineContext,
  request: CommandRequest,
  { place, access }: Pick<CommandScope, 'place' | 'access'>,
): Promise<CommandScope> {
  const asking: Asking = { actor: request.actor, channel: place.channel, thread: place.thread };
  return { request, place, access, asking, reading: await readingFor(context, request.command, access) };
}

/** Logs an entry that the database cannot store: a failed audit entry must not turn a response into an error. */
export async function noteAnswer(context: EngineContext, entry: AuditEntry): Promise<void> {
  try {
    await context.audit(entry);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    context.log.error({ err: error, kind: entry.kind, actor: entry.actor }, 'a response is missing in the audit');
  }
}

const slowAfterMs = 3_000;

/** Posts that the bot is still waiting for the provider if the work is slow. */
export async function sayingWhenSlow<T>(context: EngineContext, request: CommandRequest, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {
    const snapshot = context.accountReader.peek();
    const age =
      snapshot === undefined ? '' : ` The last known state is ${sayDuration(context.now() - snapshot.readAt)} old.`;
    const view = says(`The provider is slow to respond; the bot is still waiting for it.${age}`);
    const saying = context.messenger.postEphemeral(request.place, request.actor, view);
    aside(saying, context.log, 'saying that the provider is slow');
  }, slowAfterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

export async function notAllowed(
  { directory }: EngineContext,
  command: AnyCommand,
  names: string,
  decision: { readonly reason: Refusal['reason']; readonly because: Text },
  { request, access, place }: Pick<CommandScope, 'request' | 'access' | 'place'>,
): Promise<Refusal> {
  const about = names === '' ? '' : ` on ${names}`;
  const because = await sayNames(directory, decision.because);
  // A person without any right here may not use `why` either.
  const mayAskWhy = access.decide('none', 'safe', []).allowed;
  const why = `/host why ${command.path} ${names.replaceAll(',', '')}`.trim();
  return new Refusal(decision.reason, `You may not use \`/host ${command.path}\`${about} here: ${because}.`, {
    ...(mayAskWhy && { hint: `\`${why}\` explains it.` }),
    suggestions: place.kind === 'channel' ? wayToAccess(request, access, decision.reason) : [],
  });
}

/** One button that helps: an admin opens the grant dialog, others request access. No grant makes a person an admin. */
function wayToAccess({ command, raw }: CommandRequest, { actor }: Access, reason: Refusal['reason']) {
  const isByName = actor.membership === 'guest' || actor.membership === 'stranger';
  const isMissing = reason === 'not_granted' || reason === 'no_policy' || (reason === 'posture' && isByName);
  if (command.capability === 'admin') return [{ label: 'Show who may do what', command: 'access' }];
  if (!isMissing) return [];
  // A guest may use commands for every member as soon as they may read something.
  if (command.capability === 'none')
    return isByName ? [{ label: 'Ask for access', command: 'list', asksAccess: true }] : [];
  if (actor.isAdmin)
    return [{ label: 'Give access…', command: `access grant @${actor.id} ${command.capability}`, isForm: true }];
  return [{ label: 'Ask for access', command: lineOf(command, raw), asksAccess: true }];
}

/** `so`: the consequence, for the text of the refusal. */
export async function mustBeInChannel(context: EngineContext, place: Place, so: string): Promise<void> {
  const channel = await context.directory.channel(place.channel).catch(() => undefined);
  if (channel?.hasBot) return;
  throw new Refusal('impossible', `The bot is not in this channel, so ${so}.`, {
    hint: 'Type `/invite @Hostler` here and ask again. Nothing was started.',
  });
}

/** Whether the line, or a name in it, was read as something else than what was typed. */
export function isReadOtherwise({ isTaken }: CommandRequest, notes: readonly string[]): boolean {
  return isTaken === true || notes.length > 0;
}

/** `Took “how is web-1” as `status web-1`. Left out: “please”.` */
export async function sayTook(
  { directory, settings }: Pick<EngineContext, 'directory' | 'settings'>,
  { typed = '', left = '' }: Pick<CommandRequest, 'typed' | 'left'>,
  meaning: string,
): Promise<string> {
  const quoted = async (words: string) => strikeSecrets(await sayIds(directory, shorten(words)), settings.knownSecrets);
  const unused = left === '' ? '' : ` Left out: “${await quoted(left)}”.`;
  return `Took “${await quoted(typed)}” as ${meaning}.${unused}`;
}

/** The words of the person that the card shows: the reason, and the line where it was read as something else. */
export async function saidWith(
  context: EngineContext,
  request: CommandRequest,
  { title }: Pick<Plan<Json>, 'title'>,
  notes: readonly string[],
): Promise<Pick<Plan<Json>, 'reason' | 'took'>> {
  const { reason, note, typed } = request;
  const isElse = isReadOtherwise(request, notes);
  const took = !isElse ? note : typed === undefined ? notes.join(' ') : await sayTook(context, request, title);
  const why = reason === undefined ? undefined : await sayIds(context.directory, reason);
  return defined({ reason: why, took });
}

/** The refusal of a line that names another channel: the rules of the channel in which it is typed decide. */
export function refusalElsewhere({ kind, channel }: Place, under: string | undefined): Refusal | undefined {
  if (kind !== 'channel' || under === undefined || under === channel) return undefined;
  const hint = 'Type it there, or in a direct message.';
  return new Refusal('impossible', 'That is about another channel.', { hint });
}

type Resolved = { readonly place: Place; readonly access: Access } | Several;

/** The channels that allow a change, and its targets. */
interface Several {
  readonly channels: readonly string[];
  readonly targets: readonly Target[];
}

/**
 * A direct message has no policy. A read is allowed by the grants of all of the person's channels; a change is made
 * under one channel that allows it, and the person chooses among several.
 */
export async function resolveChannel(context: EngineContext, request: CommandRequest): Promise<Resolved> {
  const { place, command, actor } = request;
  const here = await accessAt(context, actor, place);
  if (place.kind === 'channel') return { place, access: here };
  if (command.isAboutChannel) {
    throw new Refusal('impossible', `\`/host ${command.path}\` is about a channel.`, {
      hint: 'Type it in the channel that you mean.',
    });
  }
  if (command.capability === 'none' && !isPlan(command)) return { place, access: here };
  const prepared = command.prepare(request.raw, await readingFor(context, command, here));
  const { targets } = prepared;
  const isAllowed = (access: Access) => decideOn(access, weightsOfLine(command, prepared)).allowed;
  if (command.kind === 'query' && isAllowed(here)) return { place, access: here };
  const allowing = [...(await channelsOf(context, actor)).accesses].filter(
    ([channel, access]) => isAllowed(access) && (request.under === undefined || request.under === channel),
  );
  const [first, second] = allowing;
  if (first === undefined && here.isUnsure)
    throw slackDidNotSay(`so it is not known whether you may use \`/host ${command.path}\` on this.`);
  if (first === undefined) {
    throw new Refusal('no_policy', `None of your channels lets you use \`/host ${command.path}\` on this.`, {
      suggestions: await waysToAsk(context, request),
    });
  }
  // No button could repeat a line with a file, which only a form can provide.
  const isRepeatable = Object.keys(request.raw).every((name) => command.args[name]?.place !== 'form');
  if (second !== undefined && isRepeatable) return { channels: allowing.map(([channel]) => channel), targets };
  const [channel, access] = first;
  return { place: { channel, kind: 'channel' }, access };
}

/** Suggests requesting the right in the person's channels that have a policy. */
async function waysToAsk(
  context: EngineContext,
  { command, raw, actor }: Pick<CommandRequest, 'command' | 'raw' | 'actor'>,
): Promise<Suggestion[]> {
  if (command.capability === 'admin') return [{ label: 'Help', command: 'help' }];
  const channels = [...(await channelsOf(context, actor)).accesses.keys()].slice(0, 3);
  const asks = await Promise.all(
    channels.map(async (channel) => ({
      label: `Ask for access in #${await nameOr(context.directory.channel(channel), 'another channel')}`,
      command: lineOf(command, raw),
      asksAccess: true,
      in: channel,
    })),
  );
  return asks.length === 0 ? [{ label: 'Help', command: 'help' }] : asks;
}

/** Slack's limit of buttons in a row. */
const mostChannels = 25;

/** Lets the person choose the channel of a change: rules may differ, and the card is posted there. */
export async function whichChannel(
  context: EngineContext,
  { command, raw, reason }: CommandRequest,
  { channels, targets }: Several,
): Promise<View> {
  const line = lineOf(command, raw, reason);
  const saidLine = lineOf(command, withNames(raw, targets), reason);
  const words = 'Several of your channels allow this. Choose the one whose rules decide; the card is posted there.';
  const options = await Promise.all(
    channels.slice(0, mostChannels).map(
      async (channel): Promise<Button> => ({
        label: `#${await nameOr(context.directory.channel(channel), 'another channel')}`,
        intent: { do: 'run', line, in: channel },
      }),
    ),
  );
  return { ...says([{ code: `/host ${saidLine}` }, ` · ${words}`], options), summary: words };
}

export async function readingFor(context: EngineContext, command: AnyCommand, access: Access): Promise<Reading> {
  return {
    account: command.needsAccount ? await context.accountReader.read() : emptyAccount,
    ...seeingFor(command, access),
    clock: { now: context.now(), timeZone: await timeZoneOf(context, access.actor.id) },
  };
}
