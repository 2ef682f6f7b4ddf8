import { test as base, expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { drawForm } from '../../../src/slack/outbound/modals.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';
import { unreadable } from '../../support/bot/unreadable.ts';
import { mentionsIn } from '../../support/bot/view-text.ts';
import { engines } from '../../support/database/databases.ts';
import {
  answerTo,
  fillIn,
  formIn,
  messagesOf,
  pressAndSettle,
  requested,
  sayAndSettle,
  submitAndSettle,
  wordsOf,
} from '../told.ts';

// A person whom the policy names runs one request without its approvals; everybody knows, and somebody else closes it.

const hour = 3_600_000;
const by = [`group:${opsGroup}`];
const why = 'the database is down and nobody answers';
const found = 'the disk was full, and logs are rotated now';

const policy = policySchema.parse({
  ...usualPolicy(opsGroup),
  rules: {
    dangerous: { approve: 2, by: [...by, `user:${people.reader}`] },
    destructive: { approve: 1, by, typed: true, wait: '15m' },
  },
  breakGlass: [`user:${people.operator}`],
});

const entries = (bot: TestBot, kind: string) => bot.store.audit.list({ kind, limit: 9 });

async function start(options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await startTestBot({ policy, ...options });
  await bot.say('lead', 'hard-reset web-1');
  return bot;
}

const test = base.extend('bot', () => start());

async function breakIt(bot: TestBot, user = 'operator', values: Record<string, string> = { reason: why }) {
  const form = await bot.open(user, { button: 'Break glass…' });
  return 'id' in form ? bot.submit(user, form, values) : form;
}

const close = (bot: TestBot) => fillIn(bot, 'reader', 'Close break glass…', { reason: found });

async function broken(options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await start(options);
  expect(await breakIt(bot)).toEqual({ kind: 'accepted' });
  await bot.settle();
  return bot;
}

async function wakeAfter(bot: TestBot, ms: number): Promise<void> {
  bot.skip(ms);
  for (const row of await bot.store.operations.list({ limit: 9 })) bot.replicas[0]?.wake(row.id);
}

test('a person whom the policy names runs it at once, and admins, audit channel and thread know why', async () => {
  const bot = await broken({ config: { auditChannel: 'C0AUDIT' } });
  expect(bot.writes()).toHaveLength(1);
  const said = messagesOf(bot, 'glass');
  expect(said.map(({ channel }) => channel).sort()).toEqual(['C0AUDIT', 'C0OPS', people.admin]);
  for (const { view } of said) expect(wordsOf(bot, view)).toContain(`@operator broke the glass: “${why}”.`);
  const [row] = await bot.store.operations.list({ limit: 1 });
  expect(await entries(bot, 'glass_broken')).toMatchObject([{ actor: people.operator, operationId: row?.id }]);
  expect(wordsOf(bot, messagesOf(bot, 'card').at(-1)?.view)).toContain(
    'It ran without approvals. Somebody else closes it.',
  );
  // The audit has it before the request begins.
  const lines = (await bot.store.audit.list({ limit: 50 })).toSorted((a, b) => a.seq - b.seq);
  const kinds = lines.map(({ kind }) => kind);
  expect(kinds.indexOf('glass_broken')).toBeGreaterThan(-1);
  expect(kinds.indexOf('glass_broken')).toBeLessThan(kinds.indexOf('started'));
  // The end mentions the requester, since another person clicked last.
  expect(messagesOf(bot, 'end').map(({ view }) => wordsOf(bot, view))).toEqual([expect.stringContaining('@lead')]);
});

test('a person whom the policy does not name, or who may not request it, cannot break the glass', async ({ bot }) => {
  for (const user of ['lead', 'admin'])
    expect(JSON.stringify(await breakIt(bot, user))).toContain(
      'the policy of this channel does not say that you may break the glass',
    );
  const other = await start({ policy: { ...policy, breakGlass: [`user:${people.reader}` as const] } });
  expect(JSON.stringify(await breakIt(other, 'reader'))).toContain(
    'You cannot break the glass: you need “operate”; you have “read”',
  );
  expect([...bot.writes(), ...other.writes()]).toEqual([]);
});

test('a reason with fewer than ten letters and digits is refused at its field, and nothing runs', async ({ bot }) => {
  const refused = { kind: 'errors', errors: { reason: 'Say why in at least ten letters or digits.' } };
  for (const reason of ['now', ...unreadable.map((sign) => sign.repeat(16))])
    expect(await breakIt(bot, 'operator', { reason })).toEqual(refused);
  expect(bot.writes()).toEqual([]);
});

test('a removal needs the typed name, and skips the countdown', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('lead', 'dns domain-remove example.com');
  const answer = await breakIt(bot, 'operator', { reason: why, words: 'example.org' });
  expect(answer).toMatchObject({ kind: 'errors', errors: { words: expect.stringContaining('not the name') } });
  await breakIt(bot, 'operator', { reason: why, words: 'example.com' });
  await bot.settle();
  expect(bot.writes()).toHaveLength(1);
  expect(bot.story()).not.toContain('counting down');
});

