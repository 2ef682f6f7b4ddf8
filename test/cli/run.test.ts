import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { runRun } from '../../src/cli/run.ts';
import { CliError } from '../../src/core/view/errors.ts';
import { createHookRoutes } from '../../src/http/hook-routes.ts';
import { type HttpRoute, openServer } from '../../src/http/server.ts';
import { answer } from '../commands/answer.ts';
import { machineOf } from '../support/bot/machine.ts';
import { startTestBot } from '../support/bot/test-bot.ts';
import { newFolder } from '../support/process/new-folder.ts';

// A machine asks on the command line. The bot and its routes are real; a fault stands for the network between them.

const main = join(import.meta.dirname, '../../dist/main.js');
const restart = 'restart web-2 because deploy 41';
const quick = { firstMs: 10, mostMs: 50, askMs: 300, followMs: 300 };

type Handler = HttpRoute['handler'];
type Fault = (request: IncomingMessage, response: ServerResponse, handler: Handler) => unknown;

const answers =
  (status: number, body: string): Fault =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
const passes: Fault = (request, response, handler) => handler(request, response);
const hangsUp: Fault = (request) => request.socket.destroy();
/** The bot handles the call, and the caller never hears of it. */
const losesAnswer: Fault = (request, response, handler) => {
  response.end = () => response.destroy();
  return handler(request, response);
};

async function serve(routes: readonly HttpRoute[], faults: Fault[] = []) {
  const faulty = routes.map((route) => ({
    ...route,
    handler: (request: IncomingMessage, response: ServerResponse) => {
      const fault = faults.shift();
      return fault === undefined ? route.handler(request, response) : void fault(request, response, route.handler);
    },
  }));
  const server = await openServer(faulty, { port: 0, host: '127.0.0.1' }, () => {});
  onTestFinished(() => server.close(0));
  return `http://127.0.0.1:${server.port}`;
}

function environment(url: string, token: string): void {
  vi.stubEnv('HOSTLER_URL', url);
  vi.stubEnv('HOSTLER_TOKEN', token);
  onTestFinished(() => void vi.unstubAllEnvs());
}

