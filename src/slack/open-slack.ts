import { App, type Receiver } from '@slack/bolt';
import { z } from 'zod';
import { createForwardClock } from '../core/async/forward-clock.ts';
import { within } from '../core/async/within.ts';
import { sentenceStart } from '../core/text/words.ts';
import type { Log } from '../engine/context/dependencies.ts';
import type { Outbox } from '../engine/context/outbox.ts';
import type { ConnectionState, Engine } from '../engine/context/ports.ts';
import { type HttpRoute, openServer } from '../http/server.ts';
import { guardPayloads } from './bolt/every-payload.ts';
import { createHttpRequests } from './bolt/http-requests.ts';
import { createSockets } from './bolt/sockets.ts';
import { startDelivery } from './deliver.ts';
import { createDirectory } from './directory.ts';
import { faultOf, remedyOf, SlackError, sayCode, sayFault, tokenOfPerson } from './faults.ts';
import { createOutage } from './flow/context.ts';
import { showHome } from './flow/happen.ts';
import { createRunning, listen } from './listen.ts';
import { createMessenger } from './messenger.ts';
import { createLadder, type SlackRefusal } from './outbound/ladder.ts';
import { createModals } from './outbound/modals.ts';
import { createVoice } from './outbound/voice.ts';
import { createResponseUrls } from './response-urls.ts';
import { createSlackAddresses } from './slack-addresses.ts';
import { boltLogger } from './slack-log.ts';
import { type CallHooks, clientOptions, createWeb, methods, type Web } from './web.ts';

interface SlackConfig {
  readonly botToken: string;
  /** Selects Socket Mode. Without it, requests come over HTTP, signed with the secret. */
  readonly appToken?: string | undefined;
  readonly signingSecret?: string | undefined;
  /** Another server that speaks Slack's Web API, such as the sandbox. */
  readonly apiUrl?: string | undefined;
  /** The port for health, metrics and hooks, and in HTTP mode for Slack's requests. 0 uses a free port. */
  readonly port: number;
  readonly host?: string | undefined;
}

export interface SlackHooks extends CallHooks {
  /** Called for a request with a wrong, old or missing signature. */
  readonly onSignatureFailure?: () => void;
  readonly onRefusal?: (refusal: SlackRefusal) => void;
  /** Called with the time from a payload's arrival to its acknowledgement. */
  readonly onAcknowledged?: (ms: number) => void;
}

export type SlackSide = Awaited<ReturnType<typeof openSlack>>;
export type SlackConnection = Awaited<ReturnType<SlackSide['connect']>>;

const stopWithinMs = 10_000;

const authAnswer = z.object({
  user_id: z.string(),
  bot_id: z.string().optional(),
  team_id: z.string(),
  team: z.string().default(''),
  url: z.url().optional(),
  scopes: z.array(z.string()).optional(),
});

type Identity = Awaited<ReturnType<typeof readBot>>['identity'];

async function readBot(web: Web) {
  const { user_id, bot_id, team_id, team, ...rest } = await web.call('auth.test', {}, authAnswer);
  // For a person's token Slack returns no bot_id.
  if (bot_id === undefined) throw new SlackError({ kind: 'revoked', code: tokenOfPerson });
  return { ...rest, identity: { botUserId: user_id, botId: bot_id, teamId: team_id, teamName: team } };
}

