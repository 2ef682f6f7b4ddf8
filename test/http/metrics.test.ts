import { expect, test } from 'vitest';
import { createProcessMetrics } from '../../src/http/metrics.ts';

test('no gauge of the process has a name that ends as those of counters', async () => {
  const all = await createProcessMetrics('0.0.0').getMetricsAsJSON();
  const gauges = all.filter(({ type }) => String(type) === 'gauge').map(({ name }) => name);
  expect(gauges).toContain('nodejs_active_handles');
  expect(gauges.filter((name) => name.endsWith('_total'))).toEqual([]);
});
