import type { Registry } from 'prom-client';
import type { ConnectionState } from '../engine/context/ports.ts';
import type { RunningEngine } from '../engine/engine.ts';
import type { Store } from '../store/database.ts';
import type { Metrics } from './metrics.ts';
import type { HttpRoute } from './server.ts';

interface Sides {
  readonly metrics: Metrics;
  readonly processMetrics: Registry;
  readonly store: Store;
  readonly running: RunningEngine;
  readonly slackState: () => ConnectionState | undefined;
}

/** Health, readiness and metrics, on the one port there is. */
export function createRoutes({ metrics, processMetrics, store, running, slackState }: Sides): HttpRoute[] {
  metrics.gaugeBy('hostler_operations', 'Operations, by state', 'state', () => store.operations.countByState());
  metrics.gauge(
    'hostler_approvals_open',
    'Requests that wait for people',
    async () => (await store.operations.countByState()).waiting,
  );
  metrics.gauge('hostler_alerts_open', 'Alerts that are not resolved', () => store.alerts.countOpen());
  metrics.gaugeBy(
    'hostler_alert_rule_last_look_seconds',
    'Unix time at which each subscribed alert rule could read last',
    'rule',
    async () => Object.fromEntries(Object.entries(await running.lastLooks()).map(([rule, ms]) => [rule, ms / 1_000])),
  );
  metrics.gauge(
    'hostler_requests_under_way',
    'What Slack sent and this process is working on',
    () => slackState()?.running ?? 0,
  );
  metrics.gauge('hostler_watched_steps', 'Steps this process looks after at the provider', running.watching);
  metrics.gauge(
    'hostler_messages_pending',
    'Messages that Slack has not got yet',
    async () => (await store.messages.pending()).count,
  );
  metrics.gauge(
    'hostler_sockets_connected',
    'Connected sockets of Socket Mode',
    () => slackState()?.sockets.connected ?? 0,
  );
  metrics.gauge('hostler_slack_ready', '1 while Slack takes our token and a socket is up', () =>
    slackState()?.isReady ? 1 : 0,
  );
  return [
    {
      method: 'GET',
      path: '/healthz',
      handler: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' }).end('alive\n');
      },
    },
    {
      method: 'GET',
      path: '/readyz',
      handler: async (_, response) => {
        const problems = await notReady(store, slackState());
        response.writeHead(problems.length === 0 ? 200 : 503, { 'content-type': 'text/plain' });
        response.end(problems.length === 0 ? 'ready\n' : `${problems.join('\n')}\n`);
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      handler: async (_, response) => {
        const texts = await Promise.all([metrics.registry.metrics(), processMetrics.metrics()]);
        response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(texts.join('\n'));
      },
    },
  ];
}

/** What stands in the way of taking requests, one line each. */
async function notReady(store: Store, slack: ConnectionState | undefined): Promise<string[]> {
  const problems: string[] = [];
  await store
    .ping()
    .catch((error: unknown) => problems.push(error instanceof Error ? error.message : 'the database does not answer'));
  if (slack === undefined) problems.push('Slack: not connected yet');
  else if (slack.revoked !== undefined) problems.push(`Slack refuses our token: ${slack.revoked}`);
  else if (!slack.isReady)
    problems.push(`Slack: no socket is connected${slack.lastError ? `: ${slack.lastError}` : ''}`);
  return problems;
}