/** Reads the bot's identity and opens what the engine needs from Slack. `connect` accepts payloads for the engine. */
export async function openSlack(
  config: SlackConfig,
  log: Log,
  { hooks = {}, now = Date.now }: { hooks?: SlackHooks; now?: () => number } = {},
) {
  const web = createWeb(config.botToken, log, config.apiUrl, hooks, now);
  const { identity, scopes, url } = await readBot(web).catch((error: unknown) => {
    const fault = faultOf(error);
    const remedy = sentenceStart(remedyOf(fault));
    throw new Error(`starting: asking Slack who the bot is: ${sayFault(fault)}. ${remedy}.`, { cause: error });
  });
  const addresses = createSlackAddresses(config.apiUrl);
  const urls = createResponseUrls(now, { addresses, log });
  const { botToken } = config;
  const { teamId } = identity;
  const canReadChannels = methods['conversations.info'].every((scope) => scopes?.includes(scope) === true);
  const directory = createDirectory({ web, log, teamId, botToken, addresses, canReadChannels, now });
  const ladder = createLadder(log, hooks.onRefusal);
  const voice = createVoice({ web, log, addresses, ladder, groups: directory.groups });
  const modals = createModals(voice);
  const messenger = createMessenger(voice, urls, modals, url);

  const connect = async (engine: Engine, outbox: Outbox, routes: readonly HttpRoute[] = []) => {
    const running = createRunning();
    const outage = createOutage(createForwardClock(now));
    const flowContext = { engine, messenger, directory, modals, urls, web, log, outage, self: identity };
    const receiver = receive(config, log, identity, hooks, (app) =>
      listen(app, flowContext, running, now, hooks.onAcknowledged),
    );
    const listening = await openServer(
      [...routes, ...receiver.routes],
      config,
      (error) => log.error({ err: error }, 'could not answer an HTTP request'),
      (client) => log.warn({ client }, 'too many connections of one client: the oldest of them are closed'),
    );
    try {
      await receiver.sockets?.start();
    } catch (error) {
      await receiver.sockets?.stop();
      await listening.close(0);
      throw new Error(`starting: connecting to Slack: ${error instanceof Error ? error.message : 'no reason given'}`, {
        cause: error,
      });
    }
    const stopShowingHomes = engine.onHomeChange((user, view) => showHome(flowContext, user, async () => view));
    const delivery = startDelivery(voice, outbox, now);
    return {
      port: listening.port,
      state: (): ConnectionState => {
        const sockets = receiver.sockets?.state() ?? { connected: 0, wanted: 0, lastError: undefined };
        const code = web.revoked();
        const revoked = code === undefined ? undefined : sayCode(code);
        const { sending, waiting } = delivery.state();
        return {
          mode: receiver.sockets === undefined ? 'http' : 'socket',
          sockets: { connected: sockets.connected, wanted: sockets.wanted },
          revoked,
          lastError: revoked ?? sockets.lastError,
          running: running.count(),
          sending,
          waitingChannels: waiting,
          isReady: revoked === undefined && (receiver.sockets === undefined || sockets.connected > 0),
        };
      },
      /** Accepts no new payloads, finishes running work and delivers due messages, for at most ten seconds. */
      stop: async () => {
        const until = performance.now() + stopWithinMs;
        const left = () => Math.max(0, until - performance.now());
        stopShowingHomes();
        receiver.shut();
        // Running payloads are still acknowledged over the socket that delivered them.
        await within(running.idle(), Math.min(3_000, left()));
        await receiver.sockets?.stop();
        await within(running.idle(), left() - 2_000);
        await delivery.stop(left());
        await listening.close(Math.max(500, left()));
      },
    };
  };

  /** `scopes`: those of the installed app; undefined if Slack did not return them. */
  return { messenger, directory, identity, scopes, connect };
}

/** Sets up Bolt. Each workaround is in its own file in bolt/, with the reason. */
function receive(config: SlackConfig, log: Log, identity: Identity, hooks: SlackHooks, hear: (app: App) => void) {
  let isShut = false;
  const http =
    config.appToken === undefined ? createHttpRequests(config.signingSecret, log, hooks, () => isShut) : undefined;
  // Bolt requires a receiver, although bolt/sockets.ts manages the sockets.
  const noReceiver: Receiver = { init: () => {}, start: async () => {}, stop: async () => {} };
  const app = new App({
    receiver: http?.receiver ?? noReceiver,
    logger: boltLogger(log),
    clientOptions: clientOptions(log, config.apiUrl),
    // The bot has one workspace and one token, so a request to Slack for each payload would be useless. The team is
    // fixed, since Bolt keeps a client forever for each team that a payload names (bolt 5.1, App.js).
    authorize: async () => ({ botToken: config.botToken, ...identity }),
    convoStore: false,
    // Bolt would drop the bot's own messages without an acknowledgement; inbound/event.ts ignores them.
    ignoreSelf: false,
  });
  app.error(async (error) => log.error({ err: error }, 'Bolt: a payload was not worked on'));
  guardPayloads(app, log, () => isShut);
  hear(app);
  return {
    sockets: config.appToken === undefined ? undefined : createSockets(app, config.appToken, config.apiUrl, log),
    routes: http === undefined ? [] : [http.route],
    /** Stops accepting payloads; Slack redelivers unacknowledged ones to another process. */
    shut: () => {
      isShut = true;
    },
  };
}
