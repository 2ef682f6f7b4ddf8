import { emptyAccount, type Target } from '../../core/account/account.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { Reading } from '../../core/targets/targets.ts';
import { Refusal, type Suggestion } from '../../core/view/errors.ts';
import { type Button, says, type View } from '../../core/view/view.ts';
import { accessAt, accessesOf, slackDidNotSay } from '../access/access.ts';
import { maySeeFor } from '../access/allowed-names.ts';
import { nameOr } from '../access/say-names.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import { type EngineContext, timeZoneOf } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';
import { type CommandRequest, withNames } from './command-request.ts';

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
  if (command.capability === 'none') return { place, access: here };
  const { targets } = command.prepare(request.raw, await readingFor(context, command, here));
  const isAllowed = (access: Access) => access.decide(command.capability, command.risk, targets).allowed;
  if (command.kind === 'query' && isAllowed(here)) return { place, access: here };
  const allowing = [...(await accessesOf(context, actor))].filter(
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
  const channels = [...(await accessesOf(context, actor)).keys()].slice(0, 3);
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
  const maySee = maySeeFor(command, access);
  return {
    account: command.needsAccount ? await context.accountReader.read() : emptyAccount,
    maySee,
    clock: { now: context.now(), timeZone: await timeZoneOf(context, access.actor.id) },
  };
}
