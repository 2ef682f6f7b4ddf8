import { z } from 'zod';
import { groupObject, userObject } from '../people.ts';
import { nowS } from '../workspace.ts';
import { defineMethod, flag, nextCursor, page, rates, SlackApiError, whole } from './method.ts';

export const peopleMethods = [
  defineMethod({
    name: 'users.info',
    scopes: ['users:read'],
    rate: rates.tier4,
    args: z.object({ user: z.string() }),
    run(args, workspace) {
      const person = workspace.state.people.find((candidate) => candidate.id === args.user);
      if (person === undefined) throw new SlackApiError('user_not_found');
      return { user: userObject(workspace, person) };
    },
  }),
  defineMethod({
    name: 'users.list',
    scopes: ['users:read'],
    rate: rates.tier2,
    args: z.object({ cursor: z.string().optional(), limit: whole(0, 1000) }),
    run(args, workspace) {
      const { items, next } = page(workspace.state.people, args.cursor, args.limit);
      return {
        members: items.map((person) => userObject(workspace, person)),
        cache_ts: nowS(workspace),
        ...nextCursor(next),
      };
    },
  }),
  defineMethod({
    name: 'usergroups.list',
    scopes: ['usergroups:read'],
    rate: rates.tier2,
    args: z.object({ include_users: flag, include_disabled: flag, include_count: flag }),
    run(args, workspace) {
      const groups = workspace.state.groups.filter((group) => args.include_disabled === true || !group.isDisabled);
      return {
        usergroups: groups.map((group) => groupObject(workspace, group, { isWithUsers: args.include_users === true })),
      };
    },
  }),
  defineMethod({
    name: 'usergroups.users.list',
    scopes: ['usergroups:read'],
    rate: rates.tier2,
    args: z.object({ usergroup: z.string(), include_disabled: flag }),
    run(args, workspace) {
      const group = workspace.state.groups.find((candidate) => candidate.id === args.usergroup);
      if (group === undefined || (group.isDisabled && args.include_disabled !== true))
        throw new SlackApiError('no_such_subteam');
      return { users: [...group.members] };
    },
  }),
];