test('the glass of a request for a frozen server is not broken', async ({ bot }) => {
  await sayAndSettle(bot, 'operator', 'freeze here "release"');
  expect(JSON.stringify(await breakIt(bot))).toContain('Not now: ');
  expect(await entries(bot, 'glass_broken')).toEqual([]);
});

test('requests for several things, for a later hour, and about rights cannot break the glass', async () => {
  const approved = { ...policy, rules: { ...policy.rules, disruptive: { approve: 1, by: [], typed: false } } };
  const bot = await startTestBot({ policy: approved });
  await bot.say('lead', 'restart web-1 web-2');
  await bot.say('lead', 'hard-reset web-1 at="in 2h"');
  expect(messagesOf(bot, 'card')).toHaveLength(2);
  // A channel whose policy names nobody offers it nowhere.
  const other = await requested('hard-reset web-1', { policy: usualPolicy(opsGroup) });
  expect([bot, other].map((one) => one.hasButton('Break glass…'))).toEqual([false, false]);
});

test.each(engines)('on %s, a second one in the channel is barred until another closed the first', async (engine) => {
  const bot = await broken({ engine });
  await bot.say('lead', 'hard-reset web-2');
  const another = await bot.open('operator', { button: 'Break glass…' });
  expect(JSON.stringify(another)).toContain('The glass is broken in this channel for Hard reset web-1');
  await bot.say('operator', `break-glass hard-reset db-1 because ${why}`);
  expect(bot.story()).toContain('The glass is broken in this channel for Hard reset web-1, so no other one can be.');
  expect(messagesOf(bot, 'card')).toHaveLength(2);
  expect(bot.writes()).toHaveLength(1);
  const own = await bot.open('operator', { button: 'Close break glass…' });
  expect(own).not.toHaveProperty('fields');
  expect(JSON.stringify(own)).toContain('You broke the glass, so somebody else closes it.');
  const requesters = await bot.open('reader', { button: 'Close break glass…' });
  for (const reason of ['ok', ...unreadable.map((sign) => sign.repeat(16))])
    expect(await bot.submit('reader', requesters, { reason })).toMatchObject({
      errors: { reason: 'Say what you found in at least ten letters or digits.' },
    });
  const form = formIn(await bot.open('reader', { button: 'Close break glass…' }));
  expect(drawForm(form)).toMatchObject({ submit: { text: 'Close break glass' }, close: { text: 'Not yet' } });
  expect(await submitAndSettle(bot, 'reader', form, { reason: found })).toEqual({ kind: 'accepted' });
  expect(await entries(bot, 'glass_closed')).toMatchObject([{ actor: people.reader }]);
  const closed = messagesOf(bot, 'glass').map(({ view }) => wordsOf(bot, view));
  expect(closed.filter((words) => words.includes(`@reader closed it: “${found}”.`))).toHaveLength(1);
  expect(closed.filter((words) => words.includes('@reader closed the broken glass'))).toHaveLength(1);
  expect(await breakIt(bot)).toEqual({ kind: 'accepted' });
  await bot.settle();
  expect(bot.writes()).toHaveLength(2);
});

test('the bot reminds thread and admins at growing intervals until it is closed, and once after an absence', async () => {
  const bot = await broken();
  const threads = () =>
    messagesOf(bot, 'glass').filter(({ key, channel }) => channel === 'C0OPS' && /:\d+:\d+:thread$/.test(key));
  expect(threads()).toEqual([]);
  await wakeAfter(bot, hour + 1_000);
  await bot.until(() => threads().length === 1, 'the first reminder');
  expect(mentionsIn(threads()[0]?.view.parts ?? [])).toContain(opsGroup);
  await wakeAfter(bot, hour);
  await wakeAfter(bot, 30 * hour);
  await bot.until(() => threads().length === 2, 'one reminder for the absence');
  await close(bot);
  await wakeAfter(bot, 48 * hour);
  await bot.settle();
  expect(threads()).toHaveLength(2);
});

test('a broken glass with which nothing was done closes by itself', async ({ bot }) => {
  bot.groups.get(opsGroup)?.delete(people.lead ?? '');
  await breakIt(bot);
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  await bot.until(async () => (await entries(bot, 'glass_closed')).length === 1, 'the close');
  expect(bot.hasButton('Close break glass…')).toBe(false);
  await bot.say('operator', 'hard-reset web-2');
  expect(await breakIt(bot)).toEqual({ kind: 'accepted' });
});

