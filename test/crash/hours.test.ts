import { afterAll, describe, expect, type TestContext, test } from 'vitest';
import { type Policy, policySchema } from '../../src/core/policy/policy.ts';
import type { OperationRow } from '../../src/store/records/operation-row.ts';
import { checkOnce, type Tally } from '../support/once.ts';
import { usualPolicy } from '../support/policy.ts';
import { opsGroup, startSystem, type TestSystem } from '../support/test-system.ts';

// SIGKILL at every arrow to and from a later hour, a countdown, a standing approval and broken glass. The hour is hours away
// and is brought near in the row, so that no test waits for it.

const tally: Tally = { repeated: 0 };
afterAll(() => console.log(`messages that Slack has twice after these crashes: ${tally.repeated}`));

const hourMs = 3_600_000;
const look = 'GET /vps/{order_id}/status/';
const usual = usualPolicy(opsGroup);
const waiting: Policy = policySchema.parse({
  ...usual,
  rules: { ...usual.rules, dangerous: { approve: 1, by: [`group:${opsGroup}`], wait: '2h' } },
});

async function stageWith({ onTestFinished }: TestContext, policy?: Policy): Promise<TestSystem> {
  const system = await startSystem(policy === undefined ? {} : { policy });
  onTestFinished(system.close);
  return system;
}

/** Asks for it and decides, and waits for the state in the row. */
async function decided(
  system: TestSystem,
  line: string,
  state: 'scheduled' | 'cooling' | 'standing',
): Promise<OperationRow> {
  const { sim } = system.slack;
  await sim.say('operator', '#ops', `/host ${line}`);
  const isConfirmed = /^(restart|stop) /.test(line);
  await sim.waitFor(isConfirmed ? '[Cancel]' : '[Approve ', { channel: '#ops' });
  await sim.click(isConfirmed ? 'operator' : 'lead', { channel: '#ops', isMain: true });
  return system.operation((row) => row.state === state, `it to be ${state}`);
}

/** Brings the hour and the end of the countdown to now. */
const comes = async ({ database, store, until }: TestSystem, { id, state, channel, requester }: OperationRow) => {
  // The bot notes the countdown a moment after it began, and its own line must come first.
  if (state === 'cooling')
    await until(
      async () => (await store.audit.list({ operationId: id, kind: 'cooling', limit: 1 })).length > 0,
      'the line of the countdown',
    );
  const now = Date.now();
  // The judge reads the hour in the audit.
  const moved =
    state === 'cooling' ? { kind: 'cooling', data: { readyAt: now } } : { kind: 'moved', data: { to: now } };
  await store.audit.append({ ...moved, actor: requester, channel, operation: id, text: 'brought near' });
  await database.run(
    `update operations set next_turn_at = ${now}, starts_at = case when starts_at is null then null else ${now} end,
     ready_at = case when ready_at is null then null else ${now} end where id = '${id}'`,
  );
};

/** Kills the bot during the checks before the first write, which a slow provider holds up. */
async function killedAtTheChecks(system: TestSystem, row: OperationRow): Promise<void> {
  const slow = system.provider.sim.fault({ kind: 'delay', match: look, ms: 20_000 });
  await comes(system, row);
  await system.operation(({ id, state }) => id === row.id && state === 'approved', 'the checks');
  system.provider.sim.clearFaults({ id: slow });
  await system.crash();
}

async function endsWith(system: TestSystem, words: string, writes: readonly string[]): Promise<void> {
  await system.slack.sim.waitFor(words, { channel: '#ops' });
  await system.settle();
  expect(system.writes()).toEqual(writes);
  await checkOnce(system, tally);
}

const hasForm = ({ slack, until }: TestSystem, user: string) => until(() => slack.sim.view(user)?.submit, 'the form');

const stop = 'POST /vps/34-12345/stop/';
const restart = 'POST /vps/34-12345/restart/';
const reset = 'POST /vps/34-12345/hard_reset/';

