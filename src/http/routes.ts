import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Registry } from 'prom-client';
import { createMemory } from '../core/async/memory.ts';
import { orLate } from '../core/async/within.ts';
import { countUnseen, medianWaitMs } from '../core/plan/answers.ts';
import type { ConnectionState } from '../engine/context/ports.ts';
import type { RunningEngine } from '../engine/engine.ts';
import type { Store } from '../store/database.ts';
import type { Metrics } from './metrics.ts';
import { type HttpRoute, sendText } from './server.ts';
import type { Watchdog } from './watchdog.ts';

interface Sides {
  readonly watchdog: Pick<Watchdog, 'problem'>;
  readonly now: () => number;
  readonly owner: string;
  readonly metrics: Metrics;
  readonly processMetrics: Registry;
  readonly store: Store;
  readonly running: RunningEngine;
  readonly slackState: () => ConnectionState | undefined;
}

/** Access to internal figures: open on a local listener, otherwise by token. */
interface Readers {
  readonly isLocal: boolean;
  readonly token: string | undefined;
}

const writeWithinMs = 3_000;

/** Counts are read at most this often, however often they are requested, since they cost the database work. */
const cachedForMs = 2_000;

function cached<T>(read: () => Promise<T>): () => Promise<T> {
  const memory = createMemory<T>({ lifeMs: cachedForMs, waitMs: () => cachedForMs, now: () => performance.now() });
  return () => memory.get('', read);
}

/** The routes for health, readiness and metrics; each listener shows only what its readers may see. */
export function createRoutes(sides: Sides): (readers: Readers) => HttpRoute[] {
  const { metrics, processMetrics, store, running, slackState, watchdog, now } = sides;
  const { gauge, gaugeBy } = metrics;
  const states = cached(() => store.operations.countByState());
  const problemsNow = cached(() => notReady(sides));
  gaugeBy('hostler_operations', 'Operations that have not ended, by state', 'state', states);
  gauge('hostler_approvals_open', 'Requests that wait for people', async () => (await states()).waiting ?? 0);
  const answers = cached(() => store.responseTimes.list());
  gauge(
    'hostler_decision_median_seconds',
    'Median time from a request to its approval or refusal, in the last 30 days',
    async () => (medianWaitMs(await answers()) ?? Number.NaN) / 1_000,
  );
  gauge('hostler_expired_unseen', 'Requests that expired without any vote, in the last 30 days', async () =>
    countUnseen(await answers()),
  );
  gauge(
    'hostler_alerts_open',
    'Alerts that are not resolved',
    cached(() => store.alerts.countOpen()),
  );
  gaugeBy(
    'hostler_alert_rule_last_look_seconds',
    'Unix time of the last successful read of each subscribed alert rule',
    'rule',
    async () => inSeconds(await running.lastLooks()),
  );
  gauge(
    'hostler_requests_under_way',
    'Payloads of Slack that this process is working on',
    () => slackState()?.running ?? 0,
  );
  gauge('hostler_watched_steps', 'Steps that this process watches at the provider', running.watching);
  gauge(
    'hostler_messages_pending',
    'Messages in the outbox that are not delivered yet',
    cached(() => store.messages.pending()),
  );
  gauge('hostler_sockets_connected', 'Connected sockets of Socket Mode', () => slackState()?.sockets.connected ?? 0);
  gauge('hostler_slack_ready', '1 while Slack accepts the token and a socket is up', () =>
    slackState()?.isReady ? 1 : 0,
  );
  const agoSeconds = (at: number | undefined) => (at === undefined ? 0 : (now() - at) / 1_000);
  gauge(
    'hostler_sweep_age_seconds',
    'Time since the last complete sweep of this process',
    () => running.ages().sweep / 1_000,
  );
  gauge(
    'hostler_turn_age_seconds',
    'Time since this process last claimed a turn or found none due',
    () => running.ages().look / 1_000,
  );
  gauge('hostler_oldest_approved_seconds', 'How long the oldest decided request has waited to begin', async () =>
    agoSeconds(await store.liveness.oldestApprovedAt()),
  );
  gauge('hostler_oldest_owed_end_seconds', 'How long the oldest ended request has owed its card and reply', async () =>
    agoSeconds(await store.liveness.oldestOwedEndAt()),
  );
  gauge(
    'hostler_clock_skew_seconds',
    'How far the clock of this machine is ahead of the database',
    async () => (await store.skewMs()) / 1_000,
  );
  gaugeBy(
    'hostler_outbox_lag_seconds',
    'How long the oldest undelivered message has waited, by channel',
    'channel',
    async () => inSeconds(await store.liveness.outboxLagMs()),
  );
  return (readers) => [
    {
      method: 'GET',
      path: '/healthz',
      handler: (_, response) => {
        const problem = watchdog.problem();
        sendText(response, problem === undefined ? 200 : 503, problem ?? 'alive');
      },
    },
    {
      method: 'GET',
      path: '/readyz',
      handler: async (request, response) => {
        const problems = await problemsNow();
        if (problems.length === 0) return sendText(response, 200, 'ready');
        sendText(response, 503, mayRead(readers, request) ? problems.join('\n') : 'not ready');
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      handler: async (request, response) => {
        if (!mayRead(readers, request)) {
          const words = 'Metrics are readable on this machine, or with HOSTLER_METRICS_TOKEN.';
          return sendText(response, 401, words, { 'www-authenticate': 'Bearer' });
        }
        const texts = await Promise.all([metrics.registry.metrics(), processMetrics.metrics()]);
        response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(texts.join('\n'));
      },
    },
  ];
}

function inSeconds(eachMs: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(eachMs).map(([name, ms]) => [name, ms / 1_000]));
}

/** The reasons why the bot accepts no requests, one line each. */
async function notReady({ store, slackState, watchdog, owner }: Sides): Promise<string[]> {
  const problems: string[] = [];
  const slack = slackState();
  const problem = watchdog.problem();
  if (problem !== undefined) problems.push(problem);
  // A write, since a full disk or a read-only database still answers reads.
  await orLate(
    store.leases.acquire(`probe:${owner}`, owner, 0),
    writeWithinMs,
    () => new Error(`writing to ${store.label}: no answer within ${writeWithinMs / 1_000} s`),
  ).catch((error: unknown) => problems.push(error instanceof Error ? error.message : 'the database accepts no writes'));
  if (slack === undefined) problems.push('Slack: not connected yet');
  else if (slack.revoked !== undefined) problems.push(`Slack refuses the token: ${slack.revoked}`);
  else if (!slack.isReady)
    problems.push(`Slack: no socket is connected${slack.lastError ? `: ${slack.lastError}` : ''}`);
  return problems;
}

function mayRead({ isLocal, token }: Readers, request: Pick<IncomingMessage, 'headers'>): boolean {
  if (isLocal) return true;
  if (token === undefined) return false;
  const bearer = /^Bearer (\S{1,4096})$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(bearer), digest(token));
}

export function isLocalHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