async function open(token: Parameters<typeof machineOf>[1] = {}) {
  const bot = await startTestBot();
  const machine = await machineOf(bot, token);
  const faults: Fault[] = [];
  const [replica] = bot.replicas;
  if (replica === undefined) throw new Error('no replica');
  const url = await serve(createHookRoutes(replica), faults);
  environment(url, machine.token);
  return { bot, machine, url, faults, rows: () => bot.store.operations.list({ limit: 50 }) };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** The exit code, the standard output, and all of the rest that a person reads. */
async function run(argv: readonly string[], { isTerminal = false, patience = quick } = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const cli = { argv, print: (line: string) => void out.push(line), config: { databaseUrl: '', admins: [] } };
  const code = await runRun(cli, { note: (words: string) => err.push(words), isTerminal, patience }).catch(
    (error: unknown) => {
      if (!(error instanceof CliError)) throw error;
      err.push(error.message);
      return error.exitCode;
    },
  );
  return { code, out: out.join('\n'), err: err.join('') };
}

/** Runs with --wait. Its card is there when this resolves, and somebody may decide it. */
async function wait({ bot, rows }: Opened, argv: readonly string[], more?: Parameters<typeof run>[1]) {
  const before = (await rows()).length;
  const ending = run(['--wait', ...argv], more);
  await bot.until(async () => (await rows()).length > before, 'the request');
  await bot.settle();
  return { ending };
}

test('a read is answered in words and aligned tables, with 0', async () => {
  await open();
  const { code, out, err } = await run(['list']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^Name {7}State {3}Paid$/m);
  expect(out).toMatch(/^web-1 {6}🟢 on {3}\d+ days$/m);
  expect((await run(['status web-2'])).out).toMatch(/^web-2\n192\.0\.2\.11 · CPU/);
});

test('a change without --wait ends with 0 after it was asked, and says who decides and where', async () => {
  const { rows, bot } = await open();
  const { code, out, err } = await run([restart]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(
    /^Restart web-2\nThe server shuts down .*\nDecides: @operator or anybody .*, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\nhttps:\/\/\S+slack\.com\S+$/,
  );
  expect(await rows()).toMatchObject([{ state: 'waiting' }]);
  expect(bot.writes()).toEqual([]);
});

test('with --wait a change that a person confirmed ends with 0, and a log has a line for each state', async () => {
  const opened = await open();
  const { ending } = await wait(opened, [restart]);
  await opened.bot.press('lead', 'Restart web-2');
  const { code, out, err } = await ending;
  expect(code).toBe(0);
  expect(out).toMatch(/\nweb-2 restarted; the power is on\.$/);
  expect(err).toMatch(/^Restart web-2: waiting\n(?:Restart web-2: (?:starting|running)\n)*Restart web-2: done\n$/);
});

test('on a terminal, the states are in one line', async () => {
  const opened = await open();
  const { ending } = await wait(opened, [restart], { isTerminal: true });
  await opened.bot.press('lead', 'Restart web-2');
  const { err } = await ending;
  expect(err.split('\n')).toHaveLength(2);
  expect(err.split('\u001b[K').at(-1)).toMatch(/^waiting → (?:\S+ → )*done\n$/);
});

test('a request that was declined did not run: 1', async () => {
  const opened = await open();
  const { ending } = await wait(opened, ['reinstall web-2 template=1']);
  const form = await opened.bot.open('lead', { button: 'Decline…' });
  await opened.bot.submit('lead', form, { words: 'no backup yet' });
  expect(await ending).toMatchObject({ code: 1, out: expect.stringContaining('no backup yet') });
});

test('a request whose target changed did not run, and names the next one: 1', async () => {
  const opened = await open();
  const { ending } = await wait(opened, [restart]);
  opened.bot.sim.power({ order: '34-12399', state: 'off' });
  await opened.bot.press('operator', 'Restart web-2');
  expect(await ending).toMatchObject({ code: 1, out: expect.stringMatching(/\nThe next request: [a-z2-9]{10}$/) });
});

test('a change that the provider refused did not run: 1', async () => {
  const opened = await open();
  opened.bot.sim.fault(answer('POST /vps/{order_id}/restart/', 400, { detail: 'No.' }));
  const { ending } = await wait(opened, [restart]);
  await opened.bot.press('lead', 'Restart web-2');
  expect((await ending).code).toBe(1);
});

test('a lost response is not known, with 3', async () => {
  const opened = await open();
  opened.bot.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/restart/', times: 1 });
  const { ending } = await wait(opened, [restart]);
  await opened.bot.press('lead', 'Restart web-2');
  expect(await ending).toMatchObject({ code: 3, out: expect.stringMatching(/not be retried|not verified/) });
});

test('a lost response that reading explains is done: 0', async () => {
  const opened = await open();
  opened.bot.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/stop/', times: 1 });
  const { ending } = await wait(opened, ['stop web-2', '--json']);
  await opened.bot.press('lead', 'Stop web-2');
  const { code, out } = await ending;
  expect([code, JSON.parse(out).state]).toEqual([0, 'done']);
});

test('a request that stopped in the middle ran, but not as asked: 4', async () => {
  const opened = await open();
  opened.bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'error', times: 1 });
  const { ending } = await wait(opened, ['dns set example.com www A 192.0.2.7', 'restart web-1']);
  await opened.bot.press('operator', 'Run 2 steps');
  const { code, out } = await ending;
  expect(code).toBe(4);
  expect(out).toMatch(/^1\. ± www\.example\.com A .*\n2\. Restart web-1\n− www.*\n\+ www/m);
  expect(out).toContain('1 of 2 done, 1 failed');
});

test('a problem is refused with 5, in words that say what would be right', async () => {
  const { rows } = await open();
  expect(await run(['restart web-9'])).toEqual({
    code: 5,
    out: '',
    err: expect.stringMatching(/^There is no server called web-9\..*\nInstead: restart 34-12345\n/),
  });
  expect((await run(['password web-2', '--wait'])).code).toBe(5);
  vi.stubEnv('HOSTLER_TOKEN', 'hst_abcdefgh.secret');
  expect(await run(['status web-2'])).toMatchObject({ code: 5, err: expect.stringContaining('needs a valid token') });
  expect(await rows()).toEqual([]);
});

