import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { patientSlack, startSystem } from '../support/process/test-system.ts';

// Monitoring reads another port than the one for Slack and webhooks.

const token = '0123456789abcdef0123456789abcdef';

test('with HOSTLER_METRICS_PORT the metrics are read there, on this machine only, with the token', async () => {
  const metricsPort = await freePort();
  const system = await startSystem({
    slack: patientSlack,
    mode: 'http',
    env: { HOSTLER_HOST: '0.0.0.0', HOSTLER_METRICS_PORT: String(metricsPort), HOSTLER_METRICS_TOKEN: token },
  });
  onTestFinished(system.close);
  const port = system.bots[0]?.port ?? 0;
  const status = async (at: number, path: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${at}${path}`, { headers })).status;
  const authorization = `Bearer ${token}`;
  expect(await status(metricsPort, '/metrics', { authorization })).toBe(200);
  expect(await status(metricsPort, '/healthz')).toBe(200);
  // 127.0.0.1 is this machine: no token is needed there.
  expect(await status(metricsPort, '/metrics')).toBe(200);
  // The public port shows no metrics, even with the token.
  expect(await status(port, '/metrics')).toBe(401);
  expect(await status(port, '/metrics', { authorization })).toBe(401);
  expect(await status(port, '/healthz')).toBe(200);

  // The bot listens on 127.0.0.1 only: the same port of every other address of this machine is free.
  const other = createServer();
  onTestFinished(() => void other.close());
  await expect(listen(other, metricsPort, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
  await expect(listen(other, metricsPort, '127.0.0.2')).resolves.toBeUndefined();
});

function listen(server: ReturnType<typeof createServer>, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
