import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import type { ChannelChange, Engine } from '../../engine/context/ports.ts';
import type { ClockReading, IncomingPayload } from './read-payload.ts';
import { id, lateness, lineOf, placeOf, readPayload, requestId } from './read-payload.ts';

const envelope = z.object({ event_id: id, event: z.looseObject({ type: z.string() }) });

export type Happening =
  | { readonly kind: 'said'; readonly incoming: IncomingPayload }
  | { readonly kind: 'home'; readonly user: string }
  | Parameters<Engine['changed']>[0]
  | { readonly kind: 'person'; readonly id: string }
  /** The cached name or members of the channel are outdated. */
  | { readonly kind: 'outdated'; readonly channel: string }
  | { readonly kind: 'group' }
  | { readonly kind: 'revoked'; readonly why: string };

export interface Self {
  readonly botUserId: string;
}

type Reader = (event: unknown, eventId: string, self: Self, clocks: ClockReading) => Happening | undefined;

const messageEvent = z.object({
  user: id.optional(),
  text: z.string().default(''),
  channel: id,
  ts: id.optional(),
  event_ts: id.optional(),
  thread_ts: z.string().optional(),
  subtype: z.string().optional(),
  // Each of these three fields marks a bot. Slack sends all three today; one is enough.
  bot_id: z.unknown().optional(),
  bot_profile: z.unknown().optional(),
  app_id: z.unknown().optional(),
  edited: z.unknown().optional(),
  channel_type: z.string().optional(),
});

/** Subtypes of people's messages: plain, with a file, and from a thread to its channel too. */
const lineSubtypes: ReadonlySet<string | undefined> = new Set([undefined, 'file_share', 'thread_broadcast']);

/** Reads a person's line. Bots' messages, edits and other kinds of messages are not commands. */
const readMessage =
  (isMention: boolean): Reader =>
  (event, eventId, self, clocks) => {
    const message = readPayload('message', messageEvent, event);
    // A direct message has its own event; running its mention too would run it twice (openclaw#32190).
    if (isMention ? message.channel.startsWith('D') : message.channel_type !== 'im') return undefined;
    const isFromBot = [message.bot_id, message.bot_profile, message.app_id].some((sign) => (sign ?? '') !== '');
    const isFromPerson = message.user !== undefined && !isFromBot && message.user !== self.botUserId;
    if (!isFromPerson || !lineSubtypes.has(message.subtype) || message.edited !== undefined) return undefined;
    return {
      kind: 'said',
      incoming: {
        request: {
          id: requestId(`event:${eventId}`),
          actor: message.user ?? '',
          place: placeOf(message.channel, { thread: message.thread_ts, message: isMention ? message.ts : undefined }),
          at: clocks.now,
          ...lateness(message.event_ts ?? message.ts, clocks),
          ask: { kind: 'line', line: lineOf(message.text, self.botUserId), ...(isMention ? { isMention } : {}) },
        },
        opens: false,
      },
    };
  };

const withChannel = z.object({ channel: z.union([id, z.object({ id })]) });
const channelOf = (event: unknown): string => {
  const { channel } = readPayload('channel event', withChannel, event);
  return typeof channel === 'string' ? channel : channel.id;
};

const changed =
  (change: ChannelChange): Reader =>
  (event) => ({ kind: 'channel', id: channelOf(event), change });

const renamed: Reader = (event) => ({ kind: 'outdated', channel: channelOf(event) });

const member = z.object({ user: id, channel: id, inviter: id.optional() });

const memberChanged =
  (change: ChannelChange): Reader =>
  (event, eventId, self) => {
    const { user, channel, inviter } = readPayload('membership event', member, event);
    if (user !== self.botUserId) return { kind: 'outdated', channel };
    const invitation = inviter === undefined ? undefined : { by: inviter, event: eventId };
    return { kind: 'channel', id: channel, change, ...defined({ invitation }) };
  };

const channelId = id.regex(/^[A-Z0-9]+$/);
const movedChannel = z.object({ old_channel_id: channelId, new_channel_id: channelId });

const shared = z.object({ channel: id, connected_team_id: id.optional() });
const unshared = z.object({
  channel: id,
  is_ext_shared: z.boolean().default(false),
  previously_connected_team_id: id.optional(),
});

const revoked = z.object({
  tokens: z.object({ bot: z.array(z.string()).nullish() }),
});

/** All events of the manifest. Slack names the events of private channels after groups. */
export const events: Readonly<Record<string, Reader>> = {
  app_mention: readMessage(true),
  message: readMessage(false),
  app_home_opened: (event) => {
    const { user, tab } = readPayload('opened Home', z.object({ user: id, tab: z.string().default('home') }), event);
    return tab === 'home' ? { kind: 'home', user } : undefined;
  },
  channel_id_changed: (event) => {
    const { old_channel_id: from, new_channel_id: to } = readPayload('channel with another id', movedChannel, event);
    return { kind: 'moved', from, to };
  },
  channel_shared: (event) => {
    const { channel, connected_team_id: joined } = readPayload('shared channel', shared, event);
    return { kind: 'channel', id: channel, change: 'shared', ...defined({ joined }) };
  },
  channel_unshared: (event) => {
    const { channel: id, ...read } = readPayload('unshared channel', unshared, event);
    // The channel is still shared if another organization stayed.
    const change = read.is_ext_shared ? 'shared' : 'unshared';
    return { kind: 'channel', id, change, ...defined({ left: read.previously_connected_team_id }) };
  },
  channel_archive: changed('archived'),
  channel_unarchive: changed('unarchived'),
  channel_rename: renamed,
  channel_left: changed('bot_left'),
  group_archive: changed('archived'),
  group_unarchive: changed('unarchived'),
  group_rename: renamed,
  group_left: changed('bot_left'),
  member_joined_channel: memberChanged('bot_joined'),
  member_left_channel: memberChanged('bot_left'),
  user_change: (event) => ({
    kind: 'person',
    id: readPayload('changed person', z.object({ user: z.object({ id }) }), event).user.id,
  }),
  subteam_created: () => ({ kind: 'group' }),
  subteam_updated: () => ({ kind: 'group' }),
  subteam_members_changed: () => ({ kind: 'group' }),
  tokens_revoked: (event) => {
    const { tokens } = readPayload('revoked token', revoked, event);
    return tokens.bot?.length ? { kind: 'revoked', why: 'tokens_revoked' } : undefined;
  },
  app_uninstalled: () => ({ kind: 'revoked', why: 'app_uninstalled' }),
};

export function readEvent(payload: unknown, self: Self, clocks: ClockReading): Happening | undefined {
  const { event_id, event } = readPayload('event', envelope, payload);
  return Object.hasOwn(events, event.type) ? events[event.type]?.(event, event_id, self, clocks) : undefined;
}
