import { afterAll, expect, test } from 'vitest';
import type { FaultInput } from '../../sandbox/provider/faults.ts';
import { defined } from '../../src/core/text/defined.ts';
import { effectOf } from '../../src/provider/endpoint.ts';
import { table } from '../../src/provider/table.ts';
import { granting } from '../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../support/bot/test-bot.ts';
import { counted, report } from '../support/suite/report.ts';
import { isChosen } from '../support/suite/seed.ts';

// Every write under every fault: each end is true, and no write is sent twice. In one process, where the five minutes
// of reading after a lost answer pass quickly. Jobs that hang: test/engine/endings. At night every write has
// every fault, else one of them, which the seed selects.

interface Write {
  readonly line: string;
  readonly route: string;
  readonly prepare?: (bot: TestBot) => unknown;
  /** A file comes from the person's own form only. */
  readonly file?: string;
  readonly makesJob?: boolean;
}

const order = (verb: string) => `POST /vps/{order_id}/${verb}/`;
const first = (line: string) => async (bot: TestBot) => {
  await bot.say('operator', line);
  await bot.settle();
};

const writes: readonly Write[] = [
  { line: 'start staging-1', route: order('start'), makesJob: true },
  { line: 'stop web-1', route: order('stop'), makesJob: true },
  { line: 'restart web-1', route: order('restart'), makesJob: true },
  { line: 'hard-reset web-1', route: order('hard_reset'), makesJob: true },
  { line: 'rescue on web-1', route: order('rescue_mode'), makesJob: true },
  { line: 'rescue off web-1', route: order('stop_rescue_mode'), makesJob: true, prepare: first('rescue on web-1') },
  { line: 'password web-1', route: order('passwd_reset'), makesJob: true },
  { line: 'reinstall ci-1 template="Debian 13"', route: 'POST /vps/{order_id}/reinstall/reinstall/' },
  { line: 'net connect web-1', route: 'PATCH /vps/{order_id}/' },
  { line: 'create name=web-4 plan="Cloud NVMe 2" template="Debian 13" location=de', route: 'POST /orders/vps/' },
  { line: 'rename web-1 web-old', route: 'PATCH /orders/{order_id}/' },
  { line: 'cancel staging-1', route: 'POST /orders/{order_id}/cancel/' },
  {
    line: 'keep staging-1',
    route: 'DELETE /orders/{order_id}/cancel/',
    prepare: (bot) => bot.sim.order({ order: '34-12422', cancel_mark: true }),
  },
  { line: 'project create Shop', route: 'POST /project/' },
  { line: 'project edit Website name=Shop', route: 'PATCH /project/{id}/' },
  { line: 'project delete Internal', route: 'DELETE /project/{id}/' },
  { line: 'project add Website mail-1', route: 'POST /project/{id}/add_orders/' },
  { line: 'project remove Website cache-1', route: 'POST /project/{id}/remove_orders/' },
  { line: 'project logo Website', file: 'F0LOGO', route: 'PUT /project/{id}/edit_logo/' },
  { line: 'net create', route: 'POST /private-network/', prepare: first('net delete 1') },
  { line: 'net delete 1', route: 'DELETE /private-network/{id}/' },
  { line: 'dns domain-add example.edu 192.0.2.10', route: 'POST /dns/domain/' },
  { line: 'dns domain-remove example.net', route: 'DELETE /dns/domain/{name}/' },
  { line: 'dns add example.com status A 192.0.2.77', route: 'POST /dns/domain/{name}/entry_set/' },
  { line: 'dns edit example.com www A value=192.0.2.11', route: 'PUT /dns/domain/{name}/entry_set/{id}/' },
  { line: 'dns remove example.com blog CNAME', route: 'DELETE /dns/domain/{name}/entry_set/{id}/' },
  {
    line: 'dns nameservers example.net ns1.example.org ns2.example.org',
    route: 'POST /dns/order/{order_id}/change_ns/',
  },
  { line: 'tag domain:example.com pci', route: 'PUT /dns/domain/{name}/tags/' },
  {
    line: 'ssh-key add deploy2 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGNsYXNzaWMgZXhhbXBsZSBrZXkgb2YgMzIgYnl0ZXMh',
    route: 'POST /ssh_keys/',
  },
  { line: 'ssh-key remove "Old workstation"', route: 'DELETE /ssh_keys/{key_id}/' },
  { line: 'ssh-key link "CI deploy" db-1', route: 'POST /vps/{order_id}/ssh_keys/add/' },
  {
    line: 'ssh-key unlink "CI deploy" db-1',
    route: 'POST /vps/{order_id}/ssh_keys/delete/',
    prepare: first('ssh-key link "CI deploy" db-1'),
  },
  { line: 's3 threshold "Media bucket" 20', route: 'PUT /orders/s3/{order_id}/notification_threshold/' },
  { line: 'ticket open "web-1 does not boot" "It hangs." order=web-1', route: 'POST /tickets/ticket/' },
  {
    line: 'ticket webhook set',
    route: 'POST /tickets/webhook_set/',
  },
];

