import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { endStates } from '../../src/core/plan/operation.ts';
import { createMetrics, createProcessMetrics } from '../../src/http/metrics.ts';
import { hasNeighbors, promtool, testRules } from './debian.ts';

/** Each alarm of docs/prometheus-rules.yml, by Prometheus' own unit tests: it fires when it should, and only then. */

const isThere = hasNeighbors();

const ruleSchema = z.object({
  alert: z.string(),
  expr: z.string(),
  labels: z.record(z.string(), z.string()),
  annotations: z.record(z.string(), z.string()),
});
const rules = z
  .object({ groups: z.array(z.object({ rules: z.array(ruleSchema) })) })
  .parse(parse(readFileSync('docs/prometheus-rules.yml', 'utf8')))
  .groups.flatMap((group) => group.rules);

interface RuleCase {
  readonly alert: string;
  readonly says: string;
  /** A value each minute, as promtool writes them. */
  readonly series: Readonly<Record<string, string>>;
  readonly at: string;
  /** The labels of the alarm besides its severity; undefined if the alarm is silent. */
  readonly fires?: Readonly<Record<string, string>>;
  /** The `$value` in the annotations. */
  readonly value?: string;
}

const calls = 'hostler_provider_calls_total';
const unknownEnds = 'hostler_operations_total{command="restart",end="unknown"}';
const look = 'hostler_alert_rule_last_look_seconds';

const cases: readonly RuleCase[] = [
  {
    alert: 'HostlerDown',
    says: 'nobody answers',
    series: { 'up{job="hostler"}': '1x2 0x20' },
    at: '10m',
    fires: {},
  },
  { alert: 'HostlerDown', says: 'no series at all', series: {}, at: '10m', fires: {} },
  {
    alert: 'HostlerDown',
    says: 'one replica of two',
    series: { 'up{job="hostler",instance="a"}': '1x20', 'up{job="hostler",instance="b"}': '0x20' },
    at: '10m',
  },
  {
    alert: 'HostlerNotInSlack',
    says: 'none is ready',
    series: { 'hostler_slack_ready{instance="a"}': '1x2 0x20' },
    at: '10m',
    fires: {},
  },
  {
    alert: 'HostlerNotInSlack',
    says: 'one of two',
    series: { 'hostler_slack_ready{instance="a"}': '0x20', 'hostler_slack_ready{instance="b"}': '1x20' },
    at: '10m',
  },
  {
    alert: 'HostlerMessagesWait',
    says: 'many for long',
    series: { hostler_messages_pending: '30x20' },
    at: '10m',
    fires: {},
    value: '30',
  },
  {
    alert: 'HostlerMessagesWait',
    says: 'a flood that passes',
    series: { hostler_messages_pending: '30x3 0x20' },
    at: '10m',
  },
  {
    alert: 'HostlerProviderRefusesKey',
    says: 'the first refusal there ever was, and those after it',
    series: { [`${calls}{endpoint="GET /account/balance",status="401"}`]: '_x5 1+1x20' },
    at: '14m',
    fires: {},
  },
  {
    alert: 'HostlerProviderRefusesKey',
    says: 'it takes it',
    series: { [`${calls}{status="200"}`]: '0+5x20' },
    at: '14m',
  },
  {
    alert: 'HostlerProviderAway',
    says: 'most fail',
    series: { [`${calls}{status="unavailable"}`]: '0+5x40', [`${calls}{status="200"}`]: '0+1x40' },
    at: '30m',
    fires: {},
  },
  {
    alert: 'HostlerProviderAway',
    says: 'few fail, and what it refuses is an answer',
    series: {
      [`${calls}{status="503"}`]: '0+1x40',
      [`${calls}{status="404"}`]: '0+3x40',
      [`${calls}{status="200"}`]: '0+1x40',
    },
    at: '30m',
  },
  {
    alert: 'HostlerUnknownEnds',
    says: 'the first there ever was',
    series: { [unknownEnds]: '0x5 1x20' },
    at: '7m',
    fires: {},
  },
  {
    alert: 'HostlerUnknownEnds',
    says: 'the first of one command, beside older ones of another',
    series: { [unknownEnds]: '0x5 1x20', 'hostler_operations_total{command="stop",end="unknown"}': '4x30' },
    at: '7m',
    fires: {},
  },
  { alert: 'HostlerUnknownEnds', says: 'two hours ago', series: { [unknownEnds]: '0x5 1x200' }, at: '130m' },
  {
    alert: 'HostlerUnknownEnds',
    says: 'it failed, and it is known',
    series: { [unknownEnds]: '0x20', 'hostler_operations_total{command="restart",end="failed"}': '0x5 3x20' },
    at: '7m',
  },
  {
    alert: 'HostlerAlertRuleBlind',
    says: 'one of two rules stands still',
    series: { [`${look}{rule="power"}`]: '0x400', [`${look}{rule="zone"}`]: '0+60x400' },
    at: '5h',
    fires: { rule: 'power' },
  },
  {
    alert: 'HostlerAlertRuleBlind',
    says: 'another replica is ahead',
    series: { [`${look}{rule="power",instance="a"}`]: '0x400', [`${look}{rule="power",instance="b"}`]: '0+60x400' },
    at: '5h',
  },
  {
    alert: 'HostlerStandsStill',
    says: 'one of two sweeps no more',
    series: { 'hostler_sweep_age_seconds{instance="a"}': '0+60x20', 'hostler_sweep_age_seconds{instance="b"}': '5x20' },
    at: '10m',
    fires: { instance: 'a' },
  },
  {
    alert: 'HostlerStandsStill',
    says: 'all go on',
    series: { 'hostler_sweep_age_seconds{instance="a"}': '5x20', 'hostler_turn_age_seconds{instance="a"}': '1x20' },
    at: '10m',
  },
  {
    alert: 'HostlerApprovedWaits',
    says: 'decided and not begun',
    series: { hostler_oldest_approved_seconds: '0+60x20' },
    at: '10m',
    fires: {},
  },
  { alert: 'HostlerApprovedWaits', says: 'none waits', series: { hostler_oldest_approved_seconds: '0x20' }, at: '10m' },
  {
    alert: 'HostlerEndNotTold',
    says: 'an end owed for long',
    series: { hostler_oldest_owed_end_seconds: '0+60x20' },
    at: '10m',
    fires: {},
  },
  { alert: 'HostlerEndNotTold', says: 'none is owed', series: { hostler_oldest_owed_end_seconds: '0x20' }, at: '10m' },
  {
    alert: 'HostlerOutboxLags',
    says: 'one channel waits',
    series: {
      'hostler_outbox_lag_seconds{channel="C1"}': '600x20',
      'hostler_outbox_lag_seconds{channel="C2"}': '1x20',
    },
    at: '10m',
    fires: { channel: 'C1' },
    value: '10m 0s',
  },
  {
    alert: 'HostlerOutboxLags',
    says: 'a moment of waiting',
    series: { 'hostler_outbox_lag_seconds{channel="C1"}': '600x2 0x20' },
    at: '10m',
  },
  {
    alert: 'HostlerClockSkew',
    says: 'a clock that is behind',
    series: { 'hostler_clock_skew_seconds{instance="a"}': '-9x30' },
    at: '20m',
    fires: { instance: 'a' },
    value: '9',
  },
  {
    alert: 'HostlerClockSkew',
    says: 'a second or two',
    series: { 'hostler_clock_skew_seconds{instance="a"}': '2x30' },
    at: '20m',
  },
  {
    alert: 'HostlerForgedRequests',
    says: 'many in ten minutes',
    series: { hostler_signature_failures_total: '0x5 0+5x20' },
    at: '14m',
    fires: {},
  },
  {
    alert: 'HostlerForgedRequests',
    says: 'one now and then',
    series: { hostler_signature_failures_total: '0x5 1x20' },
    at: '14m',
  },
];

