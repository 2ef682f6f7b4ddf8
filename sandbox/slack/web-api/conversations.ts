import { z } from 'zod';
import { channelObject, isVisibleToBot, openDm } from '../channels.ts';
import type { SimChannel } from '../state.ts';
import { findPerson, type Workspace } from '../workspace.ts';
import { needScope, readable, readScopes } from './channels.ts';
import { defineMethod, flag, nextCursor, page, rates, SlackApiError, whole } from './method.ts';

const anyRead = Object.values(readScopes);
const kindNames: Record<string, SimChannel['kind']> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: 'mpim',
};

const listArgs = z.object({
  types: z.string().default('public_channel'),
  exclude_archived: flag,
  cursor: z.string().optional(),
  limit: whole(100, 1000),
});

export const conversationMethods = [
  defineMethod({
    name: 'conversations.open',
    scopes: ['im:write'],
    rate: rates.tier3,
    args: z.object({ users: z.string().optional(), channel: z.string().optional(), return_im: flag }),
    run(args, workspace) {
      const ids = (args.users ?? '').split(',').filter((id) => id !== '');
      if (args.channel !== undefined) return { channel: { id: readable(workspace, args.channel).id } };
      const [id, ...others] = ids;
      if (id === undefined) throw new SlackApiError('users_list_not_supplied');
      // The simulation supports no group conversations, and refuses them instead of choosing one person.
      if (others.length > 0) throw new SlackApiError('invalid_user_combination');
      const person = findPerson(workspace.state, id);
      if (person === undefined) throw new SlackApiError('user_not_found');
      if (person.isDeactivated) throw new SlackApiError('user_disabled');
      if (person.isBot) throw new SlackApiError('cannot_dm_bot');
      const isNew = !workspace.state.channels.some(
        (channel) => channel.kind === 'im' && isVisibleToBot(workspace, channel) && channel.members.includes(person.id),
      );
      const channel = openDm(workspace, person);
      return {
        ...(isNew ? {} : { no_op: true, already_open: true }),
        channel: args.return_im === true ? channelObject(workspace, channel) : { id: channel.id },
      };
    },
  }),
  defineMethod({
    name: 'conversations.info',
    scopes: anyRead,
    rate: rates.tier3,
    args: z.object({ channel: z.string(), include_num_members: flag }),
    run(args, workspace) {
      const channel = readable(workspace, args.channel);
      const members = args.include_num_members === true ? { num_members: channel.members.length } : {};
      return { channel: { ...channelObject(workspace, channel), ...members } };
    },
  }),
  defineMethod({
    name: 'conversations.members',
    scopes: anyRead,
    rate: rates.tier4,
    args: z.object({ channel: z.string(), cursor: z.string().optional(), limit: whole(100, 1000) }),
    run(args, workspace) {
      const { items, next } = page(readable(workspace, args.channel).members, args.cursor, args.limit);
      return { members: items, ...nextCursor(next) };
    },
  }),
  defineMethod({
    name: 'conversations.list',
    scopes: anyRead,
    rate: rates.tier2,
    args: listArgs,
    run(args, workspace) {
      const visible = ofKinds(workspace, args).filter((channel) => isVisibleToBot(workspace, channel));
      const { items, next } = page(visible, args.cursor, args.limit);
      const shown = items.map((channel) => ({
        ...channelObject(workspace, channel),
        num_members: channel.members.length,
      }));
      return { channels: shown, ...nextCursor(next) };
    },
  }),
  defineMethod({
    name: 'users.conversations',
    scopes: anyRead,
    rate: rates.tier3,
    args: listArgs,
    run(args, workspace) {
      const joined = ofKinds(workspace, args).filter(({ members }) => members.includes(workspace.state.app.botUserId));
      const { items, next } = page(joined, args.cursor, args.limit);
      // Slack's response has neither the members nor, since the bot is one, its membership.
      const shown = items.map((channel) => ({ ...channelObject(workspace, channel), is_member: undefined }));
      return { channels: shown, ...nextCursor(next) };
    },
  }),
];

/** The channels of the requested kinds, each of which needs its scope. */
function ofKinds(workspace: Workspace, args: z.output<typeof listArgs>): readonly SimChannel[] {
  const kinds = args.types.split(',').map((name) => name.trim());
  for (const name of kinds) {
    if (kindNames[name] === undefined) throw new SlackApiError('invalid_types');
  }
  const wanted = new Set(kinds.map((name) => kindNames[name]));
  for (const kind of wanted) {
    if (kind !== undefined) needScope(workspace, kind);
  }
  return workspace.state.channels.filter(
    (channel) => wanted.has(channel.kind) && !(args.exclude_archived === true && channel.isArchived),
  );
}
