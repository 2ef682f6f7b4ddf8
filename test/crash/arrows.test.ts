import { afterAll, describe, expect, type TestContext, test } from 'vitest';
import type { StepState } from '../../src/core/plan/operation.ts';
import { checkOnce, type Tally } from '../support/once.ts';
import { startSystem, type TestSystem, type TestSystemOptions } from '../support/test-system.ts';

// SIGKILL at every arrow of an operation's life. The moment is not guessed: a slow provider or a slow Slack stops the
// bot at that point, and a visible event (a request, a row, a message) says when.

const tally: Tally = { repeated: 0 };
afterAll(() => console.log(`messages that Slack has twice after these crashes: ${tally.repeated}`));

async function stageWith({ onTestFinished }: TestContext, options: TestSystemOptions = {}): Promise<TestSystem> {
  const system = await startSystem(options);
  onTestFinished(system.close);
  return system;
}

async function confirm(system: TestSystem, words: string): Promise<void> {
  await system.slack.sim.waitFor(words, { channel: '#ops' });
  await system.slack.sim.click('operator', { channel: '#ops', isMain: true });
}

const seen = (system: TestSystem, method: string, ending: string) =>
  system.until(
    () => system.provider.sim.requests().some((request) => request.method === method && request.path.endsWith(ending)),
    `${method} …${ending}`,
  );

const step = (system: TestSystem, state: StepState) =>
  system.until(async () => {
    const [row] = await system.store.operations.list({ limit: 1 });
    return row !== undefined && (await system.store.steps.list(row.id)).some((one) => one.state === state);
  }, `a step that is ${state}`);

async function endsWith(system: TestSystem, words: string, writes: readonly string[]): Promise<void> {
  await system.slack.sim.waitFor(words, { channel: '#ops' });
  await system.settle();
  expect(system.writes()).toEqual(writes);
  await checkOnce(system, tally);
}

const stop = 'POST /vps/34-12345/stop/';

describe.concurrent('killed after the request arrived and before it was planned', () => {
  test.concurrent('an acknowledged command is stored, and its card is posted after the restart', async (context) => {
    const system = await stageWith(context);
    const id = system.provider.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 10_000 });
    const outcome = await system.slack.sim.say('operator', '#ops', '/host stop web-1');
    expect(outcome.error).toBeNull();
    await seen(system, 'GET', '/status/');
    system.provider.sim.clearFaults({ id });
    await system.crash();
    await confirm(system, '[Cancel]');
    await endsWith(system, 'web-1 stopped', [stop]);
    expect(await system.store.operations.list({ limit: 10 })).toHaveLength(1);
  });
});

describe.concurrent('killed after the request was planned and before its card was shown', () => {
  test.concurrent('the card of a stored request is posted after the restart when Slack had not accepted it', async (context) => {
    const system = await stageWith(context);
    const clear = system.slack.sim.fault({ method: 'chat.postMessage', status: 503 });
    await system.slack.sim.say('operator', '#ops', '/host stop web-1');
    await system.operation(({ state }) => state === 'waiting', 'the operation');
    await system.until(() => system.slack.sim.requests('chat.postMessage').length > 0, 'a post');
    clear();
    await system.crash();
    await confirm(system, '[Cancel]');
    await endsWith(system, 'web-1 stopped', [stop]);
  });

  test.concurrent('a card whose response from Slack was lost can be used after the restart', async (context) => {
    const system = await stageWith(context);
    const clear = system.slack.sim.fault({ method: 'chat.postMessage', isAnswerLost: true });
    await system.slack.sim.say('operator', '#ops', '/host stop web-1');
    await system.slack.sim.waitFor('[Cancel]', { channel: '#ops' });
    clear();
    await system.crash();
    await system.settle();
    await confirm(system, '[Cancel]');
    await endsWith(system, 'web-1 stopped', [stop]);
  });
});

