import { expect, test } from 'vitest';
import { isEnd } from '../../../src/core/plan/operation.ts';
import { day, hour, minute } from '../../../src/core/text/words.ts';
import { createHookRoutes } from '../../../src/http/hook-routes.ts';
import { openServer } from '../../../src/http/server.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { callerOf, machineOf } from '../../support/bot/machine.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { homeOf } from '../told.ts';

/** Calls of machines: what a machine asks is planned, decided and ended like the requests of people. */

const restart = 'restart web-2 because deploy 41';

async function open(options: Parameters<typeof startTestBot>[0] = {}, token: Parameters<typeof machineOf>[1] = {}) {
  const bot = await startTestBot(options);
  return { bot, machine: await machineOf(bot, token) };
}

const rows = (bot: TestBot) => bot.store.operations.list({ limit: 50 });
const cards = (bot: TestBot) => bot.posted.filter(({ key }) => key?.startsWith('card:'));

test('a read is answered with data', async () => {
  const { machine } = await open();
  const answer = await machine.run('status web-2');
  expect(answer).toMatchObject({ status: 200, body: { text: 'web-2 is on' } });
  expect(JSON.stringify(answer.body)).not.toMatch(/"(?:intent|buttons|kind)"/);
  const ran = (await machine.run('list')).body.parts[0].rows;
  expect(ran).toContainEqual({ Name: 'web-1', State: '🟢 on', Paid: expect.stringMatching(/^\d+ days$/) });
});

test('a change waits for a press; its end reaches the machine in words and as a verdict', async () => {
  const { bot, machine } = await open();
  const asked = await machine.run(restart);
  expect(asked).toMatchObject({
    status: 202,
    body: {
      state: 'waiting',
      title: 'Restart web-2',
      will: expect.stringContaining('shuts down and starts again'),
      rule: 'one confirmation',
      approvers: '@operator or anybody here who may ask for it',
      until: expect.stringMatching(/^\d{4}-.*Z$/),
      card: expect.stringContaining('slack.com'),
    },
  });
  expect(bot.transcript()).toContain('“deploy 41” — ci, a token of @operator');
  expect(bot.writes()).toEqual([]);
  const following = machine.follow(asked.body.id, 30);
  await bot.press('lead', 'Restart web-2');
  expect((await following).body.state).not.toBe('waiting');
  await bot.settle();
  const seen = (await machine.follow(asked.body.id)).body.end;
  expect(seen).toMatchObject({ verdict: 'ran', text: 'web-2 restarted; the power is on.' });
  expect(bot.transcript()).toContain('Asked by ci, a token of @operator · confirmed by @lead');
  const audit = await bot.store.audit.list({ operationId: asked.body.id, kind: 'asked', limit: 1 });
  expect(JSON.stringify(audit)).toContain('ci, a token, asks: Restart web-2');
});

test('Home, the lists, why and the digest name the machine, and the people who may confirm', async () => {
  const { bot, machine } = await open();
  await machine.run(restart);
  const asker = 'ci, a token of @operator';
  const confirms = 'Disruptive: a person who may ask for the same confirms it';
  const sayLater = async (act: () => Promise<unknown>) => {
    const before = bot.story().length;
    await act();
    return bot.story().slice(before);
  };
  const why = await sayLater(() => bot.press('reader', 'Why this rule?'));
  expect(why).toContain(confirms);
  expect(why).toContain(asker);
  expect(why).toContain('Decided by: @operator or anybody here who may ask for it.');
  const refused = await sayLater(() => bot.press('reader', 'Restart web-2'));
  expect(refused).toContain('only a person who may ask for the same can confirm this');
  expect(await homeOf(bot, 'operator')).toContain(asker);
  await bot.press('lead', 'Restart web-2');
  await bot.settle();
  expect(await sayLater(() => bot.say('operator', 'requests'))).toContain(asker);
  expect(await sayLater(() => bot.say('operator', 'shift'))).toContain(asker);
});

