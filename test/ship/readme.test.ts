import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { runInPlace } from '../cli/in-place.ts';
import { freshDatabase } from '../support/database/databases.ts';
import { startBotProcess } from '../support/process/bot-process.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { openSimulators } from '../support/process/simulators.ts';
import { patienceMs } from '../support/suite/patience.ts';

/** The README, typed in word for word. Each block of commands has its place here, and a block without one fails. */

const readme = readFileSync('README.md', 'utf8');
const blocksOf = (language: string) =>
  [...readme.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indent = '', body = '']) => body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
const [sandbox = '', tests = '', setup = '', writeSettings = '', checkAndStart = '', replicas = '', ...more] =
  blocksOf('sh');
const [inSlack = ''] = blocksOf('text');

/** A checkout with all files that the commands need, and a separate folder for data. */
async function checkout(): Promise<string> {
  const dir = await newFolder('readme');
  for (const name of ['package.json', 'node_modules', 'src', 'sandbox', 'bin', 'manifest.yml'])
    await symlink(resolve(name), join(dir, name));
  return dir;
}

function bash(script: string, cwd: string, env: Record<string, string>) {
  const child = spawn('bash', ['-e', '-c', script], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', HOSTLER_HOST: '127.0.0.1', ...env },
    // npm passes a signal on to its child only from a terminal, so the signal goes to the whole group.
    detached: true,
  });
  const out: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => out.push(String(chunk)));
  const end = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    sendSignal(child, 'SIGKILL');
    await end;
  });
  const heard = async (words: RegExp): Promise<string> => {
    for (const until = performance.now() + patienceMs; performance.now() < until; ) {
      const found = words.exec(out.join(''))?.[0];
      if (found !== undefined) return found;
      if (child.exitCode !== null) break;
      await new Promise((ready) => setTimeout(ready, 50));
    }
    throw new Error(`waited in vain for ${words}:\n${out.join('')}`);
  };
  return { end, heard, said: () => out.join(''), stop: () => sendSignal(child, 'SIGTERM') };
}

function sendSignal({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The process ended by itself.
  }
}

test('the README has no other commands, and CI installs and tests as it says', () => {
  expect(more).toEqual([]);
  const ci = readFileSync('.ci/run', 'utf8');
  for (const command of tests.trim().split(' && ')) expect(ci).toContain(`\nstep ${command}\n`);
  // test/cli/setup/setup.test.ts runs it.
  expect(setup).toBe('npm ci && npx hostler setup\n');
});

test('the command for the sandbox opens it', async () => {
  const [install, start = ''] = sandbox.trim().split(' && ');
  expect(install).toBe('npm ci');
  const port = await freePort();
  const run = bash(start, await checkout(), { PORT: String(port) });
  const url = await run.heard(/http:\/\/127\.0\.0\.1:\d+/);
  expect(url).toBe(`http://127.0.0.1:${port}`);
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<title>');
  run.stop();
  await run.end;
});

test('hostler check is green after the numbered steps', async () => {
  const { slack, settings } = await openSimulators({ jobMs: 20 });
  const dir = await checkout();
  // The values that the reader puts in place of the examples.
  const { SLACK_API_URL, HOSTLER_SECRET_KEY, HOSTLER_DNS_PROPAGATION, ...examples } = settings;
  const own: Record<string, string> = examples;
  const filled = writeSettings.replace(/^([A-Z_]+)=.*$/gm, (line, name: string) =>
    name in own ? `${name}=${own[name]}` : line,
  );
  for (const value of Object.values(own)) expect(filled).toContain(value);
  expect(await bash(filled, dir, {}).end).toBe(0);
  const env = { SLACK_API_URL, HOSTLER_DNS_PROPAGATION, PORT: '0' };
  const run = bash(checkAndStart, dir, env);
  await run.heard(/is ready/);
  expect(run.said()).toMatch(/^✓ Slack scopes/m);
  expect(run.said()).not.toContain('✕');
  let granted = 0;
  for (const line of inSlack.trim().split('\n')) {
    if (line === '/invite @Hostler') await slack.sim.invite('#random', 'hostler');
    else {
      await slack.sim.say('admin', '#random', line);
      await slack.sim.waitFor('[Cancel]', { channel: '#random' });
      await slack.sim.click('admin', { channel: '#random', isMain: true });
      // The test reads the channel until the card ends, since so quick a request has no other message.
      granted += 1;
      await slack.sim.waitFor((sim) => sim.transcript('#random').split('\n  The rights are granted').length > granted);
    }
  }
  await slack.sim.say('reader', '#random', '/host list');
  await slack.sim.waitFor(/web-1 \| /, { channel: '#random' });
  const checked = await runInPlace(dir, env, ['check', '--settings', 'data/hostler.env']);
  expect(checked.code).toBe(0);
  expect(checked.said).toMatch(/^✓ policies +1 channel/m);
  expect(checked.said).not.toMatch(/^[✕·]/m);
  run.stop();
  await run.end;
});

test('the line for several replicas starts another one on the same PostgreSQL', async () => {
  const database = await freshDatabase('postgres');
  onTestFinished(() => database.drop());
  const { slack, settings } = await openSimulators();
  const env = { ...settings, PORT: '0' };
  const line = replicas.replace(/^DATABASE_URL=\S+/, `DATABASE_URL=${database.url}`);
  expect(line).toContain(database.url);
  const replica = await startBotProcess({ ...env, DATABASE_URL: database.url });
  const another = bash(line, await checkout(), env);
  await another.heard(/is ready/);
  // A bot is ready with its first socket; the second one follows.
  await expect.poll(() => slack.sim.connections()).toBe(4);
  another.stop();
  await Promise.all([another.end, replica.end('SIGTERM')]);
});
