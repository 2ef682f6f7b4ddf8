import { describe, expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { hour } from '../../../src/core/text/words.ts';
import { answer } from '../../commands/answer.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { asked } from '../asked.ts';
import { cardOf, pressAndSettle, sayAndSettle, submitAndSettle, told } from '../told.ts';

// A plan of several lines is one request: one card, one decision, one step after another, one reply.

const move = 'stop web-1 then dns set example.com www A 192.0.2.77 then start web-1 because of the move';
const three = 'restart web-1 then dns set example.com www A 192.0.2.77 then restart web-2';
const can = ['read', 'operate', 'dns', 'destroy', 'secrets'];
const granted = { grants: [{ to: ['everyone'], can }] };
const confirmed = policySchema.parse({ ...granted, rules: { disruptive: 'confirm', dangerous: 'confirm' } });

const requests = async (bot: TestBot) => bot.store.operations.list({ limit: 50 });
const confirmedPlan = async (line: string, options: TestBotOptions = {}) => {
  const { bot } = await asked({ policy: confirmed, ...options }, line);
  await bot.press('operator', 'Run 3 steps');
  return bot;
};
/** With the first server being restarted. */
const underWay = async (line = three) => {
  const bot = await confirmedPlan(line, { provider: { jobMs: 60_000 } });
  await bot.until(() => bot.story().includes('· accepted'), 'the first step');
  return bot;
};
const endOf = async (bot: TestBot) => {
  bot.skip(11_000);
  bot.sim.advance(120_000);
  const row = async () => (await requests(bot)).find(({ command }) => command === 'plan');
  bot.replicas[0]?.wake((await row())?.id ?? '');
  await bot.until(async () => (await row())?.endedAt !== null, 'the end');
  await bot.settle();
  return (await row())?.endText ?? '';
};

describe.each(engines)('on %s', (engine) => {
  test('a plan has one card, runs in order, ends with one reply, and is undone by another plan', async () => {
    const bot = await startTestBot({ engine, policy: confirmed });
    await sayAndSettle(bot, 'operator', move);
    expect(cardOf(bot)).toMatch(
      /^## ⏳ 3 steps: stop web-1, change A www\.example\.com, start web-1\n⚪ Stop web-1\n⚪ ± www\.example\.com A 192\.0\.2\.10 → 192\.0\.2\.77\n⚪ Start web-1\n“the move” — /,
    );
    expect(cardOf(bot).split('[')[0]?.split(/\s+/).length).toBeLessThan(60);
    await pressAndSettle(bot, 'operator', 'Run 3 steps');
    expect(bot.writes()).toEqual([
      'POST /vps/34-12345/stop/',
      'PUT /dns/domain/example.com/entry_set/5/',
      'POST /vps/34-12345/start/',
    ]);
    expect(cardOf(bot)).toContain('web-1 stopped; www.example.com A is 192.0.2.77; web-1 started');
    expect(bot.posted.filter(({ key }) => key.startsWith('end:'))).toHaveLength(1);
    await pressAndSettle(bot, 'operator', 'Undo 2 steps');
    expect(cardOf(bot)).toMatch(/^## ⏳ 1 step: change 1 record\n/);
    await pressAndSettle(bot, 'operator', 'Run 1 step');
    expect(bot.writes()).toHaveLength(4);
    const rows = await requests(bot);
    expect(rows.map(({ command, state }) => `${command} ${state}`)).toEqual(['plan done', 'plan done']);
    expect(rows[1]?.undoneBy).toBe(people.operator);
  });

  test('a record that one line adds is removed by another, by the number that it has got', async () => {
    const bot = await startTestBot({ engine, policy: confirmed });
    const line =
      'dns add example.com fresh A 192.0.2.1 then dns set example.com fresh A 192.0.2.2 then dns remove example.com fresh A 192.0.2.2';
    await sayAndSettle(bot, 'operator', line);
    await pressAndSettle(bot, 'operator', 'Run 3 steps');
    expect(bot.writes().map((write) => write.split(' ')[0])).toEqual(['POST', 'PUT', 'DELETE']);
    expect((await requests(bot)).map(({ state }) => state)).toEqual(['done']);
    await pressAndSettle(bot, 'operator', 'Undo the 3 records');
    expect(bot.transcript()).toContain('The records are as they were before');
  });
});

describe('a difference between the first step and the second', () => {
  test.each<[what: string, happens: (bot: TestBot) => unknown, why: RegExp]>([
    [
      'the record is changed by hand',
      (bot) => bot.sim.records({ domain: 'example.com', set: [{ id: 5, value: '192.0.2.5' }] }),
      /example\.com changed since the request: www A 192\.0\.2\.10/,
    ],
    ['the zone is frozen', (bot) => bot.say('admin', 'freeze here "release"'), /frozen/],
    [
      'the requester loses a right',
      (bot) => bot.savePolicy(ops, policySchema.parse({ grants: [{ to: ['everyone'], can: ['read', 'operate'] }] }), 1),
      /you need “dns”/,
    ],
    [
      'the requester leaves',
      (bot) => bot.roster.set(people.operator ?? '', { name: 'operator', membership: 'deactivated' }),
      /deactivated/,
    ],
    ['a person stops it', (bot) => bot.press('operator', 'Stop after this step'), /@operator stopped it/],
  ])('%s: the other steps are not started, and the end says why', async (_, happens, why) => {
    const bot = await underWay();
    await happens(bot);
    const end = await endOf(bot);
    expect(end).toMatch(
      /^3 steps: restart web-1, change A www\.example\.com, restart web-2: 1 of 3 done; not started: /,
    );
    expect(end).toMatch(why);
    expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
  });

  test('a vote that becomes void stops the steps behind it', async () => {
    const policy = policySchema.parse({ ...granted, rules: { disruptive: { approve: 1, by: [`group:${opsGroup}`] } } });
    const { bot } = await asked({ policy, provider: { jobMs: 60_000 } }, three);
    await bot.press('lead', 'Approve running 3 steps');
    await bot.until(() => bot.story().includes('· accepted'), 'the first step');
    bot.groups.get(opsGroup)?.delete(people.lead ?? '');
    expect(await endOf(bot)).toMatch(/1 of 3 done; not started: .* because an approval no longer counts/);
    expect(bot.writes()).toHaveLength(1);
  });

  test('a step that fails ends it, and the steps before it can be undone', async () => {
    const line = 'stop web-1 then dns set example.com www A 192.0.2.77 then restart web-2';
    const { bot } = await asked({ policy: confirmed }, line);
    bot.sim.fault(answer('PUT /dns/domain/{name}/entry_set/{id}/', 409, { detail: 'The zone is locked.' }));
    await pressAndSettle(bot, 'operator', 'Run 3 steps');
    expect(cardOf(bot)).toMatch(/The zone is locked\..*1 of 3 done, 1 failed; not started: Restart web-2\./s);
    expect(bot.writes()).toHaveLength(2);
    await pressAndSettle(bot, 'operator', 'Undo 1 step');
    expect(cardOf(bot)).toMatch(/^## ⏳ Start web-1/);
  });
});

test('a plan that changed before its decision names the change, and the new card has the present state', async () => {
  const line = 'restart web-1 then restart web-2 then dns set example.com www A 192.0.2.77 then stop web-1';
  const { bot } = await asked({ policy: confirmed }, line);
  bot.sim.records({ domain: 'example.com', set: [{ id: 5, value: '192.0.2.5' }] });
  await pressAndSettle(bot, 'operator', 'Run 4 steps');
  expect(bot.writes()).toEqual([]);
  expect(cardOf(bot)).toMatch(
    /± www\.example\.com A 192\.0\.2\.5 → 192\.0\.2\.77[\s\S]*Asked again: A target changed since the request\. www A was 192\.0\.2\.10/,
  );
  await pressAndSettle(bot, 'operator', 'Run 4 steps');
  expect(bot.writes()).toHaveLength(4);
});

test('two plans that touch the same server: the second says that the first is running on it', async () => {
  const bot = await underWay();
  await bot.say('operator', 'dns set example.com api A 192.0.2.70 then stop web-2');
  expect(told(bot, 'operator')).toMatch(/Not now: .* is running on it\. Ask again when that has ended\./);
  expect(await requests(bot)).toHaveLength(1);
});

test('an approver of one part alone approves nothing', async () => {
  const policy = policySchema.parse({
    ...granted,
    rules: {
      disruptive: { approve: 1, by: ['user:U0LEAD'] },
      dangerous: { approve: 1, by: [`user:${people.reader}`] },
    },
  });
  const { bot } = await asked({ policy }, 'restart web-1 then hard-reset web-2');
  for (const user of ['lead', 'reader']) {
    await pressAndSettle(bot, user, 'Approve running 2 steps');
    expect(told(bot, user)).toContain('You cannot approve this');
  }
  expect(bot.writes()).toEqual([]);
  await pressAndSettle(bot, 'admin', 'Approve running 2 steps');
  expect(bot.writes()).toHaveLength(2);
});

test.each<[line: string, why: string]>([
  ['restart web-1 then dns set example.com www A 192.0.2.77', 'You may not use /host dns set'],
  ['dns set example.com www A 192.0.2.77 then restart web-1', 'You may not use /host dns set'],
])('%s: a right that one line lacks refuses all, and names that line', async (line, why) => {
  const policy = policySchema.parse({ grants: [{ to: ['everyone'], can: ['read', 'operate'] }] });
  const { bot } = await asked({ policy }, line);
  expect(told(bot, 'operator')).toContain(why);
  expect(await requests(bot)).toEqual([]);
});

test('the names of destroyed servers are typed once, and a pinned server is not destroyed among others', async () => {
  const { bot } = await asked({ policy: policySchema.parse(granted) }, 'cancel web-1 then cancel db-1');
  const form = await bot.open('admin', { button: 'Approve running 2 steps' });
  expect('fields' in form && form.fields[0]?.label).toBe('Type web-1 db-1 to approve');
  expect(await bot.submit('admin', form, { words: 'web-1' })).toMatchObject({ kind: 'errors' });
  await pressAndSettle(bot, 'operator', 'Withdraw');
  await sayAndSettle(bot, 'operator', 'pin web-1 customer data');
  await sayAndSettle(bot, 'operator', 'restart db-1 then cancel web-1');
  expect(told(bot, 'operator')).toContain('web-1 is pinned: customer data');
});

test('a dry run shows the whole card to one person, and asks for nothing', async () => {
  const { bot } = await asked({ policy: confirmed }, `${three} --dry-run`);
  const shown = told(bot, 'operator');
  for (const words of [
    '## ⏳ 3 steps: ',
    '1. Restart web-1',
    'Disruptive',
    '192.0.2.77',
    'Dry run: nothing was requested.',
  ])
    expect(shown).toContain(words);
  expect([await requests(bot), bot.writes(), bot.posted.filter(({ onlyFor }) => onlyFor === undefined)]).toEqual([
    [],
    [],
    [],
  ]);
  await pressAndSettle(bot, 'operator', 'Ask for it');
  expect(await requests(bot)).toHaveLength(1);
});

test('a secret of one step is sealed for the requester, and a plan with an hour waits for it', async () => {
  const policy = policySchema.parse({ ...granted, rules: { disruptive: 'confirm', dangerous: 'confirm' } });
  const bot = await startTestBot({ policy, replicas: 1, engine: 'sqlite' });
  await sayAndSettle(bot, 'operator', 'restart web-1 then password web-2 in 2h');
  await pressAndSettle(bot, 'operator', cardOf(bot).match(/\[(Schedule for [^\]]*)\]/)?.[1] ?? '');
  expect(bot.writes()).toEqual([]);
  await bot.pass(2 * hour);
  await bot.settle();
  expect(bot.writes()).toHaveLength(2);
  expect(bot.posted.filter(({ key }) => key.startsWith('secret:'))).toHaveLength(1);
});

test('a plan every week is planned anew for each run', async () => {
  const bot = await startTestBot({ policy: confirmed, replicas: 1, engine: 'sqlite' });
  await sayAndSettle(bot, 'operator', 'stop web-2 then start web-2 every day 03:00 until in 10 days runs=2');
  await pressAndSettle(bot, 'operator', cardOf(bot).match(/\[(Allow 2 runs[^\]]*)\]/)?.[1] ?? '');
  for (let n = 0; n < 2; n++) {
    const { startsAt } = (await requests(bot)).find(({ state }) => state === 'standing') ?? {};
    await bot.pass((startsAt ?? 0) - bot.now() + 1_000);
    await bot.settle();
  }
  expect(bot.writes().filter((write) => write.endsWith('/stop/'))).toHaveLength(2);
});

test('a line that changes nothing is on the card, and has no step', async () => {
  const { bot } = await asked({ policy: confirmed }, 'stop web-2 then start db-1');
  expect(cardOf(bot)).toMatch(/^## ⏳ 1 step: stop web-2\n⚪ Stop web-2\nLine 2: db-1 is already on\.\n/);
});

test('a hundred lines are refused with their number', async () => {
  const lines = Array.from({ length: 100 }, (_, n) => `restart web-${n}`).join('\n');
  const { bot } = await asked({ policy: confirmed }, lines);
  expect(told(bot, 'operator')).toContain('That is 100 lines. At most 20 fit into one plan');
  expect(await requests(bot)).toEqual([]);
});

test('the form takes several lines, and says at its field which of them is wrong', async () => {
  const bot = await startTestBot({ policy: confirmed, replicas: 1, engine: 'sqlite' });
  const form = await bot.open('operator', { line: 'plan' });
  const wrong = await bot.submit('operator', form, { lines: 'stop web-1\nrestart web-77' });
  expect(wrong).toMatchObject({
    kind: 'errors',
    errors: { lines: expect.stringContaining('Line 2: There is no server called web-77') },
  });
  expect(await submitAndSettle(bot, 'operator', form, { lines: 'stop web-1\nstart web-1' })).toEqual({
    kind: 'accepted',
  });
  expect(cardOf(bot)).toContain('⚪ Stop web-1\n⚪ Start web-1');
});