test('the list has every write of the endpoint table', () => {
  const rows = Object.values(table).flatMap((group) => Object.values(group));
  const routes = rows.filter((row) => effectOf(row.route) === 'write').map(({ route }) => route);
  expect(writes.map(({ route }) => route).toSorted()).toEqual(routes.toSorted());
});

interface Fault {
  readonly name: string;
  /** The provider applied the write, with any answer. */
  readonly isTaken: boolean;
  readonly fault: FaultInput;
  /** Reading after a lost answer takes five minutes times this. */
  readonly timeScale?: number;
  readonly headersTimeoutMs?: number;
  /** The provider's answer says for sure that nothing was done, and the end quotes it. */
  readonly says?: string;
}

const refused = 'Another operation is in progress.';
const faults: readonly Fault[] = [
  { name: 'the answer is lost', isTaken: true, fault: { kind: 'lose' } },
  { name: 'the answer is cut off', isTaken: true, fault: { kind: 'malformed' } },
  { name: 'the answer has another shape', isTaken: true, fault: { kind: 'shape' } },
  { name: 'the connection breaks before', isTaken: false, fault: { kind: 'drop' } },
  {
    name: '400',
    isTaken: false,
    fault: { kind: 'answer', status: 400, body: { detail: refused } },
    says: refused,
  },
  {
    name: '429',
    isTaken: false,
    fault: { kind: 'throttle', retryAfterSec: 1 },
    says: 'throttled',
  },
  {
    name: '500',
    isTaken: false,
    fault: { kind: 'answer', status: 500, body: '<h1>Server Error (500)</h1>' },
  },
  // The provider applies the write after the bot has stopped waiting, while it reads the result.
  {
    name: 'the answer comes too late',
    isTaken: true,
    fault: { kind: 'delay', ms: 2_500 },
    timeScale: 0.02,
    headersTimeoutMs: 2_000,
  },
  {
    name: '503',
    isTaken: false,
    fault: { kind: 'answer', status: 503, body: { detail: 'Service unavailable.' } },
  },
];
const policy = granting(
  { everyone: 'read billing operate dns organize destroy secrets spend tickets' },
  { routine: 'none', disruptive: 'none', dangerous: 'none', destructive: 'none' },
);

const ends = new Map<string, string[]>();
afterAll(() => {
  const rows = [...ends].map(([name, states]) => [name, counted(states)] as const);
  report(`${writes.length} write operations under faults: never sent twice`, Object.fromEntries(rows));
});

