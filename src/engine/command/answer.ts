import type { ReadContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { shorten } from '../../core/grammar/tokens.ts';
import { day } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Button, Text, View, ViewPart } from '../../core/view/view.ts';
import { filesToSend, refreshButton, text, withCode } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { allowedNames } from '../access/allowed-names.ts';
import { personName } from '../access/say-names.ts';
import type { AnyQuery } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { longestLineToRepeat, operationId } from '../context/request.ts';
import { type CommandRequest, withNames } from './command-request.ts';
import type { CommandAnswer, CommandScope } from './command-scope.ts';
import { mustBeInChannel, notAllowed, noteAnswer, sayingWhenSlow, sayTook } from './command-scope.ts';
import { ownSettingsFor } from './through-token.ts';

/** A read view, the line that repeats the read, and that line with names instead of ids. */
interface Read {
  readonly view: View;
  readonly line: string;
  readonly saidLine: string;
}

/** Answers a read, to the requester or to the channel. */
export async function answer(context: EngineContext, scope: CommandScope, command: AnyQuery): Promise<CommandAnswer> {
  const { request, asking } = scope;
  const isShared = request.way?.kind === 'share';
  if (isShared) await mustBeShareable(context, request, command);
  const read = await readNow(context, scope, command);
  const note = (kind: 'answered' | 'shared') =>
    noteAnswer(context, { kind, actor: request.actor, channel: asking.channel, text: read.line });
  if (isShared) {
    await note((await share(context, request, read)) ? 'shared' : 'answered');
  } else {
    await Promise.all([show(context, scope, command, read), note('answered')]);
  }
  return 'answered';
}

/** Checks the rights and reads; throws a Refusal if the person may not. */
export async function readNow(context: EngineContext, scope: CommandScope, command: AnyQuery): Promise<Read> {
  const { request, access, asking, reading } = scope;
  const prepared = command.prepare(request.raw, reading);
  const decision = access.decide(command.capability, command.risk, prepared.targets);
  if (!decision.allowed)
    throw await notAllowed(context, command, allowedNames(access, prepared.targets, request), decision, scope);
  const { reads, note } = noticing(context, await context.readContext(asking, access));
  const running = prepared.run({ ...reads, own: ownSettingsFor(context, request) });
  const answered = await sayingWhenSlow(context, request, running);
  await note();
  const saidLine = lineOf(command, withNames(prepared.canonical, prepared.targets));
  const understood =
    request.isTaken === true ? await sayTook(context, request, `\`${shorten(saidLine)}\``) : request.note;
  // About parts of the line that were read differently than typed.
  const notes = [understood ?? [], prepared.notes].flat().join(' ');
  const parts: ViewPart[] = notes === '' ? [] : [{ kind: 'context', text: withCode(notes) }];
  const view = { ...answered, parts: [...answered.parts, ...parts] };
  return { view, line: lineOf(command, prepared.canonical), saidLine };
}

async function mustBeShareable(context: EngineContext, { place }: CommandRequest, { path, visibility }: AnyQuery) {
  const own = `\`${path}\` answers only the person who asks, so it cannot be shared.`;
  if (visibility === 'person') throw new Refusal('impossible', own, { hint: 'Ask without `--share`.' });
  const direct = 'This is a direct message: there is nobody to share it with.';
  const hint = 'Ask in the channel that should see it.';
  if (place.kind !== 'channel') throw new Refusal('impossible', direct, { hint });
  await mustBeInChannel(context, place, 'it cannot post what you want to share');
}

/** Returns false if Slack showed the response only to the person. */
async function share(context: EngineContext, request: CommandRequest, { view, line, saidLine }: Read) {
  const { actor, place, way } = request;
  const answered = way?.kind === 'share' ? way.answer : undefined;
  const name = `share:${actor}:${answered}`;
  // Two clicks on one button share the response once.
  if (answered !== undefined && !(await context.store.leases.acquire(name, request.id, day)))
    throw new Refusal('closed', 'You shared this answer already.', { hint: 'Ask again to share it as it is now.' });
  let isSeen = false;
  try {
    const by = await byLine(context, actor, 'shared', saidLine);
    isSeen = await context.messenger.answer(place, actor, under(by, view));
  } finally {
    if (!isSeen && answered !== undefined) await context.store.leases.giveBack(name, request.id);
  }
  if (isSeen && answered !== undefined)
    await context.messenger.replace(request, withFoot(view, [refreshButton(line)], 'Shared with this channel.'));
  return isSeen;
}