describe.concurrent('killed after the decision and before the work', () => {
  test.concurrent('a confirmed request continues when it is killed during the second look', async (context) => {
    const system = await stageWith(context);
    await system.slack.sim.say('operator', '#ops', '/host stop web-1');
    await system.slack.sim.waitFor('[Cancel]', { channel: '#ops' });
    const id = system.provider.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 10_000 });
    const looks = () => system.provider.sim.requests().filter(({ path }) => path.endsWith('/status/')).length;
    const before = looks();
    const clicked = await system.slack.sim.click('operator', { channel: '#ops', isMain: true });
    expect(clicked.error).toBeNull();
    await system.until(() => looks() > before, 'the second look');
    expect((await system.store.operations.list({ limit: 1 }))[0]?.state).toBe('approved');
    system.provider.sim.clearFaults({ id });
    await system.crash();
    await endsWith(system, 'web-1 stopped', [stop]);
  });

  test.concurrent('a withdrawn request ends when it is killed while Slack is offline and its card still has buttons', async (context) => {
    const system = await stageWith(context);
    await system.slack.sim.say('operator', '#ops', '/host stop web-1');
    await system.slack.sim.waitFor('[Cancel]', { channel: '#ops' });
    const clear = system.slack.sim.fault({ method: '*', status: 503 });
    await system.slack.sim.click('operator', { channel: '#ops', label: 'Cancel' });
    await system.operation(({ state }) => state === 'withdrawn', 'it to be withdrawn');
    clear();
    await system.crash();
    await endsWith(system, 'Withdrawn. Nothing was done.', []);
  });
});

describe.concurrent('killed after the call was sent and before its response', () => {
  test.concurrent('a call that the provider has is read after the restart, and not sent again', async (context) => {
    const system = await stageWith(context);
    system.provider.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/stop/', ms: 2_000 });
    await system.slack.sim.say('operator', '#ops', '/host stop web-1');
    await confirm(system, '[Cancel]');
    await seen(system, 'POST', '/stop/');
    await system.crash();
    await system.slack.sim.waitFor('Not retried', { channel: '#ops' });
    await endsWith(system, 'web-1 stopped', [stop]);
  });

  test.concurrent('a call with a lost response is still read after the restart', async (context) => {
    const system = await stageWith(context, { provider: { jobMs: 3_000 } });
    system.provider.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/stop/', times: 1 });
    await system.slack.sim.say('operator', '#ops', '/host stop web-1');
    await confirm(system, '[Cancel]');
    await step(system, 'reading');
    await system.crash();
    await endsWith(system, 'web-1 stopped', [stop]);
  });

  test.concurrent('of several steps the one under way is read after the restart, and the others run once', async (context) => {
    const system = await stageWith(context);
    await system.slack.sim.say('operator', '#ops', '/host stop tag:web');
    await confirm(system, '[Cancel]');
    system.provider.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/stop/', ms: 1_500, times: 2 });
    await system.until(() => system.writes().length === 2, 'the second of three');
    await system.crash();
    await endsWith(system, 'done in', [stop, 'POST /vps/34-12399/stop/', 'POST /vps/34-12407/stop/']);
  });

  test.concurrent.for(['sqlite', 'postgres'] as const)(
    'a restore that is killed between two records continues, and sends each once (%s)',
    async (engine, context) => {
      const system = await stageWith(context, { engine });
      const { sim } = system.slack;
      await sim.say('operator', '#ops', '/host dns list example.org');
      await system.until(
        async () => (await system.store.zoneVersions.list('example.org')).length > 0,
        'the first version',
      );
      const add = ['one', 'two', 'three'].map((host) => ({ host, type: 'A' as const, value: '192.0.2.66' }));
      system.provider.sim.records({ domain: 'example.org', add });
      await sim.say('operator', '#ops', '/host dns restore example.org v1');
      await sim.waitFor('[Approve ', { channel: '#ops' });
      system.provider.sim.fault({
        kind: 'delay',
        match: 'DELETE /dns/domain/{name}/entry_set/{id}/',
        ms: 1_500,
        times: 3,
      });
      await sim.click('lead', { channel: '#ops', isMain: true });
      await system.until(() => system.writes().length === 2, 'the second of three');
      await system.crash();
      await sim.waitFor('done in', { channel: '#ops' });
      await system.settle();
      expect(system.writes()).toHaveLength(3);
      expect(new Set(system.writes()).size).toBe(3);
      await checkOnce(system, tally);
    },
  );
});

