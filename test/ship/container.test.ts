import { existsSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { openServer } from '../../src/http/server.ts';
import { run } from '../support/process/run.ts';
import { dockerCopies, dockerEntrypoint, dockerfile } from './dockerfile.ts';

// Without Docker; that the same tree starts is in test/crash/ship.test.ts, and test/package/image.test.ts builds it.

test('every file that the image copies exists, and .dockerignore does not exclude it', () => {
  const allowed = readFileSync('.dockerignore', 'utf8').split('\n').filter(Boolean);
  expect(allowed[0]).toBe('*');
  const copied = dockerCopies();
  for (const path of copied) expect(existsSync(path), path).toBe(true);
  expect(allowed.slice(1).sort()).toEqual(copied.map((path) => `!${path}`).sort());
});

test('the image runs unprivileged, as the process that gets the signals, with one writable volume', () => {
  expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  expect(dockerEntrypoint()).toEqual(['node', '--max-semi-space-size=16', 'dist/main.js']);
  expect(dockerfile.match(/^VOLUME .*$/gm)).toEqual(['VOLUME /data']);
  // One image builds and runs; test/attacks/supply-chain.test.ts checks its digest.
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases).toEqual([bases[0], bases[0]]);
  expect(bases[0]).toMatch(/^node:24\.21\.0-slim@/);
  const { engines } = z
    .object({ engines: z.object({ node: z.string() }) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(engines.node).toBe('>=24');
});

test('compose runs one bot on SQLite by default, and with the profile two on PostgreSQL', () => {
  const service = z.looseObject({
    profiles: z.array(z.string()).optional(),
    read_only: z.boolean().optional(),
    deploy: z.object({ replicas: z.number() }).optional(),
    volumes: z.array(z.string()).optional(),
    environment: z.record(z.string(), z.string()).optional(),
  });
  const { services } = z
    .object({ services: z.record(z.string(), service) })
    .parse(parse(readFileSync('compose.yaml', 'utf8'), { merge: true }));
  expect(Object.keys(services).filter((name) => services[name]?.profiles === undefined)).toEqual(['hostler']);
  expect(services.hostler).toMatchObject({ read_only: true, volumes: ['hostler:/data'] });
  expect(services.replicas).toMatchObject({ read_only: true, profiles: ['postgres'], deploy: { replicas: 2 } });
  expect(services.replicas?.environment?.DATABASE_URL).toMatch(/^postgres:\/\//);
});

test('the health check of the image asks the listener that only it and the metrics have', async () => {
  const health = await openServer(
    [{ method: 'GET', path: '/healthz', handler: (_, response) => void response.end('alive') }],
    { port: 0, host: '127.0.0.1' },
    () => {},
  );
  const other = await openServer([], { port: 0, host: '127.0.0.1' }, () => {});
  onTestFinished(() => Promise.all([health.close(0), other.close(0)]).then(() => undefined));
  const [, words = ''] = /^HEALTHCHECK [^\n]*\n +CMD (.+)$/m.exec(dockerfile) ?? [];
  const [, ...args] = z.array(z.string()).parse(JSON.parse(words));
  const ask = (HOSTLER_METRICS_PORT: number, PORT: number) =>
    run(process.execPath, args, {
      env: { HOSTLER_METRICS_PORT: `${HOSTLER_METRICS_PORT}`, PORT: `${PORT}` },
    });
  await ask(health.port, other.port);
  await expect(ask(other.port, health.port)).rejects.toMatchObject({ code: 1 });
  expect(dockerfile).toMatch(/^ENV .*\bPORT=3000 HOSTLER_METRICS_PORT=9464$/m);
  expect(readFileSync('deploy/hostler.service', 'utf8')).toMatch(/^Environment=.* HOSTLER_METRICS_PORT=9464$/m);
});