test.each([
  ['no line', [], /^Name a line, in quotes\.\nhostler run "LINE"/],
  ['words without quotes', ['restart', 'web-1'], /hostler run "restart web-1"$/],
  ['an unknown option', ['status web-1', '--token', 'x'], /^Unknown option '--token'/],
])('a command line with %s is wrong use: 2', async (_, argv, sentence) => {
  environment('http://127.0.0.1:1', 'hst_abcdefgh.secret');
  expect(await run(argv)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(sentence) });
});

test('missing and wrong settings are wrong use, all at once, and the token is not repeated', async () => {
  environment('', '');
  expect(await run(['list'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^HOSTLER_URL is missing: .*\nHOSTLER_TOKEN is missing: .*HOSTLER_TOKEN=hst_…$/),
  });
  environment('http://hostler.example.com', 'xoxb-secret');
  const { code, err } = await run(['list']);
  expect(code).toBe(2);
  expect(err).toMatch(
    /^HOSTLER_URL is not an https:\/\/ address.*\nHOSTLER_TOKEN is not a token, which begins with hst_/,
  );
  expect(err).not.toContain('xoxb-secret');
});

test('the token comes from the file that HOSTLER_TOKEN_FILE names', async () => {
  const { machine } = await open();
  const file = join(await newFolder('token'), 'token');
  await writeFile(file, `${machine.token}\n`);
  vi.stubEnv('HOSTLER_TOKEN', '');
  vi.stubEnv('HOSTLER_TOKEN_FILE', file);
  expect((await run(['status web-2'])).code).toBe(0);
});

test('a bot that cannot be reached gives 69, and the key with which to ask again', async () => {
  environment(`http://127.0.0.1:${await freePort()}`, 'hst_abcdefgh.secret');
  const { code, out, err } = await run([restart, '--key', 'deploy-41', '--json']);
  expect([code, out]).toEqual([69, '']);
  expect(err).toMatch(/cannot be reached\. No connection \(ECONNREFUSED\)\.\nThe same words with --key deploy-41 /);
});

test.each([
  [404, '{"error":"There is nothing at this address."}', /HTTP 404, and not as Hostler\. The address/],
  [200, '<html>', /HTTP 200, and not as Hostler/],
  [200, `{"text":"${'x'.repeat(5_000_000)}","parts":[]}`, /HTTP 200, and not as Hostler/],
  [301, '', /HTTP 301, and not as Hostler/],
])('a server that answers %i with something else is not the bot: 69', async (status, body, sentence) => {
  const calls: string[] = [];
  const route: HttpRoute = {
    method: 'POST',
    path: '/*',
    handler: (request, response) => {
      calls.push(request.url ?? '');
      response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(body);
    },
  };
  environment(await serve([route]), 'hst_abcdefgh.secret');
  expect(await run(['list'])).toMatchObject({ code: 69, err: expect.stringMatching(sentence) });
  expect(calls).toEqual(['/api/run']);
});

test('control characters are not printed, and are escaped in JSON', async () => {
  const body = { text: 'a', parts: [{ text: 'a\u001b[2J\u009b2J\u202eb' }] };
  const route: HttpRoute = {
    method: 'POST',
    path: '/*',
    handler: (_, response) => void response.end(JSON.stringify(body)),
  };
  environment(await serve([route]), 'hst_abcdefgh.secret');
  expect((await run(['list'])).out).toBe('a�[2J�2J�b');
  const { out } = await run(['list', '--json']);
  expect(out).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(JSON.parse(out)).toEqual(body);
});

