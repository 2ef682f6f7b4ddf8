import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { troubles } from '../support/process/bot-process.ts';
import { patientSlack, startSystem, type TestSystem } from '../support/process/test-system.ts';

// Tests big accounts, a provider and a Slack that stop answering, and the end of the process. One system
// serves the tests of this file, in their order.

let system: TestSystem;
beforeAll(async () => {
  system = await startSystem({ slack: patientSlack });
});
afterAll(() => system.close());

test('in an account of a thousand servers, lists, searches and names work, and no limit of Slack is broken', async () => {
  const large = await startSystem({ slack: patientSlack, provider: { seed: { orders: 1_000 } } });
  onTestFinished(large.close);
  const { sim } = large.slack;
  await sim.say('operator', '#ops', '/host list');
  await sim.waitFor('1,000', { channel: '#ops' });
  await sim.say('operator', '#ops', '/host orders');
  await sim.say('operator', '#ops', '/host restart web-150');
  await sim.waitFor('Restart web-150', { channel: '#ops' });
  await sim.say('operator', '#ops', '/host restart tag:web');
  await sim.say('operator', '#ops', '/host restart web-');
  await large.until(() => sim.ephemerals('operator').length >= 1, 'an answer to an ambiguous name');
  await sim.say('operator', '#ops', '/host status');
  await large.settle();
  await sim.say('operator', '#ops', '/host stop');
  const view = await sim.waitFor((s) => s.view('operator')?.submit !== null && s.view('operator'));
  const select = JSON.stringify(view.blocks).match(/"action_id":"([^"]*search[^"]*)"/)?.[1] ?? '';
  const found = await sim.suggest('operator', { action_id: select, value: 'cache-16' });
  expect(found.outcome.ackedMs).toBeLessThan(3_000);
  expect(found.options.map((option) => JSON.stringify(option)).join()).toContain('cache-16');
  await sim.openHome('operator');
  await sim.waitFor((s) => /Page 2 of \d+/.test(s.homeText('operator')));
  expect(sim.requests().filter(({ ok }) => !ok)).toEqual([]);
  expect(sim.outcomes().filter(({ error }) => error !== null)).toEqual([]);
});

test('a slow provider, while Slack accepts no message, does not end the process', async () => {
  const { sim } = system.slack;
  const ops = await system.channel('slow');
  system.provider.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 4_500, times: 1 });
  const clear = ['chat.postEphemeral', 'chat.postMessage', 'conversations.open'].map((method) =>
    sim.fault({ method, status: 503 }),
  );
  await sim.say('operator', ops, '@hostler restart web-2');
  const isRefused = () => system.bots[0]?.log.some(({ msg }) => msg.includes('saying that the provider is slow'));
  await system.until(isRefused, 'the word that it is slow to be refused');
  for (const one of clear) one();
  await sim.waitFor('Restart web-2', { channel: ops });
  await system.settle();
  expect(system.bots[0]?.isAlive()).toBe(true);
});

test('SIGTERM during a call: the call is finished, waiting requests are kept, and the next process continues', async () => {
  const { sim } = system.slack;
  const ops = await system.channel('deploy');
  const before = system.writes().length;
  const linesBefore = system.bots[0]?.log.length ?? 0;
  system.provider.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/restart/', ms: 1_500, times: 1 });
  await sim.say('operator', ops, '/host restart db-1');
  await sim.waitFor('[Cancel]', { channel: ops });
  await sim.click('operator', { channel: ops, isMain: true });
  await system.until(() => system.writes().length > before, 'the restart to be sent');
  await sim.say('operator', ops, '/host stop db-2');
  const [bot] = system.bots.splice(0);
  expect(await bot?.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(troubles(bot?.log.slice(linesBefore) ?? [])).toEqual([]);
  const stopped = await system.operation(({ channel, command }) => channel === ops && command === 'restart', 'it');
  expect((await system.store.steps.list(stopped.id)).map(({ state }) => state)).not.toContain('reading');
  await system.start();
  await sim.waitFor('db-1 restarted', { channel: ops });
  await sim.waitFor('Stop db-2', { channel: ops });
  await system.settle();
  expect(system.writes().slice(before)).toEqual(['POST /vps/34-12346/restart/']);
});

test('SIGTERM while the provider hangs: the process ends after ten seconds, and the next process reads the result', async () => {
  const { sim } = system.slack;
  const ops = await system.channel('hangs');
  const before = system.writes().length;
  system.provider.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/stop/', ms: 60_000, times: 1 });
  await sim.say('operator', ops, '/host stop mail-1');
  await sim.waitFor('[Cancel]', { channel: ops });
  await sim.click('operator', { channel: ops, isMain: true });
  await system.until(() => system.writes().length > before, 'the stop to be sent');
  const [bot] = system.bots.splice(0);
  const since = performance.now();
  expect(await bot?.end('SIGTERM')).toEqual({ code: 124, signal: null });
  expect(performance.now() - since).toBeLessThan(30_000);
  await system.start();
  await sim.waitFor('Not retried', { channel: ops });
  expect(system.writes().slice(before)).toEqual(['POST /vps/34-12360/stop/']);
});

test('after a revoked token the bot is not ready and says why, and its process stays alive', async () => {
  const [bot] = system.bots;
  expect(await bot?.get('/readyz')).toEqual({ status: 200, text: 'ready\n' });
  await system.slack.sim.revokeToken();
  const answer = await system.until(async () => {
    const found = await bot?.get('/readyz');
    return found?.status === 503 && found;
  }, 'the bot to see it');
  expect(answer.text).toMatch(/Slack refuses the token/);
  expect((await bot?.get('/healthz'))?.status).toBe(200);
});

test('a process ends by itself, with an exit code for it, when a newer version has changed the schema', async () => {
  const [bot] = system.bots;
  await system.database.run("insert into schema_version (version, name, applied_at) values (99, 'next', 0)");
  const changedAt = Date.now();
  expect((await bot?.exited)?.code).toBe(75);
  expect(Date.now() - changedAt).toBeLessThan(30_000);
  const lines = bot?.log.filter(({ text }) => text.includes('a newer version has changed the schema'));
  expect(lines).toHaveLength(1);
});
