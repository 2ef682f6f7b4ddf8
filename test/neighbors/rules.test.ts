import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
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
  readonly series: Series;
  readonly at: string;
  /** The labels of the alarm besides its severity; undefined if the alarm is silent. */
  readonly fires?: Readonly<Record<string, string>>;
  /** The `$value` in the annotations. */
  readonly value?: string;
}

type Series = Readonly<Record<string, string>>;

const silent = (alert: string, says: string, series: Series, at = '10m'): RuleCase => ({ alert, says, series, at });

const fires = (alert: string, says: string, series: Series, more: Partial<RuleCase> = {}): RuleCase => ({
  ...silent(alert, says, series),
  fires: {},
  ...more,
});

const calls = 'hostler_provider_calls_total';
const unknownEnds = 'hostler_operations_total{command="restart",end="unknown"}';
const look = 'hostler_alert_rule_last_look_seconds';
const ready = 'hostler_slack_ready';
const sweepAge = 'hostler_sweep_age_seconds';
const skew = 'hostler_clock_skew_seconds{instance="a"}';
const lag = 'hostler_outbox_lag_seconds';

const cases: readonly RuleCase[] = [
  fires('HostlerDown', 'nobody answers', { 'up{job="hostler"}': '1x2 0x20' }),
  fires('HostlerDown', 'no series at all', {}),
  silent('HostlerDown', 'one replica of two', {
    'up{job="hostler",instance="a"}': '1x20',
    'up{job="hostler",instance="b"}': '0x20',
  }),
  fires('HostlerNotInSlack', 'none is ready', { [`${ready}{instance="a"}`]: '1x2 0x20' }),
  silent('HostlerNotInSlack', 'one of two', {
    [`${ready}{instance="a"}`]: '0x20',
    [`${ready}{instance="b"}`]: '1x20',
  }),
  fires('HostlerMessagesWait', 'many for long', { hostler_messages_pending: '30x20' }, { value: '30' }),
  silent('HostlerMessagesWait', 'a flood that passes', { hostler_messages_pending: '30x3 0x20' }),
  fires(
    'HostlerProviderRefusesKey',
    'the first refusal there ever was, and those after it',
    { [`${calls}{endpoint="GET /account/balance",status="401"}`]: '_x5 1+1x20' },
    { at: '14m' },
  ),
  silent('HostlerProviderRefusesKey', 'it takes it', { [`${calls}{status="200"}`]: '0+5x20' }, '14m'),
  fires(
    'HostlerProviderAway',
    'most fail',
    { [`${calls}{status="unavailable"}`]: '0+5x40', [`${calls}{status="200"}`]: '0+1x40' },
    { at: '30m' },
  ),
  silent(
    'HostlerProviderAway',
    'few fail, and what it refuses is an answer',
    {
      [`${calls}{status="503"}`]: '0+1x40',
      [`${calls}{status="404"}`]: '0+3x40',
      [`${calls}{status="200"}`]: '0+1x40',
    },
    '30m',
  ),
  fires('HostlerUnknownEnds', 'the first there ever was', { [unknownEnds]: '0x5 1x20' }, { at: '7m' }),
  fires(
    'HostlerUnknownEnds',
    'the first of one command, beside older ones of another',
    { [unknownEnds]: '0x5 1x20', 'hostler_operations_total{command="stop",end="unknown"}': '4x30' },
    { at: '7m' },
  ),
  silent('HostlerUnknownEnds', 'two hours ago', { [unknownEnds]: '0x5 1x200' }, '130m'),
  silent(
    'HostlerUnknownEnds',
    'it failed, and it is known',
    { [unknownEnds]: '0x20', 'hostler_operations_total{command="restart",end="failed"}': '0x5 3x20' },
    '7m',
  ),
  fires(
    'HostlerAlertRuleBlind',
    'one of two rules stands still',
    { [`${look}{rule="power"}`]: '0x400', [`${look}{rule="zone"}`]: '0+60x400' },
    { at: '5h', fires: { rule: 'power' } },
  ),
  silent(
    'HostlerAlertRuleBlind',
    'another replica is ahead',
    { [`${look}{rule="power",instance="a"}`]: '0x400', [`${look}{rule="power",instance="b"}`]: '0+60x400' },
    '5h',
  ),
  fires(
    'HostlerStandsStill',
    'one of two sweeps no more',
    { [`${sweepAge}{instance="a"}`]: '0+60x20', [`${sweepAge}{instance="b"}`]: '5x20' },
    { fires: { instance: 'a' } },
  ),
  silent('HostlerStandsStill', 'all go on', {
    [`${sweepAge}{instance="a"}`]: '5x20',
    'hostler_turn_age_seconds{instance="a"}': '1x20',
  }),
  fires('HostlerApprovedWaits', 'decided and not begun', { hostler_oldest_approved_seconds: '0+60x20' }),
  silent('HostlerApprovedWaits', 'none waits', { hostler_oldest_approved_seconds: '0x20' }),
  fires('HostlerEndNotTold', 'an end owed for long', { hostler_oldest_owed_end_seconds: '0+60x20' }),
  silent('HostlerEndNotTold', 'none is owed', { hostler_oldest_owed_end_seconds: '0x20' }),
  fires(
    'HostlerOutboxLags',
    'one channel waits',
    { [`${lag}{channel="C1"}`]: '600x20', [`${lag}{channel="C2"}`]: '1x20' },
    { fires: { channel: 'C1' }, value: '10m 0s' },
  ),
  silent('HostlerOutboxLags', 'a moment of waiting', { [`${lag}{channel="C1"}`]: '600x2 0x20' }),
  fires(
    'HostlerClockSkew',
    'a clock that is behind',
    { [skew]: '-9x30' },
    { at: '20m', fires: { instance: 'a' }, value: '9' },
  ),
  silent('HostlerClockSkew', 'a second or two', { [skew]: '2x30' }, '20m'),
  fires(
    'HostlerForgedRequests',
    'many in ten minutes',
    { hostler_signature_failures_total: '0x5 0+5x20' },
    { at: '14m' },
  ),
  silent('HostlerForgedRequests', 'one now and then', { hostler_signature_failures_total: '0x5 1x20' }, '14m'),
];