/** Requests the write under the fault, and compares the end with the state of the provider. */
async function tried(
  { line, route, prepare, file }: Write,
  { name, isTaken, fault, says, timeScale = 0.0003, headersTimeoutMs }: Fault,
): Promise<void> {
  const bot = await startTestBot({
    policy,
    process: { timeScale, ...defined({ headersTimeoutMs }) },
    config: { publicUrl: 'https://hostler.example.com' },
    // Long enough that the bot sees the server going down for its new system, also on a busy machine: otherwise it
    // polls for half an hour.
    provider: line.startsWith('reinstall') ? { jobMs: 600 } : {},
  });
  const operations = () => bot.store.operations.list({ limit: 9 });
  await prepare?.(bot);
  const before = (await operations()).length;
  bot.sim.clearRequests();
  bot.sim.fault({ ...fault, match: route, times: 1 });
  if (file === undefined) await bot.say('operator', line);
  else await bot.submit('operator', await bot.open('operator', { line }), { project: ['1'], file: [file] });
  await bot.until(async () => (await operations()).length > before, `the operation of ${line}`);
  await bot.settle().catch((error: unknown) => Promise.reject(new Error(`${line}, ${name}: ${String(error)}`)));
  const [operation] = await operations();
  const { state = 'none', endText = '' } = operation ?? {};
  const outcome = `${line}, ${name}: ${state}: ${endText}`;
  expect(bot.sim.requests().filter((request) => request.route === route).length, outcome).toBe(1);
  expect(['done', 'unverified', 'failed', 'unknown'], outcome).toContain(state);
  if (state === 'done' || state === 'unverified') expect(isTaken, outcome).toBe(true);
  if (state === 'failed') expect(isTaken, outcome).toBe(false);
  if (state === 'unknown') expect(endText).toContain('It was sent once and will not be retried.');
  if (says !== undefined) expect(endText).toContain(says);
  expect(bot.transcript(), outcome).toContain(endText);
  expect(await bot.store.locks.list()).toEqual([]);
  ends.set(name, [...(ends.get(name) ?? []), state]);
  await bot.close();
}

/** Runs several at once, since writes wait more than they compute. */
async function allOf(some: readonly Write[], fault: Fault): Promise<void> {
  const waiting = [...some];
  const lane = async () => {
    for (let write = waiting.shift(); write !== undefined; write = waiting.shift()) await tried(write, fault);
  };
  await Promise.all(Array.from({ length: 6 }, lane));
}

function writesWith(fault: Fault): readonly Write[] {
  const at = faults.indexOf(fault);
  return writes.filter((_, n) => isChosen(n - at + faults.length, faults.length));
}

test.each(faults)('every write with the fault: $name', (fault) => allOf(writesWith(fault), fault));

test('every write that makes a job, when the job ends in error', () =>
  allOf(
    writes.filter(({ makesJob }) => makesJob),
    { name: 'the job ends in error', isTaken: false, fault: { kind: 'nextJob', end: 'error' } },
  ));

test('during ten minutes of 503 while a job runs the bot waits, and then posts the end (simulated clock)', async () => {
  const bot = await startTestBot({ provider: { jobMs: 60_000 }, process: { timeScale: 0.002 }, policy });
  await bot.say('operator', 'stop web-1');
  await bot.until(() => bot.story().includes('accepted by the provider'), 'the job');
  const id = bot.sim.fault({ kind: 'answer', status: 503 });
  const refusals = () => bot.sim.requests().filter(({ status }) => status === 503).length;
  for (let minute = 0; minute < 10; minute++) {
    const before = refusals();
    await bot.pass(60_000);
    await bot.until(() => refusals() > before, 'another look');
  }
  // Requests made meanwhile are refused with the provider's words.
  await bot.say('operator', 'stop db-1');
  await bot.until(() => bot.transcript().includes('answered 503'), 'the refusal');
  const during = refusals();
  bot.sim.clearFaults({ id });
  await bot.settle();
  expect(bot.story()).toContain('web-1 stopped');
  expect(bot.writes()).toHaveLength(1);
  report('ten minutes of 503 (simulated clock)', { 'calls answered with 503': during, 'writes sent': 1 });
});