test('the same key again is the same request and one card; with another line it is refused', async () => {
  const { bot, machine } = await open();
  const [first, second] = await Promise.all([1, 2].map(() => machine.run(restart, { key: 'deploy-41' })));
  const third = await machine.run(restart, { key: 'deploy-41' });
  expect([second?.body.id, third.body.id]).toEqual([first?.body.id, first?.body.id]);
  expect([await rows(bot), cards(bot)].map(({ length }) => length)).toEqual([1, 1]);
  const ran = await machine.run('restart web-1', { key: 'deploy-41' });
  expect(ran).toMatchObject({ status: 409, body: { reason: 'key_used' } });
  expect(await rows(bot)).toHaveLength(1);
});

test('a change without a key is refused, and a read needs none', async () => {
  const { bot, machine } = await open();
  expect(await machine.run(restart, { key: undefined })).toMatchObject({ status: 400, body: { reason: 'bad_value' } });
  expect((await machine.run('status web-2', { key: undefined })).status).toBe(200);
  expect(await rows(bot)).toEqual([]);
});

test.for([
  ['after the reason', restart],
  ['of a plan', 'restart web-2 then restart web-1 because deploy 41'],
])('a dry run %s shows the plan and posts nothing', async ([, line = '']) => {
  const { bot, machine } = await open({}, { mayWrite: false });
  const answer = await machine.run(line, { dryRun: true });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer.body)).toContain('Dry run: nothing was requested.');
  expect(JSON.stringify(answer.body)).toContain('“deploy 41”');
  expect([await rows(bot), bot.posted]).toEqual([[], []]);
});

test('several lines are one card, whose steps run in order', async () => {
  const { bot, machine } = await open();
  const { body } = await machine.run(['dns set example.com www A 192.0.2.7', 'restart web-1']);
  const labels = body.steps.map(({ label }: { label: string }) => label);
  expect(labels).toEqual(['± www.example.com A 192.0.2.10 → 192.0.2.7', 'Restart web-1']);
  expect(cards(bot)).toHaveLength(1);
  await bot.press('operator', 'Run 2 steps');
  await bot.settle();
  expect((await machine.follow(body.id)).body).toMatchObject({ state: 'done', end: { verdict: 'ran' } });
});

test('a decline carries the words of the approver', async () => {
  const { bot, machine } = await open();
  const { body } = await machine.run('reinstall web-2 template=1');
  const form = await bot.open('lead', { button: 'Decline…' });
  await bot.submit('lead', form, { words: 'the backup is not done' });
  await bot.settle();
  expect((await machine.follow(body.id)).body).toMatchObject({
    state: 'declined',
    end: { verdict: 'did not run', text: expect.stringContaining('the backup is not done') },
  });
  expect(bot.writes()).toEqual([]);
});

test('a request that nobody decides expires after a day, and says so', async () => {
  const { bot, machine } = await open();
  const { body } = await machine.run(restart);
  bot.skip(day - minute);
  expect((await machine.follow(body.id)).body.state).toBe('waiting');
  bot.skip(2 * minute);
  await bot.until(async () => isEnd((await machine.follow(body.id)).body.state), 'the end');
  const seen = (await machine.follow(body.id)).body.end;
  expect(seen).toMatchObject({ verdict: 'did not run', text: expect.stringMatching(/nobody confirmed it in time/) });
});

test('a target that changed meanwhile refuses the request and names the next one, which needs another press', async () => {
  const { bot, machine } = await open();
  const { body } = await machine.run(restart);
  bot.sim.power({ order: '34-12399', state: 'off' });
  await bot.press('operator', 'Restart web-2');
  await bot.settle();
  const end = (await machine.follow(body.id)).body;
  expect(end).toMatchObject({ state: 'refused', end: { verdict: 'did not run' } });
  expect((await machine.follow(end.next)).body.state).toBe('waiting');
  expect(bot.writes()).toEqual([]);
});

test('a lost response is not known, and must not be repeated', async () => {
  const { bot, machine } = await open();
  bot.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/restart/', times: 1 });
  const { body } = await machine.run(restart);
  await bot.press('operator', 'Restart web-2');
  await bot.settle();
  const { end } = (await machine.follow(body.id)).body;
  expect(end.verdict).toBe('not known: do not repeat');
});

test('a lost response that reading proves done did run', async () => {
  const { bot, machine } = await open();
  bot.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/stop/', times: 1 });
  const { body } = await machine.run('stop web-2');
  await bot.press('operator', 'Stop web-2');
  await bot.settle();
  expect((await machine.follow(body.id)).body).toMatchObject({ state: 'done', end: { verdict: 'ran' } });
});