describe.concurrent('killed after the provider accepted the call', () => {
  test.concurrent('a job that runs on during the restart is followed, and its end is posted', async (context) => {
    const system = await stageWith(context, { provider: { jobMs: 2_500 } });
    await system.slack.sim.say('operator', '#ops', '/host restart web-1');
    await confirm(system, '[Cancel]');
    await step(system, 'accepted');
    await system.crash();
    await endsWith(system, 'web-1 restarted', ['POST /vps/34-12345/restart/']);
  });

  test.concurrent('a request that was being verified is verified after the restart', async (context) => {
    const system = await stageWith(context, { provider: { jobMs: 1_500 } });
    await system.slack.sim.say('operator', '#ops', '/host restart web-1');
    await confirm(system, '[Cancel]');
    await step(system, 'accepted');
    const id = system.provider.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 10_000 });
    await step(system, 'verifying');
    system.provider.sim.clearFaults({ id });
    await system.crash();
    await endsWith(system, 'web-1 restarted', ['POST /vps/34-12345/restart/']);
  });

  test.concurrent('a new password is still sealed after the restart, and is shown once', async (context) => {
    const system = await stageWith(context, { provider: { jobMs: 2_500 } });
    await system.slack.sim.say('operator', '#ops', '/host password db-1');
    await system.slack.sim.waitFor('[Approve ', { channel: '#ops' });
    await system.slack.sim.click('lead', { channel: '#ops', isMain: true });
    await step(system, 'accepted');
    await system.crash();
    await system.until(() => system.slack.sim.transcript('dm', 'operator').includes('Reveal once'), 'the message');
    await system.slack.sim.click('operator', { channel: 'dm', label: 'Reveal once' });
    await system.slack.sim.waitFor((sim) => /```\n\w{14}\n```/.test(sim.viewText('operator')));
    await system.slack.sim.waitFor('root password of db-1 replaced', { channel: '#ops' });
    await system.settle();
    expect(system.writes()).toHaveLength(1);
  });
});

describe.concurrent('killed after the end and before it was posted', () => {
  test.concurrent('the end of a request is posted once when Slack was offline at the end', async (context) => {
    const system = await stageWith(context);
    await system.slack.sim.say('operator', '#ops', '/host stop web-1');
    await system.slack.sim.waitFor('[Cancel]', { channel: '#ops' });
    const clear = ['chat.postMessage', 'chat.update'].map((method) => system.slack.sim.fault({ method, status: 503 }));
    await system.slack.sim.click('operator', { channel: '#ops', isMain: true });
    await system.operation(({ state }) => state === 'done', 'it to be done');
    await system.bots[0]?.end('SIGKILL');
    for (const one of clear) one();
    system.bots.splice(0);
    await system.start();
    await endsWith(system, 'web-1 stopped', [stop]);
  });
});

test.concurrent('when one of two replicas on PostgreSQL is killed with work in every state, the other one finishes all of it', async (context) => {
  const system = await stageWith(context, { engine: 'postgres', mode: 'http', bots: 2, provider: { jobMs: 3_000 } });
  const [first, second] = system.bots;
  if (!first || !second) throw new Error('two bots were started');
  const { sim } = system.slack;
  // All later payloads arrive at the first replica.
  sim.setRequestUrl(`http://127.0.0.1:${first.port}/slack/events`);
  const ask = async (line: string) => {
    const channel = await system.channel(line.replaceAll(' ', '-'));
    await sim.say('operator', channel, `/host ${line}`);
    await sim.waitFor('[Cancel]', { channel });
    return channel;
  };
  const confirmIn = async (channel: string) => {
    expect((await sim.click('operator', { channel, isMain: true })).error).toBeNull();
  };
  const waiting = await ask('stop vpn-1');
  const lost = await ask('stop web-2');
  const underWay = await ask('stop web-3');
  const accepted = await ask('restart db-1');
  const verifying = await ask('stop mail-1');
  await confirmIn(verifying);
  await confirmIn(accepted);
  system.provider.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/stop/', times: 1 });
  await confirmIn(lost);
  await system.operation(({ state }) => state === 'reading', 'the lost one to be read');
  system.provider.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/stop/', ms: 3_000, times: 1 });
  await confirmIn(underWay);
  await system.until(() => system.writes().some((write) => write.includes('34-12407')), 'the slow one to be sent');
  const planning = await system.channel('planning');
  const slow = system.provider.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 9_000 });
  const asked = await sim.say('operator', planning, '/host restart cache-1');
  expect(asked.error).toBeNull();
  await first.end('SIGKILL');
  system.bots.splice(0, 1);
  system.provider.sim.clearFaults({ id: slow });
  sim.setRequestUrl(`http://127.0.0.1:${second.port}/slack/events`);
  await confirmIn(waiting);
  for (const [channel, words] of [
    [lost, 'web-2 stopped'],
    [underWay, 'web-3 stopped'],
    [accepted, 'db-1 restarted'],
    [verifying, 'mail-1 stopped'],
    [waiting, 'vpn-1 stopped'],
    [planning, '[Cancel]'],
  ] as const)
    await sim.waitFor(words, { channel, timeoutMs: 100_000 });
  await system.settle(60_000);
  expect(system.writes().toSorted()).toEqual(
    ['12346/restart', '12360/stop', '12380/stop', '12399/stop', '12407/stop'].map((one) => `POST /vps/34-${one}/`),
  );
  await checkOnce(system, tally);
});
