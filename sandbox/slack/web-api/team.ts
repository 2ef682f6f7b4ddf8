import { z } from 'zod';
import type { SocketMode } from '../delivery/socket.ts';
import { defineMethod, rates, type SimMethod, SlackApiError } from './method.ts';

const nothing = z.object({});

export const teamMethods = [
  defineMethod({
    name: 'auth.test',
    scopes: [],
    rate: rates.special,
    args: nothing,
    run(_args, { state: { team, app } }) {
      return {
        url: `https://${team.domain}.slack.com/`,
        team: team.name,
        user: app.name.toLowerCase(),
        team_id: team.id,
        user_id: app.botUserId,
        bot_id: app.botId,
        is_enterprise_install: false,
      };
    },
  }),
  defineMethod({
    name: 'team.info',
    scopes: ['team:read'],
    rate: rates.tier3,
    args: z.object({ team: z.string().optional() }),
    run(args, { state: { team } }) {
      if (args.team !== undefined && args.team !== team.id) throw new SlackApiError('team_not_found');
      return {
        team: {
          id: team.id,
          name: team.name,
          domain: team.domain,
          url: `https://${team.domain}.slack.com/`,
          email_domain: '',
          icon: {},
        },
      };
    },
  }),
  defineMethod({
    name: 'bots.info',
    scopes: ['users:read'],
    rate: rates.tier3,
    args: z.object({ bot: z.string().optional() }),
    run(args, { state: { app } }) {
      if (args.bot !== app.botId) throw new SlackApiError('bot_not_found');
      return {
        bot: {
          id: app.botId,
          deleted: false,
          name: app.name,
          updated: 0,
          app_id: app.id,
          user_id: app.botUserId,
          icons: {},
        },
      };
    },
  }),
];

/** The only method of the app-level token. */
export const connectionMethod = (socketMode: SocketMode): SimMethod =>
  defineMethod({
    name: 'apps.connections.open',
    token: 'app',
    scopes: [],
    rate: rates.special,
    args: nothing,
    run() {
      if (!socketMode.isEnabled()) throw new SlackApiError('socket_mode_not_enabled');
      return { url: socketMode.issueUrl() };
    },
  });