test('a read with a file has its text', async () => {
  const { machine } = await open();
  const { body } = await machine.run('dns zone example.com');
  expect(body.files, JSON.stringify(body)).toMatchObject([{ text: expect.stringMatching(/\bIN\s+A\s/) }]);
});

test('a withdrawn request did not run', async () => {
  const { bot, machine } = await open();
  const { body } = await machine.run(restart);
  expect((await machine.withdraw(body.id)).body).toMatchObject({ state: 'withdrawn', end: { verdict: 'did not run' } });
  expect((await machine.withdraw(body.id)).body).toMatchObject({ status: 409, reason: 'closed' });
  expect(bot.writes()).toEqual([]);
});

test('a token neither reads nor withdraws the requests of another', async () => {
  const { bot, machine } = await open();
  const { body } = await machine.run(restart);
  const other = await machineOf(bot, { name: 'agent' });
  expect((await other.follow(body.id)).body.reason).toBe('not_found');
  expect((await other.withdraw(body.id)).body.reason).toBe('not_found');
  await bot.say('operator', 'restart web-1');
  const typed = (await rows(bot)).find(({ token }) => token === null);
  expect((await machine.follow(typed?.id ?? '')).body.reason).toBe('not_found');
});

test('five requests of a token wait at most, and twenty are made in an hour', async () => {
  const { bot, machine } = await open();
  const ids: string[] = [];
  const servers = ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'ci-1'];
  for (const [n, server] of servers.entries()) {
    const { status, body } = await machine.run(`restart ${server}`);
    expect(status, server).toBe(n < 5 ? 202 : 429);
    if (status === 202) ids.push(body.id);
    else expect(body.detail).toContain('5 requests of the token ci wait for people.');
  }
  for (let made = 5; made < 20; made += 1) {
    await machine.withdraw(ids.shift() ?? '');
    const { body } = await machine.run(`restart ${servers[made % 6]}`);
    expect(body.state, JSON.stringify(body)).toBe('waiting');
    ids.push(body.id);
  }
  await machine.withdraw(ids.shift() ?? '');
  expect((await machine.run('restart mail-1')).body.detail).toContain('20 requests within an hour');
  bot.skip(hour);
  expect((await machine.run('restart mail-1')).status).toBe(202);
});

test('a token that reads asks for no change', async () => {
  const { bot, machine } = await open({}, { mayWrite: false });
  expect((await machine.run('status web-2')).status).toBe(200);
  expect((await machine.run(restart)).body).toMatchObject({ reason: 'not_for_tokens', detail: /only reads/ });
  expect(await rows(bot)).toEqual([]);
});

test('a change without a rule waits for a press all the same', async () => {
  const free = usualPolicy(opsGroup);
  const { bot, machine } = await open({ policy: { ...free, rules: { ...free.rules, disruptive: 'none' } } });
  const { body } = await machine.run(restart);
  expect(body).toMatchObject({ state: 'waiting', rule: 'one confirmation' });
  expect(bot.writes()).toEqual([]);
});

test.for([
  'password web-2',
  's3 secret "Media bucket"',
  'access grant @guest read',
  'alerts hook',
  'alerts hook add json backup',
  'break-glass restart web-2 because it hangs',
  'restart web-2 because it hangs --break-glass',
  'token add other',
  'token revoke ci',
  'restart web-1 then password web-2',
  'restart web-1 then token add other',
  'ssh-key remove 2',
])('a token never may: %s', async (line) => {
  const { bot, machine } = await open({}, { maker: /^(?:access|alerts|token)/.test(line) ? 'admin' : 'operator' });
  const { status, body } = await machine.run(line);
  expect([status, body.reason], JSON.stringify(body)).toEqual([403, 'not_for_tokens']);
  expect([await rows(bot), bot.writes()]).toEqual([[], []]);
});