/** As `promtool test rules` wants it. */
function caseOf({ alert, says, series, at, fires: labels, value }: RuleCase): object {
  const rule = rules.find((known) => known.alert === alert);
  const filled = (words: string) =>
    words
      .replace(/\{\{\s*\$value(?: \| humanizeDuration)?\s*\}\}/g, value ?? '')
      .replace(/\{\{\s*\$labels\.(\w+)\s*\}\}/g, (_, name: string) => labels?.[name] ?? '');
  const annotations = Object.entries(rule?.annotations ?? {}).map(([name, words]) => [name, filled(words)]);
  const expected = { exp_labels: { ...rule?.labels, ...labels }, exp_annotations: Object.fromEntries(annotations) };
  return {
    name: `${alert}: ${says}`,
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    alert_rule_test: [{ eval_time: at, alertname: alert, exp_alerts: labels === undefined ? [] : [expected] }],
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
    expect(own.map((one) => one.fires !== undefined).sort(), alert).toEqual(expect.arrayContaining([false, true]));
  }
});

test.skipIf(!isThere)('promtool accepts the form of the metrics', async () => {
  const texts = [createMetrics().registry, createProcessMetrics('0.1.0')].map((registry) => registry.metrics());
  const { code, words } = await promtool(['check', 'metrics'], (await Promise.all(texts)).join('\n'));
  // Only complaints about our own names count, not about those of prom-client.
  const seen = words.split('\n').filter((line) => line.startsWith('hostler_'));
  expect(seen, words).toEqual([]);
  expect(code).not.toBe(1);
});
