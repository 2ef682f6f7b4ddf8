import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hasNeighbors, testRules } from './debian.ts';

/** Each expression of docs/grafana-dashboard.json, evaluated by Prometheus over series that two replicas make. */

const isThere = hasNeighbors();

const dashboard = z
  .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })) })
  .parse(JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8')));
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

interface PanelCase {
  readonly expr: string;
  /** A value each minute, as promtool writes them. */
  readonly series: Readonly<Record<string, string>>;
  /** Labels and value, two hours later. */
  readonly shows: readonly (readonly [labels: string, value: number])[];
}

const rate = '[$__rate_interval]';
const isA = 'instance="a"';
const isB = 'instance="b"';

/** One gauge on two replicas, of which one has two and the other three. */
const gauge = (fold: string, name: string, shown: number): PanelCase => ({
  expr: `${fold}(${name})`,
  series: { [`${name}{${isA}}`]: '2x200', [`${name}{${isB}}`]: '3x200' },
  shows: [['{}', shown]],
});

const gaugeByInstance = (fold: string, name: string): PanelCase => ({
  expr: `${fold} by (instance) (${name})`,
  series: { [`${name}{${isA}}`]: '3x200', [`${name}{${isB}}`]: '5x200' },
  shows: [
    [`{${isA}}`, 3],
    [`{${isB}}`, 5],
  ],
});

/** One event a second, on each of two replicas, all of them in the bucket up to one second. */
const quantile = (q: number, name: string, of: string, labels = '', range = rate): PanelCase => ({
  expr: `histogram_quantile(${q}, sum by (${of}) (rate(${name}_bucket${range})))`,
  series: Object.fromEntries(
    [isA, isB].flatMap((replica) =>
      ['1', '+Inf'].map((le) => [`${name}_bucket{${[replica, labels].filter(Boolean).join()},le="${le}"}`, '0+60x200']),
    ),
  ),
  shows: [[labels === '' ? '{}' : `{${labels}}`, q]],
});

/** Grows by `step` a minute on each of two replicas, which together have 120 in the shown time. */
const flow = (name: string, labels: string, expr: string, step = 60): PanelCase => ({
  expr,
  series: { [`${name}{${isA},${labels}}`]: `0+${step}x200`, [`${name}{${isB},${labels}}`]: `0+${step}x200` },
  shows: [[`{${labels}}`, 120]],
});
const perMinute = (of: string, name: string, labels: string): PanelCase =>
  flow(name, labels, `sum by (${of}) (rate(${name}${rate})) * 60`);

const cases: readonly PanelCase[] = [
  ...['sockets_connected', 'watched_steps'].map((name) => gauge('sum', `hostler_${name}`, 5)),
  ...['slack_ready', 'approvals_open', 'messages_pending', 'alerts_open'].map((name) =>
    gauge('max', `hostler_${name}`, 3),
  ),
  ...['decision_median_seconds', 'expired_unseen'].map((name) => gauge('max', `hostler_${name}`, 3)),
  ...['oldest_approved_seconds', 'oldest_owed_end_seconds'].map((name) => gauge('max', `hostler_${name}`, 3)),
  gaugeByInstance('sum', 'hostler_requests_under_way'),
  ...['sweep_age', 'turn_age', 'clock_skew'].map((name) => gaugeByInstance('max', `hostler_${name}_seconds`)),
  {
    expr: 'sum(increase(hostler_signature_failures_total[1d]))',
    series: { hostler_signature_failures_total: '0x100 5x100' },
    shows: [['{}', 5]],
  },
  perMinute('kind, outcome', 'hostler_requests_total', 'kind="command",outcome="answered"'),
  {
    // The first end of all counts, because all series begin with zero.
    expr: 'sum by (end) (increase(hostler_operations_total[1h]))',
    series: { 'hostler_operations_total{command="restart",end="unknown"}': '0x90 1x100' },
    shows: [['{end="unknown"}', 1]],
  },
  {
    expr: 'max by (state) (hostler_operations{state=~"waiting|approved|scheduled|cooling|running|reading"})',
    series: {
      [`hostler_operations{${isA},state="waiting"}`]: '2x200',
      [`hostler_operations{${isB},state="waiting"}`]: '2x200',
      [`hostler_operations{${isA},state="done"}`]: '900x200',
    },
    shows: [['{state="waiting"}', 2]],
  },
  ...[0.5, 0.95].flatMap((q) => [
    quantile(q, 'hostler_watch_lag_seconds', 'le'),
    quantile(q, 'hostler_acknowledgement_seconds', 'le'),
    quantile(q, 'hostler_provider_seconds', 'le, effect', 'effect="write"'),
  ]),
  quantile(0.99, 'hostler_event_loop_delay_seconds', 'le', '', '[5m]'),
  quantile(0.99, 'hostler_event_loop_own_seconds', 'le', '', '[5m]'),
  perMinute('status', 'hostler_provider_calls_total', 'status="200"'),
  perMinute('method, outcome', 'hostler_slack_calls_total', 'method="chat.update",outcome="ok"'),
  flow(
    'hostler_slack_refusals_total',
    'block="table",surface="message",error="invalid_blocks"',
    'sum by (block, surface, error) (increase(hostler_slack_refusals_total[1h]))',
    1,
  ),
  {
    expr: 'time() - max by (rule) (hostler_alert_rule_last_look_seconds)',
    series: {
      [`hostler_alert_rule_last_look_seconds{${isA},rule="power"}`]: '7000x200',
      [`hostler_alert_rule_last_look_seconds{${isB},rule="power"}`]: '7100x200',
    },
    shows: [['{rule="power"}', 100]],
  },
  {
    expr: 'max by (channel) (hostler_outbox_lag_seconds)',
    series: { [`hostler_outbox_lag_seconds{${isA},channel="C1"}`]: '9x200' },
    shows: [['{channel="C1"}', 9]],
  },
  {
    expr: 'sum by (instance) (increase(hostler_unhandled_errors_total[1h]))',
    series: { [`hostler_unhandled_errors_total{${isA}}`]: '0x90 3x100' },
    shows: [[`{${isA}}`, 3]],
  },
];

// One promtool for all of them, without the rules, which it would work out for each minute of each case. It names each
// expression that shows something else.
test.skipIf(!isThere)('each expression of the dashboard shows the right values', async () => {
  const tests = cases.map(({ expr, series, shows }) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: expr.replaceAll('$__rate_interval', '5m'),
        eval_time: '2h',
        exp_samples: shows.map(([labels, value]) => ({ labels, value })),
      },
    ],
  }));
  const { code, words } = await testRules(tests, []);
  expect(code, words).toBe(0);
});

test('each expression of the dashboard has a case, and each case is an expression of the dashboard', () => {
  expect(cases.map(({ expr }) => expr).sort()).toEqual([...expressions].sort());
});