test('a token is shown once to its maker, and opens the door until it is revoked', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'token add agent "night shift" for 30d writes');
  await bot.press('operator', 'Create the token agent');
  await bot.settle();
  const shown = JSON.stringify(await bot.open('operator', { button: 'Reveal once' }));
  const [token = ''] = /hst_[\w.-]+/.exec(shown) ?? [];
  expect(bot.transcript()).not.toContain(token);
  const machine = callerOf(bot, token);
  const { body } = await machine.run(restart);
  await bot.say('operator', 'token list');
  expect(bot.transcript()).toMatch(/agent · night shift · @operator · asks for changes │ .* │ \d{4}-/);
  expect(bot.transcript()).not.toContain(token);
  await bot.say('lead', 'token revoke agent');
  expect(bot.transcript()).toContain('Only the person who made it, or an admin, can revoke this token.');
  await bot.say('admin', 'token revoke agent');
  await bot.press('admin', 'Revoke the token agent');
  await bot.settle();
  expect((await machine.follow(body.id)).status).toBe(404);
  const [operation] = (await rows(bot)).filter(({ id }) => id === body.id);
  expect(operation).toMatchObject({ state: 'withdrawn', endText: expect.stringContaining('agent was revoked') });
});

test('a token is valid for 365 days at most', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'token add ci for 366d');
  expect(await rows(bot)).toEqual([]);
  expect(bot.transcript()).toContain('from 1 h to 365 days');
  await bot.say('operator', 'token add ci for 365d');
  expect(await rows(bot)).toHaveLength(1);
});

test('without any token the address does not exist; with one, a wrong or expired token gets 401', async () => {
  const bot = await startTestBot();
  const nobody = callerOf(bot, 'hst_abcdefgh.secret');
  expect((await nobody.run('help')).status).toBe(404);
  expect((await nobody.call('POST', '/mcp', {})).status).toBe(404);
  const machine = await machineOf(bot, { expiresAt: bot.now() + hour });
  expect((await machine.run('help')).status).toBe(200);
  expect((await nobody.run('help')).body).toMatchObject({ status: 401, reason: 'no_token' });
  expect((await callerOf(bot, `${machine.token}x`).run('help')).status).toBe(401);
  bot.skip(2 * hour);
  expect((await machine.run('help')).status).toBe(401);
});

test('a maker who became a guest or left takes every right from the token', async () => {
  const { bot, machine } = await open();
  const { body } = await machine.run(restart);
  const id = people.operator ?? '';
  bot.roster.set(id, { name: 'operator', membership: 'deactivated' });
  expect((await machine.run('status web-2')).body.reason).toBe('posture');
  await bot.press('lead', 'Restart web-2');
  await bot.settle();
  expect((await machine.follow(body.id)).body).toMatchObject({ state: 'refused', end: { verdict: 'did not run' } });
  expect(bot.writes()).toEqual([]);
});

test('a maker who left the channel takes the token along', async () => {
  const { bot, machine } = await open();
  bot.absent.add(people.operator ?? '');
  expect((await machine.run('status web-2')).body).toMatchObject({
    reason: 'posture',
    detail: expect.stringContaining('the maker of the token is not in this channel'),
  });
  bot.absent.clear();
  expect((await machine.run('status web-2')).status).toBe(200);
});

test('twenty calls of a token wait at once, and another is answered at once', async () => {
  const { bot, machine } = await open();
  const { body } = await machine.run(restart);
  const all = Array.from({ length: 21 }, () => machine.follow(body.id, 50));
  expect(await Promise.race(all)).toMatchObject({ status: 200, body: { state: 'waiting' } });
  await bot.press('operator', 'Restart web-2');
  for (const { status } of await Promise.all(all)) expect(status).toBe(200);
});

test('a stop of the bot ends a wait at once', async () => {
  const { bot, machine } = await open();
  const { body } = await machine.run(restart);
  const [replica] = bot.replicas;
  if (replica === undefined) throw new Error('no replica');
  let hasArrived = false;
  const routes = createHookRoutes({
    receiveHook: replica.receiveHook,
    receiveCall: (call) => {
      hasArrived = true;
      return replica.receiveCall(call);
    },
  });
  const { port, close } = await openServer(routes, { port: 0, host: '127.0.0.1' }, () => {});
  const headers = { authorization: `Bearer ${machine.token}`, connection: 'close' };
  const waiting = fetch(`http://127.0.0.1:${port}/api/requests/${body.id}?wait=50`, { headers });
  await bot.until(() => hasArrived);
  const before = performance.now();
  await close(30_000);
  expect(performance.now() - before).toBeLessThan(10_000);
  expect(await (await waiting).json()).toMatchObject({ state: 'waiting' });
});
