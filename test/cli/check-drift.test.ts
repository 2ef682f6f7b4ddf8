import { expect, onTestFinished, test, vi } from 'vitest';
import { runCheck } from '../../src/cli/check/check.ts';
import { openSimulators } from '../support/simulators.ts';

test('hostler check --drift only reads the account, and prints no value of it', async () => {
  const { provider, settings } = await openSimulators();
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const lines: string[] = [];
  const code = await runCheck({ argv: ['--drift'], print: (line) => void lines.push(line) });
  expect(lines.at(-1)).toMatch(/^✓ \d+ operations read, \d+ reads failed: all responses are as documented\.$/);
  expect(code).toBe(0);
  const requests = provider.sim.requests();
  expect(requests.length).toBeGreaterThan(50);
  expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const names = provider.sim.state().orders.map(({ name }) => name);
  expect(names.filter((name) => name !== '' && lines.join('\n').includes(name))).toEqual([]);
});
