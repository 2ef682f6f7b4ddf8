import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { usages } from '../../src/cli/usages.ts';
import { copyNode, isRoot, letOthersRead, nobody, openFolder } from '../support/process/another-user.ts';
import { listeningPort } from '../support/process/listening-port.ts';
import { openSimulators } from '../support/process/simulators.ts';
import { isNightly } from '../support/suite/seed.ts';
import { runInPlace } from './in-place.ts';

// A mistake at the command line gets a sentence. A stack would be a bug.

const main = join(import.meta.dirname, '../../dist/main.js');
/** 0, 1 for an error in a sentence, 78 for settings: docs/troubleshooting.md. 2 for `run`: docs/machines.md. */
const documented = [0, 1, 2, 78];

let dir = '';
const inDir = (name: string) => join(dir, name);
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hostler-errors-'));
  await mkdir(inDir('folder'));
  await writeFile(inDir('empty'), '');
  await writeFile(inDir('words.yml'), 'only words');
  await writeFile(inDir('broken.yml'), 'channels: {');
  await writeFile(inDir('odd.yml'), 'channels: { C1: { grants: [{ to: [nobody], can: [fly] }] } }');
  await writeFile(inDir('broken.json'), '{"a":');
  await writeFile(inDir('noise.bin'), Buffer.from([0, 255, 254, 10, 0, 61, 0]));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const nowhere = { NODE_ENV: 'production', SLACK_API_URL: 'http://127.0.0.1:1/api/' };

/** Runs the words in this process: all that neither start a bot nor a sandbox. */
const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runInPlace(dir, { ...nowhere, ...env }, words);

/** Runs the words as a process. */
async function runProcess(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env.PATH ?? '', NODE_NO_WARNINGS: '1', ...nowhere, ...more };
  const child = spawn(process.execPath, [main, ...words], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said, [code]] = await Promise.all([
    Promise.all([text(child.stdout), text(child.stderr)]),
    once(child, 'close'),
  ]);
  return { code: code as number | null, said: said.join('') };
}

