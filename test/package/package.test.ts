import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { copyTree } from '../support/process/copy-tree.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { openPseudoTerminal } from '../support/process/pseudo-terminal.ts';
import { run } from '../support/process/run.ts';
import { openSimulators } from '../support/process/simulators.ts';
import { openPage } from './page.ts';

// The package, packed and installed into an empty folder, as people do.

const packed = z.tuple([
  z.object({ filename: z.string(), size: z.number(), files: z.array(z.object({ path: z.string() })) }),
]);

let folder = '';
let contents: z.output<typeof packed>[0];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostler-package-'));
  // Packed in a copy, since packing builds anew, and other tests run the bundle of this folder.
  const copy = await copyTree();
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: copy.folder,
    maxBuffer: 16_000_000,
  });
  await copy.remove();
  // The output of prepack comes first.
  [contents] = packed.parse(JSON.parse(stdout.slice(stdout.indexOf('[\n'))));
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', `./${contents.filename}`], { cwd: folder });
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const bin = () => join(folder, 'node_modules/.bin/hostler');

/** Settings of the machine that runs the tests must not reach it. */
const environment = () => ({ PATH: process.env.PATH ?? '', HOME: folder });

function start(words: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [bin(), ...words], { cwd: folder, env: { ...environment(), ...env } });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(String(chunk)));
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  return Object.assign(child, { said: () => said.join('') });
}

async function heard(child: { said: () => string }, words: RegExp): Promise<RegExpExecArray> {
  for (const until = performance.now() + 60_000; performance.now() < until; ) {
    const found = words.exec(child.said());
    if (found !== null) return found;
    await new Promise((ready) => setTimeout(ready, 50));
  }
  throw new Error(`waited in vain for ${words}:\n${child.said()}`);
}

test('the package has only what runs, in less than two megabytes', async () => {
  expect(contents.size).toBeLessThan(2_000_000);
  expect((await stat(join(folder, contents.filename))).size).toBe(contents.size);
  const folders = new Set(contents.files.map(({ path }) => path.split('/')[0]));
  expect([...folders].sort()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'manifest.yml', 'package.json', 'sandbox'].sort(),
  );
});

test('in an empty folder the sandbox opens with its page, and the first restart is done within a minute', async () => {
  const empty = await newFolder('first');
  const startedAt = performance.now();
  const sandbox = start(['--port', '0'], { HOSTLER_SANDBOX_DIR: join(empty, 'sandbox') });
  const [, url = ''] = await heard(sandbox, /Hostler's sandbox is at (http:\/\/127\.0\.0\.1:\d+)/);
  const page = await openPage(url);
  await page.say('C0OPS00001', '/host restart web-1');
  await page.click(/Restart web-1/, 'Restart web-1');
  await page.until(/web-1 restarted; .+ answer again after \d+ s/);
  expect(performance.now() - startedAt).toBeLessThan(60_000);
  const html = await (await fetch(url)).text();
  const scripts = [...html.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(([, path = '']) => path);
  expect(scripts.length).toBeGreaterThan(1);
  for (const script of scripts) expect((await fetch(`${url}${script}`)).status, script).toBe(200);
});

test('hostler setup goes from no settings to a message in the first channel, and the bot answers with a chart', async () => {
  const { slack, provider } = await openSimulators();
  const empty = await newFolder('setup');
  const env = { ...environment(), SLACK_API_URL: slack.apiUrl, PORT: '0' };
  const startedAt = performance.now();
  const terminal = openPseudoTerminal([process.execPath, bin(), 'setup'], { cwd: empty, env });
  await terminal.answer(/Bot token .*: /, slack.botToken);
  await terminal.answer(/App-level token .*: /, slack.appToken);
  await terminal.answer(/Address of its API .*: /, provider.url);
  await terminal.answer(/API key: /, provider.key);
  await terminal.answer(/Admins, .*: /, '@admin');
  await terminal.answer(/Name of the channel .*: /, '#ops');
  await terminal.answer(/First policy \[1\]: /, '3');
  await terminal.answer(/Start the bot now\? .*: /, '');
  await terminal.see(/The first message is in the channel\./);
  expect(performance.now() - startedAt).toBeLessThan(100_000);
  expect(slack.sim.transcript('#ops')).toContain('Hostler is connected to this channel');
  await slack.sim.say('admin', '#ops', '/host status web-1');
  await slack.sim.waitFor(() =>
    slack.sim.ephemerals('admin').some((said) => slack.sim.plainText(said).includes('(image: ')),
  );
  terminal.type('\u0003');
  expect(await terminal.ended).toBe(0);
});

test('the package says its version', async () => {
  const version = start(['version'], {});
  await heard(version, /^hostler \d+\.\d+\.\d+$/m);
});

test('an old Node gets an error message of one sentence', async () => {
  const old = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })`;
  const { stderr, code } = await run(process.execPath, ['--import', old, bin()], { cwd: folder }).then(
    () => ({ stderr: '', code: 0 }),
    (error: { stderr: string; code: number }) => error,
  );
  expect({ stderr, code }).toEqual({
    stderr:
      'Hostler needs Node 24 or newer, and this is Node 20.11.0. Install a newer Node (https://nodejs.org) and run it again.\n',
    code: 1,
  });
});