/** As `promtool test rules` wants it. */
function caseOf({ alert, says, series, at, fires, value }: RuleCase): object {
  const rule = rules.find((known) => known.alert === alert);
  const filled = (words: string) =>
    words
      .replace(/\{\{\s*\$value(?: \| humanizeDuration)?\s*\}\}/g, value ?? '')
      .replace(/\{\{\s*\$labels\.(\w+)\s*\}\}/g, (_, name: string) => fires?.[name] ?? '');
  const annotations = Object.entries(rule?.annotations ?? {}).map(([name, words]) => [name, filled(words)]);
  const expected = { exp_labels: { ...rule?.labels, ...fires }, exp_annotations: Object.fromEntries(annotations) };
  return {
    name: `${alert}: ${says}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: fires === undefined ? [] : [expected] }],
  };
}

// One promtool for all cases: its start costs more than a case. It names each failed case.
test.skipIf(!isThere)('each alarm fires in the cases in which it should, and in no other', async () => {
  const { code, words } = await testRules(cases.map(caseOf));
  expect(code, words).toBe(0);
});

test.skipIf(!isThere)('each alarm has a case in which it fires and one in which it is silent', () => {
  for (const { alert } of rules) {
    const own = cases.filter((one) => one.alert === alert);
    expect(own.map(({ fires }) => fires !== undefined).sort(), alert).toEqual(expect.arrayContaining([false, true]));
  }
});

test.skipIf(!isThere)('promtool accepts the form of the metrics', async () => {
  const texts = [createMetrics().registry, createProcessMetrics('0.1.0')].map((registry) => registry.metrics());
  const { code, words } = await promtool(['check', 'metrics'], (await Promise.all(texts)).join('\n'));
  // Only complaints about our own names count, not about those of prom-client.
  expect(
    words.split('\n').filter((line) => line.startsWith('hostler_')),
    words,
  ).toEqual([]);
  expect(code).not.toBe(1);
});

test.skipIf(!isThere)('the first unknown end of a process counts as an increase', async () => {
  const metrics = createMetrics();
  metrics.countFromZero(['restart'], endStates);
  const shown = async () =>
    new Map(
      [...(await metrics.registry.metrics()).matchAll(/^(hostler_operations_total\{.*end="unknown".*\}) (\d+)$/gm)].map(
        ([, series = '', value = '']) => [series, value] as const,
      ),
    );
  const before = await shown();
  metrics.operations.inc({ command: 'restart', end: 'unknown' });
  const series = [...(await shown())].map(([name, value]) => [name, `${before.get(name) ?? '_'}x5 ${value}x20`]);
  const one = { alert: 'HostlerUnknownEnds', says: '', series: Object.fromEntries(series), at: '7m', fires: {} };
  const { code, words } = await testRules([caseOf(one)]);
  expect(code, words).toBe(0);
});