test('--json prints the body of the last answer as one document', async () => {
  const opened = await open();
  expect(JSON.parse((await run(['status web-2', '--json'])).out)).toMatchObject({ text: 'web-2 is on' });
  expect(JSON.parse((await run(['restart web-9', '--json'])).out)).toMatchObject({ reason: 'not_found' });
  const { ending } = await wait(opened, [restart, '--json']);
  await opened.bot.press('lead', 'Restart web-2');
  expect(JSON.parse((await ending).out)).toMatchObject({ state: 'done', end: { verdict: 'ran' } });
});

test('a dry run shows the plan with 0 and asks for nothing', async () => {
  const { rows } = await open({ mayWrite: false });
  const { code, out } = await run([restart, '--dry-run', '--wait']);
  expect(code).toBe(0);
  expect(out).toContain('Restart web-2');
  expect(out).toMatch(/Dry run: nothing was requested\.$/m);
  expect(await rows()).toEqual([]);
});

test.each<[string, Fault]>([
  ['whose answer was lost', losesAnswer],
  ['that found no connection', hangsUp],
  ['that a proxy refused', answers(503, '<html>')],
  [
    'that the bot could not store',
    answers(503, '{"status":503,"reason":"unavailable","detail":"The database is away."}'),
  ],
])('a call %s is sent again with the same key, and is one request', async (_, fault) => {
  const { faults, rows } = await open();
  faults.push(fault);
  const { code, err } = await run([restart]);
  expect(code).toBe(0);
  expect(err).toMatch(/Trying again\.\n$/);
  expect(await rows()).toHaveLength(1);
});

test('the same key again is the same request, whose end decides the exit code', async () => {
  const { machine, rows } = await open();
  expect((await run([restart, '--key', 'deploy-41'])).code).toBe(0);
  const [{ id = '' } = {}] = await rows();
  await machine.withdraw(id);
  const ran = await run([restart, '--key', 'deploy-41']);
  expect(ran).toMatchObject({ code: 1, out: expect.stringContaining('withdrawn') });
  expect((await run(['restart web-1', '--key', 'deploy-41'])).code).toBe(5);
});

test('a wait survives lost connections and errors of a proxy', async () => {
  const opened = await open();
  const bug = '{"status":500,"reason":"bug","detail":"Something is wrong."}';
  opened.faults.push(passes, hangsUp, answers(502, '<html>'), answers(500, bug));
  const { ending } = await wait(opened, [restart], { patience: { ...quick, followMs: 60_000 } });
  await opened.bot.press('lead', 'Restart web-2');
  expect((await ending).code).toBe(0);
  expect(opened.faults).toEqual([]);
});

test('a wait that finds no bot for too long has no known end: 3', async () => {
  const { faults } = await open();
  faults.push(passes, ...Array.from({ length: 1_000 }, () => hangsUp));
  const { code, err } = await run([restart, '--wait', '--key', 'k']);
  expect(code).toBe(3);
  expect(err).toMatch(/No connection \(.*\)\. “Restart web-2” has no known end: https:/);
  expect(err).toMatch(/\nThe same words with --wait --key k follow it again\.\n$/);
});

test('a wait that the bot refuses to continue has no known end: 3', async () => {
  const { faults } = await open();
  faults.push(passes, answers(401, '{"status":401,"reason":"no_token","detail":"This needs a valid token."}'));
  const { code, err } = await run([restart, '--wait']);
  expect(code).toBe(3);
  expect(err).toContain('This needs a valid token. “Restart web-2” has no known end');
});

test('Ctrl-C while waiting stops the wait and says that the request still waits, with its link', async () => {
  const { bot, rows, url, machine } = await open();
  const env = { PATH: process.env.PATH ?? '', HOSTLER_URL: url, HOSTLER_TOKEN: machine.token };
  const child: ChildProcess = spawn(process.execPath, [main, 'run', restart, '--wait', '--key', 'k'], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  const [out, err] = await said;
  expect(code).toBe(130);
  expect(err).toMatch(
    /Stopped waiting\. “Restart web-2” still waits for people: https:\/\/\S+\nThe same words with --wait --key k follow it again\.\n$/,
  );
  expect(`${out}${err}`).not.toContain(machine.token);
  expect(await rows()).toMatchObject([{ state: 'waiting' }]);
  expect(bot.writes()).toEqual([]);
});