test('a right that was lost between click and run runs nothing, and the request waits again', async () => {
  const bot = await start();
  bot.pause(true);
  await bot.settle();
  const [row] = await bot.store.operations.list({ limit: 1 });
  const glass = { by: people.operator ?? '', at: bot.now(), why };
  bot.groups.get(opsGroup)?.delete(people.operator ?? '');
  expect(await bot.store.glass.break({ id: row?.id ?? '', channel: 'C0OPS', from: null }, glass)).toEqual({
    how: 'broken',
  });
  bot.replicas[0]?.wake(row?.id ?? '');
  await bot.until(() => bot.story().includes('no longer counts'), 'the void glass');
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  expect(await bot.store.operations.list({ limit: 1 })).toMatchObject([{ state: 'waiting' }]);
});

test.each(engines)('on %s, two people who break two glasses at once have one effect', async (engine) => {
  const both = { ...policy, breakGlass: [`group:${opsGroup}` as const] };
  const bot = await startTestBot({ engine, policy: both });
  await bot.say('lead', 'hard-reset web-1');
  await bot.say('lead', 'hard-reset web-2');
  await bot.until(() => messagesOf(bot, 'card').length === 2, 'both cards');
  const forms = await Promise.all(
    (['first', 'last'] as const).map((which) =>
      bot.open('operator', { intent: bot.findButton('Break glass…', which).button.intent }),
    ),
  );
  const answers = await Promise.all(forms.map((form) => bot.submit('operator', form, { reason: why })));
  await bot.settle();
  expect(answers.map(({ kind }) => kind).sort()).toEqual(['accepted', 'errors']);
  expect(bot.writes()).toHaveLength(1);
});

test('each spelling of a typed line runs at once', async () => {
  const bot = await startTestBot({ policy });
  const lines = ['break-glass hard-reset web-1', 'hard-reset web-1 break-glass=yes', 'hard-reset web-1 --break-glass'];
  for (const [n, line] of lines.entries()) {
    await sayAndSettle(bot, 'operator', `${line} because ${why}`);
    expect(bot.writes(), line).toHaveLength(n + 1);
    await close(bot);
  }
  expect((await entries(bot, 'glass_broken')).map(({ actor }) => actor)).toEqual(lines.map(() => people.operator));
});

test('a typed line without a reason makes no request, one that destroys asks for the name, and a read has no glass', async () => {
  const bot = await requested('break-glass hard-reset web-1', { policy });
  expect(bot.story()).toContain('Breaking the glass needs a reason of at least ten letters or digits.');
  expect(messagesOf(bot, 'card')).toEqual([]);
  await bot.say('operator', `break-glass dns domain-remove example.com because ${why}`);
  expect(bot.story()).toContain('Type its name to run it without them.');
  const form = await bot.open('operator', { button: 'Break glass…' });
  expect(form).toMatchObject({ fields: [{ name: 'reason', initial: why }, { name: 'words' }] });
  // A line that needs no approval is asked as usual, and a read has no glass to break.
  await bot.say('operator', `break-glass restart web-1 because ${why}`);
  expect(bot.story()).toContain('Restart web-1 needs no approval, so no glass was broken.');
  await bot.say('operator', 'break-glass status web-1');
  expect(bot.story()).toContain('status needs no approval, so there is no glass to break.');
  expect(bot.writes()).toEqual([]);
});

test('an admin sets who may, and the channel reads it', async () => {
  const bot = await startTestBot();
  for (const [who, said] of Object.entries({ '@ops': '@ops', none: 'nobody' })) {
    await bot.say('admin', `access break-glass ${who}`);
    await pressAndSettle(bot, 'admin', 'Set who may break the glass');
    expect(await answerTo(bot, 'reader', 'access')).toContain(`break glass: ${said}`);
  }
});

test('a handover begins with a broken glass, and names its request once, while it runs and after its end', async () => {
  const running = await start({ provider: { jobMs: hour } });
  await breakIt(running);
  await running.until(() => running.writes().length > 0, 'the write');
  for (const bot of [running, await broken()]) {
    const before = bot.posted.length;
    await bot.say('operator', 'shift');
    const said = wordsOf(bot, bot.posted[before]?.view);
    expect(said).toMatch(
      /^## Handover .*\nBroken glass\n.* Hard reset web-1 .*🔨 glass broken by @operator, not closed yet/,
    );
    expect(said.match(/Hard reset web-1/g)).toHaveLength(1);
  }
});
