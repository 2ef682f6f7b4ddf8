import { z } from 'zod';
import { groupObject, userObject } from '../people.ts';
import { nowS } from '../world.ts';
import { defineMethod, flag, nextCursor, page, rates, SlackApiError, whole } from './method.ts';

export const peopleMethods = [
  defineMethod({
    name: 'users.info',
    scopes: ['users:read'],
    rate: rates.tier4,
    args: z.object({ user: z.string() }),
    run(args, world) {
      const person = world.state.people.find((candidate) => candidate.id === args.user);
      if (person === undefined) throw new SlackApiError('user_not_found');
      return { user: userObject(world, person) };
    },
  }),
  defineMethod({
    name: 'users.list',
    scopes: ['users:read'],
    rate: rates.tier2,
    args: z.object({ cursor: z.string().optional(), limit: whole(0, 1000) }),
    run(args, world) {
      const { items, next } = page(world.state.people, args.cursor, args.limit);
      return { members: items.map((person) => userObject(world, person)), cache_ts: nowS(world), ...nextCursor(next) };
    },
  }),
  defineMethod({
    name: 'usergroups.list',
    scopes: ['usergroups:read'],
    rate: rates.tier2,
    args: z.object({ include_users: flag, include_disabled: flag, include_count: flag }),
    run(args, world) {
      const groups = world.state.groups.filter((group) => args.include_disabled === true || !group.isDisabled);
      return {
        usergroups: groups.map((group) => groupObject(world, group, { isWithUsers: args.include_users === true })),
      };
    },
  }),
  defineMethod({
    name: 'usergroups.users.list',
    scopes: ['usergroups:read'],
    rate: rates.tier2,
    args: z.object({ usergroup: z.string(), include_disabled: flag }),
    run(args, world) {
      const group = world.state.groups.find((candidate) => candidate.id === args.usergroup);
      if (group === undefined || (group.isDisabled && args.include_disabled !== true))
        throw new SlackApiError('no_such_subteam');
      return { users: [...group.members] };
    },
  }),
];
