import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { dockerEntrypoint, dockerStages } from '../ship/dockerfile.ts';
import { freshDatabase } from '../support/database/databases.ts';
import { copyNode, isRoot, letOthersRead, nobody, openFolder } from '../support/process/another-user.ts';
import { run } from '../support/process/run.ts';
import { openSimulators } from '../support/process/simulators.ts';
import { hasAllTests } from '../support/suite/seed.ts';

/**
 * The container without Docker: its stages as the Dockerfile has them, the bundle with production dependencies, the whole
 * tree read-only and somebody else's, a user without rights, and one directory to write in.
 */

/** The stages of the Dockerfile, each in a separate folder, with the very lines that the image build runs. */
async function install() {
  const { path: root, remove } = await openFolder();
  onTestFinished(async () => {
    await run('chmod', ['-R', 'u+w', root]);
    await remove();
  });
  const [bin, data] = [join(root, 'bin'), join(root, 'data')];
  await mkdir(bin);
  await mkdir(data);
  // The image brings Node; here it is the one that runs this test, where anybody can read it.
  const node = await copyNode(bin);
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const stages = dockerStages();
  const folderOf = (name = 'image') => join(root, name, 'app');
  for (const { name, steps } of stages) {
    const app = folderOf(name);
    await mkdir(app, { recursive: true });
    for (const step of steps) {
      if (step.kind === 'copy') {
        for (const path of step.paths) {
          const from = step.from === undefined ? path : join(root, step.from, path);
          const to = step.to.endsWith('/') ? join(step.to, basename(path)) : step.to;
          await cp(from, join(app, to), { recursive: true, verbatimSymlinks: true });
        }
      } else if (name !== undefined) await run('bash', ['-e', '-c', step.line], { cwd: app, env, timeout: 300_000 });
      // The last stage has no name; its lines make /data.
    }
  }
  const app = folderOf();
  await letOthersRead(root);
  await run('chmod', ['-R', 'a-w', app]);
  if (isRoot) await chown(data, nobody.uid, nobody.gid);
  return { build: folderOf('build'), app, data, node };
}

function ended(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout?.on('data', (chunk) => out.push(String(chunk)));
  child.stderr?.on('data', (chunk) => err.push(String(chunk)));
  return once(child, 'close').then(([code]) => ({ code, out: out.join(''), err: err.join('') }));
}

// In a quick run test/package installs the package, and the image runs read-only.
test.skipIf(!hasAllTests)('the bot starts, answers and stops as an unprivileged user in a read-only tree', async () => {
  const { build, app, data, node } = await install();
  await access(join(build, 'node_modules/rolldown'));
  await expect(access(join(build, 'node_modules/vitest'))).rejects.toThrow('ENOENT');
  const { slack, settings } = await openSimulators({ jobMs: 20 });
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    HOME: '/nonexistent',
    PATH: '/usr/bin:/bin',
    ...settings,
    DATABASE_URL: join(data, 'hostler.db'),
    HOSTLER_HOST: '127.0.0.1',
    PORT: String(port),
  };
  const as = isRoot ? nobody : {};
  const hostler = (words: string[], more: Record<string, string | undefined> = {}) =>
    spawn(node, [...dockerEntrypoint().slice(1), ...words], { cwd: app, env: { ...env, ...more }, ...as });

  const { stdout: kilobytes } = await run('du', ['-sk', app]);
  expect(Number.parseInt(kilobytes, 10)).toBeLessThan(30_000);
  const policy = join(data, '..', 'policy.yml');
  await writeFile(policy, 'channels:\n  C0OPS00001:\n    grants: [{ to: [everyone], can: [read, operate] }]\n');
  await letOthersRead(policy);
  expect(await ended(hostler(['policy', 'apply', policy]))).toMatchObject({ code: 0, err: '' });
  const checked = await ended(hostler(['check']));
  expect(checked.out).not.toContain('✕');
  expect(checked).toMatchObject({ code: 0, err: '' });
  // Both databases, with only the packages that the bundle cannot contain.
  const postgres = await freshDatabase('postgres');
  onTestFinished(postgres.drop);
  const verified = await ended(hostler(['policy', 'diff', policy], { DATABASE_URL: postgres.url }));
  expect(verified).toMatchObject({ code: 0, err: '' });
  // In production missing settings never open a sandbox.
  expect(await ended(hostler(['start'], { SLACK_BOT_TOKEN: '' }))).toMatchObject({ code: 78 });
  const bot = hostler(['start']);
  onTestFinished(() => {
    bot.kill('SIGKILL');
  });
  const end = ended(bot);
  const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  while ((await at('/readyz'))?.status !== 200) {
    if (bot.exitCode !== null) throw new Error((await end).err);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect((await at('/healthz'))?.status).toBe(200);
  expect(await (await at('/metrics'))?.text()).toContain('hostler_slack_ready 1');
  await slack.sim.say('operator', '#ops', '/host restart web-1');
  await slack.sim.waitFor('[Cancel]', { channel: '#ops' });
  await slack.sim.click('operator', { channel: '#ops', isMain: true });
  await slack.sim.waitFor('web-1 restarted', { channel: '#ops' });
  // The picture is drawn by native code, which came without install scripts.
  await slack.sim.say('operator', '#ops', '/host stats web-1');
  const [picture] = await slack.sim.waitFor((sim) => sim.files().length > 0 && sim.files());
  expect(picture?.mimetype).toBe('image/png');
  bot.kill('SIGTERM');
  const { code, err } = await end;
  expect(err.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  expect(code).toBe(0);
});