const isStack = (said: string) => /^\s+at .+[:(]/m.test(said) || said.includes('node:internal');

const flags =
  '--port --host --name --request-url --views --since --settings --seed --key --job-ms --http --lenient --strict-rates';
const ofRun = '--wait --json --dry-run';
const ofSandbox = '--copy --from --save --drill';
const other = '--version --help -h -- provider slack verify export test diff apply';
const files = 'folder empty words.yml broken.yml odd.yml broken.json noise.bin not-there folder/x';
const values = '0 -1 70000 abc http://x https://[ 2020-13-45 1:0 nowhere.invalid --port=x';
const word = fc.oneof(
  ...[flags, ofRun, ofSandbox, other, files, values].map((words) => fc.constantFrom('', ...words.split(' '))),
  // A null byte cannot be in an argument of a process.
  fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
);
const typed = fc.tuple(
  fc.constantFrom(...Object.keys(usages), 'frobnicate', '--port', '-x'),
  fc.array(word, { maxLength: 4 }),
);

test('no typed command line prints a stack, and each ends with a documented exit code', async () => {
  const check = fc.asyncProperty(typed, async ([first, rest]) => {
    // A simulation or a sandbox that can be started would run until somebody stops it.
    const isServer = first === 'simulate' || first === 'sandbox';
    const { code, said } = await run([first, ...rest, ...(isServer ? ['--port', 'abc'] : [])]);
    expect(isStack(said), said).toBe(false);
    expect(documented).toContain(code);
    expect(said.trim()).not.toBe('');
  });
  await fc.assert(check, { numRuns: isNightly ? 1_000 : 100 });
});

test.each<[words: string[], sentence: RegExp, code?: number]>([
  [['manifest', '--name', ''], /^The app's name has 1 to 35 characters: --name Harbour\.$/m],
  [['manifest', '--request-url', 'http://x'], /^The request URL is the public https address of the bot/m],
  [['setup', '--name', 'a'.repeat(36)], /^The app's name has 1 to 35 characters/m],
  [
    ['frobnicate'],
    /^There is no subcommand frobnicate\.\nThere are: start, setup, .*\. hostler --help explains them\.\n$/,
  ],
  [['chekc', '--views'], /^There is no subcommand chekc\. Did you mean check\?\n$/],
  [['version', '--frobnicate', '--help'], /^hostler version/m],
  [['check', '--frobnicate'], /^Unknown option '--frobnicate'[\s\S]*^hostler --help lists all options\.$/m],
  [['audit', 'verify', '--since', 'x'], /^--since is an end from the audit channel/m],
  [
    ['policy', 'export', 'policy.yml'],
    /^policy export writes to standard output: hostler policy export > policy\.yml$/m,
  ],
  [['policy', 'test', 'not-there'], /^not-there cannot be read\.$/m],
  [['policy', 'test', 'broken.yml'], /^broken\.yml is not YAML: /m],
  [['policy', 'test', 'odd.yml'], /^odd\.yml is not a policy file:[\s\S]*grants\[0\]/m],
  [['backup', 'folder/none/x'], /^folder\/none\/x cannot be created \(ENOENT\)\.$/m],
  [['--settings', 'not-there'], /^not-there does not exist\. hostler setup creates such a file\.$/m],
  [['check', '--settings', 'folder'], /^folder cannot be read \(EISDIR\)\./m],
  [['check', '--views', 'folder/none'], /^There is no folder folder\/none\./m],
  [['simulate', 'slack', '--http', 'foo'], /^--http foo is not an address; /m],
  [['simulate', 'provider', '--port', '70000'], /^--port 70000 is not a port; /m],
  [['start', '--port', '70000'], /^PORT is not a whole number from 0 to 65535\./m, 78],
  [['run', 'list'], /^HOSTLER_URL is missing: [^\n]+\nHOSTLER_TOKEN is missing: /, 2],
  [['run', 'restart', 'web-1'], /^Each argument is a line\..* hostler run "restart web-1"\n$/, 2],
  [['version'], /^hostler \d+\.\d+\.\d+\n$/, 0],
  [['--help'], /SLACK_BOT_TOKEN/],
  [['policy', '--help'], /hostler policy apply FILE/],
])('the words %j get a message', async (words, sentence, code = words.includes('--help') ? 0 : 1) => {
  const ended = await run(words);
  expect(ended.said).toMatch(sentence);
  expect(isStack(ended.said), ended.said).toBe(false);
  expect(ended.code).toBe(code);
});

test.each([['policy', 'apply', 'fine.yml'], ['audit', 'verify'], ['backup', 'copy.db'], ['rotate']])(
  'hostler %s %s does not use another database when the file of DATABASE_URL cannot be read',
  async (...words) => {
    await writeFile(inDir('fine.yml'), 'channels: {}');
    const ended = await run(words, { DATABASE_URL_FILE: '/nowhere/address' });
    expect(ended.said).toMatch(/^DATABASE_URL cannot be read from the file that DATABASE_URL_FILE names \(ENOENT\)\./m);
    expect(ended.code).toBe(78);
    expect(await readdir(dir)).not.toContain('data');
    // A subcommand that has no use for the database runs.
    expect(await run(['version'], { DATABASE_URL_FILE: '/nowhere/address' })).toMatchObject({ code: 0 });
  },
);

test('wrong settings are all reported at once with exit code 78, and the sandbox does not start instead', async () => {
  const ended = await run([], { NODE_ENV: '', SLACK_API_URL: '', SLACK_BOT_TOKEN: 'not-a-token', PORT: 'x' });
  expect(ended.code).toBe(78);
  for (const name of ['SLACK_BOT_TOKEN', 'HOST_API_URL', 'HOST_API_KEY', 'HOSTLER_ADMINS', 'PORT'])
    expect(ended.said).toMatch(new RegExp(`^${name} `, 'm'));
  expect(ended.said).not.toContain('not-a-token');
});

test('output into a pipe whose reader has enough ends without an error', async () => {
  // The reader ends before the first line is written.
  const child = spawn('bash', ['-c', `"${process.execPath}" "${main}" --help | true`]);
  expect(await text(child.stderr)).toBe('');
});

test('a database that this user may not read is not reported as missing', async () => {
  const folder = await openFolder();
  onTestFinished(folder.remove);
  // Another user may be unable to enter the folder of the project.
  const [node, program] = [await copyNode(folder.path), join(folder.path, 'dist/main.js')];
  await cp(dirname(main), dirname(program), { recursive: true });
  await writeFile(join(folder.path, 'package.json'), '{ "type": "module", "version": "0.0.0" }');
  await letOthersRead(folder.path);
  const locked = join(folder.path, 'locked');
  await mkdir(locked, { mode: isRoot ? 0o700 : 0 });
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: join(locked, 'hostler.db') };
  const child = spawn(node, [program, 'audit', 'verify'], { cwd: '/', env, ...(isRoot ? nobody : {}) });
  expect(await text(child.stderr)).toMatch(/^using SQLite .*hostler\.db: no permission; give the user Hostler runs as/);
});

test('a folder that the sandbox cannot write to gets an error message', async () => {
  const ended = await runProcess(['--port', '0'], {
    NODE_ENV: '',
    SLACK_API_URL: '',
    HOSTLER_SANDBOX_DIR: inDir('empty/x'),
  });
  expect(ended.said).toMatch(
    /^The sandbox cannot keep its state in .+: ENOTDIR.+ Set HOSTLER_SANDBOX_DIR to a folder/m,
  );
  expect(isStack(ended.said), ended.said).toBe(false);
  expect(ended.code).toBe(1);
});

test('a port in use gets an error message, for the bot, its metrics and a simulation', async () => {
  const port = String(await listeningPort(createServer()));
  const { settings } = await openSimulators();
  const env = { ...settings, HOSTLER_HOST: '127.0.0.1', DATABASE_URL: './ports.db', LOG_LEVEL: 'error' };
  const sentence = new RegExp(
    `^starting: listening on port ${port} of 127\\.0\\.0\\.1: another process has it; set PORT or HOSTLER_METRICS_PORT to another$`,
    'm',
  );
  for (const more of [{ PORT: port }, { PORT: '0', HOSTLER_METRICS_PORT: port }]) {
    const ended = await runProcess([], { ...env, ...more });
    expect(ended.said).toMatch(sentence);
    expect(isStack(ended.said), ended.said).toBe(false);
    expect(ended.code).toBe(1);
  }
  const simulated = await run(['simulate', 'provider', '--port', port]);
  expect(simulated.said).toMatch(new RegExp(`^Port ${port} is in use; the next free one is \\d+: --port \\d+$`, 'm'));
  expect(simulated.code).toBe(1);
});