describe.concurrent('killed with a later hour', () => {
  test.concurrent('a request that was just scheduled keeps its hour, shows it after the restart, and begins once', async (context) => {
    const system = await stageWith(context);
    const { sim } = system.slack;
    await sim.say('operator', '#ops', '/host restart web-1 in=2h');
    await sim.waitFor('[Cancel]', { channel: '#ops' });
    const clear = sim.fault({ method: 'chat.update', status: 503 });
    await sim.click('operator', { channel: '#ops', isMain: true });
    const row = await system.operation(({ state }) => state === 'scheduled', 'it to be scheduled');
    clear();
    await system.crash();
    await sim.waitFor('[Call off]', { channel: '#ops' });
    expect((await system.store.operations.find(row.id))?.startsAt).toBe(row.startsAt);
    expect(system.writes()).toEqual([]);
    await comes(system, row);
    await endsWith(system, 'web-1 restarted', [restart]);
  });

  test.concurrent('a request whose hour comes while no process runs begins after the start, once', async (context) => {
    const system = await stageWith(context);
    const row = await decided(system, 'restart web-1 in=2h', 'scheduled');
    const [bot] = system.bots.splice(0);
    await bot?.end('SIGKILL');
    await comes(system, row);
    await system.start();
    await endsWith(system, 'web-1 restarted', [restart]);
  });

  test.concurrent('a request that is killed at its hour, during its checks, begins once', async (context) => {
    const system = await stageWith(context);
    await killedAtTheChecks(system, await decided(system, 'restart web-1 in=2h', 'scheduled'));
    await endsWith(system, 'web-1 restarted', [restart]);
  });

  test.concurrent('a confirmed request that is killed at "Run now" runs once', async (context) => {
    const system = await stageWith(context);
    const row = await decided(system, 'restart web-1 in=2h', 'scheduled');
    await system.slack.sim.waitFor('[Call off]', { channel: '#ops' });
    const slow = system.provider.sim.fault({ kind: 'delay', match: look, ms: 20_000 });
    await system.slack.sim.click('operator', { channel: '#ops', label: 'Run now' });
    await system.operation(({ id, startsAt }) => id === row.id && startsAt !== row.startsAt, 'the other hour');
    system.provider.sim.clearFaults({ id: slow });
    await system.crash();
    await endsWith(system, 'web-1 restarted', [restart]);
  });

  test.concurrent('an approved request that is killed at "Run now" waits for another approval, and the old one does not count', async (context) => {
    const system = await stageWith(context);
    const row = await decided(system, 'hard-reset web-1 in=2h', 'scheduled');
    await system.slack.sim.waitFor('[Call off]', { channel: '#ops' });
    const clear = system.slack.sim.fault({ method: 'chat.update', status: 503 });
    await system.slack.sim.click('operator', { channel: '#ops', label: 'Run now' });
    await system.operation(({ id, state }) => id === row.id && state === 'waiting', 'it to wait');
    clear();
    await system.crash();
    await system.slack.sim.waitFor('[Approve ', { channel: '#ops' });
    await system.settle();
    expect(await system.store.votes.list(row.id)).toMatchObject([{ isVoid: true }]);
    expect(system.writes()).toEqual([]);
    await system.slack.sim.click('lead', { channel: '#ops', isMain: true });
    await endsWith(system, 'web-1 was reset', [reset]);
  });
});

describe.concurrent('killed while the form moves a request', () => {
  test.concurrent('the request keeps the new hour, shows it after the restart, and begins once', async (context) => {
    const system = await stageWith(context);
    const { sim } = system.slack;
    const row = await decided(system, 'restart web-1 in=2h', 'scheduled');
    await sim.waitFor('[Call off]', { channel: '#ops' });
    await sim.click('operator', { channel: '#ops', label: 'Move…' });
    await hasForm(system, 'operator');
    const at = Math.ceil(Date.now() / 60_000) * 60_000 + 5 * hourMs;
    await sim.fill('operator', { When: at / 1_000 });
    const clear = sim.fault({ method: 'chat.update', status: 503 });
    await sim.submit('operator');
    await system.operation(({ id, startsAt }) => id === row.id && startsAt === at, 'the other hour');
    clear();
    await system.crash();
    await system.until(
      async () => (await system.store.messages.find(`card:${row.id}`))?.state === 'delivered',
      'the card with the other hour',
    );
    expect(await system.store.operations.find(row.id)).toMatchObject({ state: 'scheduled', startsAt: at });
    expect(await system.store.audit.list({ operationId: row.id, kind: 'moved', limit: 9 })).toHaveLength(1);
    await comes(system, { ...row, startsAt: at });
    await endsWith(system, 'web-1 restarted', [restart]);
  });
});

