import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../sandbox/free-port.ts';
import { dockerEntrypoint, dockerfile } from '../ship/dockerfile.ts';
import { isRoot } from '../support/process/another-user.ts';
import { run } from '../support/process/run.ts';
import { openSimulators } from '../support/process/simulators.ts';
import { npmCache, writeBase } from './base-image.ts';

/** The Dockerfile built by buildah, where it is installed, and its root run as a container runs it: read-only, as 1000. */

const canBuild = existsSync('/usr/bin/buildah') && isRoot;
if (!canBuild) console.error('The image is not built: that needs buildah (apt-get install buildah) and root.');

const image = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      Volumes: z.record(z.string(), z.unknown()),
      WorkingDir: z.string(),
      StopSignal: z.string(),
      Labels: z.record(z.string(), z.string()),
      Healthcheck: z.object({ Test: z.tuple([z.literal('CMD')], z.string()) }),
    }),
  }),
});

test.skipIf(!canBuild)('the image is small, has its labels, and runs read-only', { timeout: 1_500_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hostler-image-'));
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  const buildah = async (...words: string[]) =>
    (await run('/usr/bin/buildah', [...store, ...words], { maxBuffer: 16_000_000 })).stdout.trim();
  onTestFinished(async () => {
    await buildah('rm', '--all');
    await buildah('rmi', '--all', '--force');
    await rm(folder, { recursive: true, force: true });
  });
  const build = (...words: string[]) =>
    buildah('bud', '--quiet', '--isolation', 'chroot', '--format', 'docker', ...words);

  // The base that is made here has another digest than the one of the registry.
  const withoutDigest = dockerfile.replaceAll(/@sha256:\S+/g, '');
  await writeFile(join(folder, 'Dockerfile'), withoutDigest);
  const [, base = ''] = /^FROM (\S+)$/m.exec(withoutDigest) ?? [];
  await mkdir(join(folder, 'base'));
  await writeBase(join(folder, 'base/root'), globSync('node_modules/@resvg/*/*.node'));
  await writeFile(
    join(folder, 'base/Dockerfile'),
    'FROM scratch\nCOPY root /\nENV PATH=/usr/local/bin:/usr/bin:/bin\n',
  );
  await build('--tag', `docker.io/library/${base}`, join(folder, 'base'));
  const cache = `${await npmCache()}:/root/.npm`;
  await build(
    '--pull-never',
    '--volume',
    cache,
    '--tag',
    'localhost/hostler',
    '--file',
    join(folder, 'Dockerfile'),
    '.',
  );
  const { config } = image.parse(JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/hostler'))).Docker;
  const about = z
    .object({ version: z.string(), description: z.string(), license: z.string() })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(config).toMatchObject({
    User: '1000:1000',
    Entrypoint: dockerEntrypoint(),
    Cmd: ['start'],
    Volumes: { '/data': {} },
    StopSignal: 'SIGTERM',
    Labels: {
      'org.opencontainers.image.title': 'Hostler',
      'org.opencontainers.image.description': about.description,
      'org.opencontainers.image.licenses': about.license,
      'org.opencontainers.image.version': about.version,
    },
  });

  const root = await buildah('mount', await buildah('from', '--pull-never', 'localhost/hostler'));
  const { stdout: kilobytes } = await run('du', ['-sk', join(root, 'app')]);
  expect(Number.parseInt(kilobytes, 10)).toBeLessThan(30_000);

  /** As a container does it, without the parts of the kernel that a build machine may lack. */
  const inImage = (command: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess => {
    const mounts = `mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"; mount --rbind /dev "$0/dev"; mount -t proc proc "$0/proc"
      for place in data tmp; do mount -t tmpfs -o uid=1000,mode=0700 tmpfs "$0/$place"; done
      exec chroot --userspec=1000:1000 "$0" /usr/bin/env -i "$@"`;
    const given = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const words = [...given, '/bin/sh', '-c', `cd ${config.WorkingDir} && exec "$0" "$@"`, ...command];
    const child = spawn('unshare', ['--mount', 'bash', '-e', '-c', mounts, root, ...words]);
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    return child;
  };
  const ended = async (child: ChildProcess) => {
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(String(chunk)));
    const [code] = await once(child, 'close');
    return { code, said: said.join('') };
  };
  const hostler = (...words: string[]) => [...config.Entrypoint, ...words];
  expect(await ended(inImage(hostler('version')))).toEqual({ code: 0, said: `hostler ${about.version}\n` });
  const missing = await ended(inImage(hostler(...config.Cmd)));
  expect(missing).toMatchObject({ code: 78, said: expect.stringContaining('SLACK_BOT_TOKEN') });
  const write = ['node', '-e', 'fs.writeFileSync("/app/written", "")'];
  expect((await ended(inImage(write))).said).toContain('EROFS');
  const draw = `
    const options = { font: { loadSystemFonts: false, fontFiles: [require.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')] } };
    const svg = (text) => '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><text y="50">' + text + '</text></svg>';
    const size = async (text) => (await require('@resvg/resvg-js').renderAsync(svg(text), options)).asPng().length;
    Promise.all([size(''), size('web-1')]).then(([empty, full]) => console.log(full > empty));`;
  expect((await ended(inImage(['node', '-e', draw]))).said).toBe('true\n');
  const { settings } = await openSimulators();
  const [, ...healthCheck] = config.Healthcheck.Test;
  const env = { ...settings, PORT: String(await freePort()), HOSTLER_METRICS_PORT: String(await freePort()) };
  expect((await ended(inImage(healthCheck, env))).code).toBe(1);
  const bot = inImage(hostler(...config.Cmd), env);
  const end = ended(bot);
  while ((await ended(inImage(healthCheck, env))).code !== 0) {
    if (bot.exitCode !== null) throw new Error((await end).said);
  }
  bot.kill('SIGTERM');
  expect((await end).code).toBe(0);
});