async function show(
  context: EngineContext,
  { request, access }: CommandScope,
  { visibility }: AnyQuery,
  { view, line, saidLine }: Read,
): Promise<void> {
  const { actor, place, way } = request;
  if (place.dialog !== undefined) return context.messenger.postEphemeral(place, actor, view);
  const isInChannel = place.kind === 'channel';
  const isMention = way?.kind === 'mention';
  const isForAll = isInChannel && visibility === 'channel' && (isMention || access.policy?.reads === 'public');
  if (isForAll && isMention) {
    // In the thread of the message that mentions the bot.
    const thread = place.thread ?? place.message;
    await context.messenger.answer(thread === undefined ? place : { ...place, thread }, actor, view);
    return;
  }
  const share: Button = { label: 'Share here', intent: { do: 'share', line, answer: operationId(request.id) } };
  const buttons = isForAll || !isInChannel ? [refreshButton(line)] : [share, refreshButton(line)];
  const own = visibility === 'person' ? view : withFoot(view, buttons);
  const shown = isForAll ? under(await byLine(context, actor, 'asked for', saidLine), own) : own;
  const isOwnMessage = place.message === undefined || !isInChannel;
  // Others may see less than this person: a message for all is replaced only in channels with public reads.
  const isReplaceable = way?.kind === 'refresh' && (isForAll ? filesToSend(view).length === 0 : isOwnMessage);
  if (isReplaceable && (await context.messenger.replace(request, shown))) return;
  const answerView = isReplaceable ? withFoot(shown, [], tooOld) : shown;
  if (isForAll) await context.messenger.answer(place, actor, answerView);
  else await context.messenger.postEphemeral(place, actor, answerView);
}

const tooOld = 'The message before this one is too old to be refreshed, so this is a new one.';

/** A plain name, since a mention would notify the requester. */
async function byLine(context: EngineContext, actor: string, did: string, line: string): Promise<Text> {
  const name = await personName(context, actor, 'Somebody here');
  return [`${name} ${did} `, { code: `/host ${line}` }];
}

function under(by: Text, view: View): View {
  return { ...view, summary: text(by, ': ', view.summary), parts: [{ kind: 'context', text: by }, ...view.parts] };
}

function withFoot(view: View, buttons: readonly Button[], words?: string): View {
  const fitting = buttons.filter(({ intent }) => !('line' in intent) || intent.line.length <= longestLineToRepeat);
  return {
    ...view,
    parts: [
      ...view.parts,
      ...(words === undefined ? [] : [{ kind: 'context', text: words } as const]),
      ...(fitting.length === 0 ? [] : [{ kind: 'menu', label: 'More', options: fitting, isOverflow: true } as const]),
    ],
  };
}

/**
 * Passes power states that people read to the alert rule for power: the next sweep starts with the servers whose state
 * differs from the last sweep. Call `note` after the read.
 */
function noticing({ store, log }: EngineContext, reads: ReadContext<Reader>) {
  const seen = new Map<string, string>();
  const { vps } = reads.reader;
  const status: Reader['vps']['status'] = async (params) => {
    const read = await vps.status(params);
    seen.set(params.order_id, read.status);
    return read;
  };
  return {
    reads: { ...reads, reader: { ...reads.reader, vps: { ...vps, status } } },
    note: async () => {
      if (seen.size === 0) return;
      try {
        const observed = await store.values.find('power', [...seen.keys()]);
        const changed = [...seen].filter(
          ([id, power]) => power !== 'unknown' && (observed.get(id)?.value.seen ?? power) !== power,
        );
        await store.values.write('turn', Object.fromEntries(changed.map(([id]) => [`power:${id}`, null])), 0);
      } catch (error) {
        log.warn({ err: error }, 'could not note which servers the next sweep reads first');
      }
    },
  };
}