describe.concurrent('killed with a standing approval', () => {
  const line = 'restart web-1 every="sun 03:00" until="in 60 days" runs=1';

  test.concurrent('an approval that was just given stands after the restart, and its run begins once', async (context) => {
    const system = await stageWith(context);
    const { sim } = system.slack;
    await sim.say('operator', '#ops', `/host ${line}`);
    await sim.waitFor('[Cancel]', { channel: '#ops' });
    const clear = sim.fault({ method: 'chat.update', status: 503 });
    await sim.click('operator', { channel: '#ops', isMain: true });
    const row = await system.operation(({ state }) => state === 'standing', 'the standing approval');
    clear();
    await system.crash();
    await comes(system, row);
    await endsWith(system, 'web-1 restarted', [restart]);
    expect(await system.store.audit.list({ operationId: row.id, kind: 'standing', limit: 9 })).toHaveLength(1);
  });

  test.concurrent('a run that is killed after its call was sent ends once, and no other takes its place', async (context) => {
    const system = await stageWith(context);
    const row = await decided(system, line.replace('restart', 'stop'), 'standing');
    system.provider.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/stop/', ms: 2_000 });
    await comes(system, row);
    await system.until(() => system.writes().length > 0, 'the call');
    await system.crash();
    await endsWith(system, 'web-1 stopped', [stop]);
    expect(await system.store.operations.list({ limit: 9 })).toHaveLength(2);
  });
});

describe.concurrent('killed after the glass was broken', () => {
  const policy = policySchema.parse({ ...usual, breakGlass: [`group:${opsGroup}`] });
  const why = 'the database is down and nobody answers';

  async function broken(context: TestContext): Promise<TestSystem> {
    const system = await stageWith(context, policy);
    const { sim } = system.slack;
    await sim.say('lead', '#ops', '/host hard-reset web-1');
    await sim.waitFor('[Approve ', { channel: '#ops' });
    await sim.select('operator', { channel: '#ops', label: 'More', value: 'Break glass…' });
    await hasForm(system, 'operator');
    await sim.fill('operator', { 'Why can it not wait?': why });
    return system;
  }
  const countOf = async ({ store }: TestSystem, kind: string) => (await store.audit.list({ kind, limit: 9 })).length;

  test.concurrent('the request runs once, and everybody knows once', async (context) => {
    const system = await broken(context);
    const slow = system.provider.sim.fault({ kind: 'delay', match: look, ms: 20_000 });
    await system.slack.sim.submit('operator');
    await system.operation(({ state }) => state === 'approved', 'the checks');
    system.provider.sim.clearFaults({ id: slow });
    await system.crash();
    await endsWith(system, 'web-1 was reset', [reset]);
    expect(await countOf(system, 'glass_broken')).toBe(1);
  });

  test.concurrent('the glass is closed once, when the bot is killed at the close', async (context) => {
    const system = await broken(context);
    const { sim } = system.slack;
    await sim.submit('operator');
    await sim.waitFor('web-1 was reset', { channel: '#ops' });
    await system.settle();
    await sim.click('admin', { channel: '#ops', label: 'Close break glass…' });
    await hasForm(system, 'admin');
    await sim.fill('admin', { 'What did you find?': 'the disk was full, and logs are rotated now' });
    const clear = sim.fault({ method: '*', status: 503 });
    await sim.submit('admin');
    await system.operation(({ glass }) => JSON.stringify(glass).includes('"closed"'), 'the close');
    clear();
    await system.crash();
    await sim.waitFor('closed the broken glass: “the disk was full', { channel: '#ops' });
    await endsWith(system, 'web-1 was reset', [reset]);
    expect(await countOf(system, 'glass_closed')).toBe(1);
  });
});

describe.concurrent('killed in a countdown', () => {
  test.concurrent('a countdown that just began continues after the restart to the same end, and the request begins once', async (context) => {
    const system = await stageWith(context, waiting);
    const { sim } = system.slack;
    await sim.say('operator', '#ops', '/host hard-reset web-1');
    await sim.waitFor('[Approve ', { channel: '#ops' });
    const clear = sim.fault({ method: '*', status: 503 });
    await sim.click('lead', { channel: '#ops', isMain: true });
    const row = await system.operation(({ state }) => state === 'cooling', 'the countdown');
    clear();
    await system.crash();
    await sim.waitFor('counting down', { channel: '#ops' });
    expect((await system.store.operations.find(row.id))?.readyAt).toBe(row.readyAt);
    expect((row.readyAt ?? 0) - Date.now()).toBeGreaterThan(hourMs);
    expect(system.writes()).toEqual([]);
    await comes(system, row);
    await endsWith(system, 'web-1 was reset', [reset]);
  });

  test.concurrent('a request that is killed at the end of its countdown, during its checks, begins once', async (context) => {
    const system = await stageWith(context, waiting);
    await killedAtTheChecks(system, await decided(system, 'hard-reset web-1', 'cooling'));
    await endsWith(system, 'web-1 was reset', [reset]);
  });
});
