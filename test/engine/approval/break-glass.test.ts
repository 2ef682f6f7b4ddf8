import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { drawForm } from '../../../src/slack/outbound/modal.ts';
import { engines } from '../../support/databases.ts';
import { opsGroup, people } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/test-bot.ts';
import { unreadable } from '../../support/unreadable.ts';
import { mentionsIn, readView } from '../../support/view-text.ts';

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

const of = (bot: TestBot, kind: string) => bot.posted.filter(({ key }) => key.startsWith(`${kind}:`));
const card = (bot: TestBot) =>
  of(bot, 'card')
    .map(({ view }) => readView(view, bot.nameOf))
    .at(-1) ?? '';
const entries = (bot: TestBot, kind: string) => bot.store.audit.list({ kind, limit: 9 });

async function start(options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await startTestBot({ policy, ...options });
  await bot.say('lead', 'hard-reset web-1');
  return bot;
}

async function breakIt(bot: TestBot, user = 'operator', values: Record<string, string> = { reason: why }) {
  const form = await bot.open(user, { button: 'Break glass…' });
  return 'id' in form ? bot.submit(user, form, values) : form;
}

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

test.each(engines)(
  'on %s, a person whom the policy names runs it at once, and admins, audit channel and thread know why',
  async (engine) => {
    const bot = await broken({ engine, auditChannel: 'C0AUDIT' });
    expect(bot.writes()).toHaveLength(1);
    const told = of(bot, 'glass');
    expect(told.map(({ channel }) => channel).sort()).toEqual(['C0AUDIT', 'C0OPS', people.admin]);
    for (const { view } of told) expect(readView(view, bot.nameOf)).toContain(`@operator broke the glass: “${why}”.`);
    const [row] = await bot.store.operations.list({ limit: 1 });
    const announced = told.map(({ key }) => key);
    expect(announced.length).toBe(3);
    expect(await entries(bot, 'glass_broken')).toMatchObject([{ actor: people.operator, operationId: row?.id }]);
    expect(card(bot)).toContain('It ran without approvals. Somebody else closes it.');
  },
);

test.each(engines)(
  'on %s, the audit has it, and the messages are stored, before the request begins',
  async (engine) => {
    const bot = await start({ engine });
    await breakIt(bot);
    await bot.settle();
    const lines = (await bot.store.audit.list({ limit: 50 })).toSorted((a, b) => a.seq - b.seq);
    const kinds = lines.map(({ kind }) => kind);
    expect(kinds.indexOf('glass_broken')).toBeGreaterThan(-1);
    expect(kinds.indexOf('glass_broken')).toBeLessThan(kinds.indexOf('started'));
  },
);

test('the end mentions the requester, since another person clicked last', async () => {
  const bot = await broken();
  expect(of(bot, 'end').map(({ view }) => readView(view, bot.nameOf))).toEqual([expect.stringContaining('@lead')]);
});

test.each([
  ['lead', 'the policy of this channel does not say that you may break the glass'],
  ['admin', 'the policy of this channel does not say that you may break the glass'],
])('%s, whom the policy does not name, cannot break the glass', async (user, refusal) => {
  const bot = await start();
  expect(JSON.stringify(await breakIt(bot, user))).toContain(refusal);
  expect(bot.writes()).toEqual([]);
});

test('a person without the right to request it cannot break the glass', async () => {
  const named = { ...policy, breakGlass: [`user:${people.reader}` as const] };
  const bot = await start({ policy: named });
  expect(JSON.stringify(await breakIt(bot, 'reader'))).toContain(
    'You cannot break the glass: you need “operate”; you have “read”',
  );
  expect(bot.writes()).toEqual([]);
});

test('a channel whose policy names nobody offers it nowhere', async () => {
  const bot = await startTestBot({ policy: usualPolicy(opsGroup) });
  await bot.say('lead', 'hard-reset web-1');
  expect(bot.hasButton('Break glass…')).toBe(false);
});

test('a reason with fewer than ten letters and digits is refused at its field, and nothing runs', async () => {
  const bot = await start();
  for (const reason of ['now', ...unreadable.map((sign) => sign.repeat(16))])
    expect(await breakIt(bot, 'operator', { reason })).toEqual({
      kind: 'errors',
      errors: { reason: 'Say why in at least ten letters or digits.' },
    });
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

test('the glass of a request for a frozen server is not broken', async () => {
  const bot = await start();
  await bot.say('operator', 'freeze here "release"');
  await bot.settle();
  expect(JSON.stringify(await breakIt(bot))).toContain('Not now: ');
  expect(await entries(bot, 'glass_broken')).toEqual([]);
});

test('requests for several things, for a later hour, and about rights cannot break the glass', async () => {
  const approved = { ...policy, rules: { ...policy.rules, disruptive: { approve: 1, by: [], typed: false } } };
  const bot = await startTestBot({ policy: approved });
  await bot.say('lead', 'restart web-1 web-2');
  await bot.say('lead', 'hard-reset web-1 at="in 2h"');
  expect(of(bot, 'card')).toHaveLength(2);
  expect(bot.hasButton('Break glass…')).toBe(false);
});

test.each(engines)(
  'on %s, a second one in the channel is barred until somebody else closed the first',
  async (engine) => {
    const bot = await broken({ engine });
    await bot.say('lead', 'hard-reset web-2');
    const another = await bot.open('operator', { button: 'Break glass…' });
    expect(JSON.stringify(another)).toContain('The glass is broken in this channel for Hard reset web-1');
    await bot.say('operator', `break-glass hard-reset db-1 because ${why}`);
    expect(bot.story()).toContain('The glass is broken in this channel for Hard reset web-1, so no other one can be.');
    expect(of(bot, 'card')).toHaveLength(2);
    expect(bot.writes()).toHaveLength(1);
    const own = await bot.open('operator', { button: 'Close break glass…' });
    expect(own).not.toHaveProperty('fields');
    expect(JSON.stringify(own)).toContain('You broke the glass, so somebody else closes it.');
    const requesters = await bot.open('reader', { button: 'Close break glass…' });
    for (const reason of ['ok', ...unreadable.map((sign) => sign.repeat(16))])
      expect(await bot.submit('reader', requesters, { reason })).toMatchObject({
        errors: { reason: 'Say what you found in at least ten letters or digits.' },
      });
    const form = await bot.open('reader', { button: 'Close break glass…' });
    if (!('fields' in form)) throw new Error('no form');
    expect(drawForm(form)).toMatchObject({ submit: { text: 'Close break glass' }, close: { text: 'Not yet' } });
    expect(await bot.submit('reader', form, { reason: found })).toEqual({ kind: 'accepted' });
    await bot.settle();
    expect(await entries(bot, 'glass_closed')).toMatchObject([{ actor: people.reader }]);
    const closed = of(bot, 'glass').map(({ view }) => readView(view, bot.nameOf));
    expect(closed.filter((words) => words.includes(`@reader closed it: “${found}”.`))).toHaveLength(1);
    expect(closed.filter((words) => words.includes('@reader closed the broken glass'))).toHaveLength(1);
    expect(await breakIt(bot)).toEqual({ kind: 'accepted' });
    await bot.settle();
    expect(bot.writes()).toHaveLength(2);
  },
);

test.each(engines)(
  'on %s, the bot reminds thread and admins at growing intervals until it is closed, and once after an absence',
  async (engine) => {
    const bot = await broken({ engine });
    const threads = () =>
      of(bot, 'glass').filter(({ key, channel }) => channel === 'C0OPS' && /:\d+:\d+:thread$/.test(key));
    expect(threads()).toEqual([]);
    await wakeAfter(bot, hour + 1_000);
    await bot.until(() => threads().length === 1, 'the first reminder');
    expect(mentionsIn(threads()[0]?.view.parts ?? [])).toContain(opsGroup);
    await wakeAfter(bot, hour);
    await wakeAfter(bot, 30 * hour);
    await bot.until(() => threads().length === 2, 'one reminder for the absence');
    const form = await bot.open('reader', { button: 'Close break glass…' });
    await bot.submit('reader', form, { reason: found });
    await bot.settle();
    await wakeAfter(bot, 48 * hour);
    await bot.settle();
    expect(threads()).toHaveLength(2);
  },
);

test.each(engines)('on %s, a broken glass with which nothing was done closes by itself', async (engine) => {
  const bot = await start({ engine });
  bot.groups.get(opsGroup)?.delete(people.lead ?? '');
  await breakIt(bot);
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  await bot.until(async () => (await entries(bot, 'glass_closed')).length === 1, 'the close');
  expect(bot.hasButton('Close break glass…')).toBe(false);
  await bot.say('operator', 'hard-reset web-2');
  expect(await breakIt(bot)).toEqual({ kind: 'accepted' });
});

test.each(engines)(
  'on %s, a person who lost the right between the click and the run runs nothing, and the request waits again',
  async (engine) => {
    const bot = await start({ engine });
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
  },
);

test.each(engines)('on %s, two people who break two glasses at once have one effect', async (engine) => {
  const both = { ...policy, breakGlass: [`group:${opsGroup}` as const] };
  const bot = await startTestBot({ engine, policy: both });
  await bot.say('lead', 'hard-reset web-1');
  await bot.say('lead', 'hard-reset web-2');
  await bot.until(() => of(bot, 'card').length === 2, 'both cards');
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

test.each([
  `break-glass hard-reset web-1 because ${why}`,
  `hard-reset web-1 break-glass=yes because ${why}`,
  `hard-reset web-1 --break-glass because ${why}`,
])('%s runs at once', async (line) => {
  const bot = await startTestBot({ policy });
  await bot.say('operator', line);
  await bot.settle();
  expect(bot.writes()).toHaveLength(1);
  expect(await entries(bot, 'glass_broken')).toMatchObject([{ actor: people.operator }]);
});

test('a typed line without a reason makes no request, and one that destroys asks for the name', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('operator', 'break-glass hard-reset web-1');
  expect(bot.story()).toContain('Breaking the glass needs a reason of at least ten letters or digits.');
  expect(of(bot, 'card')).toEqual([]);
  await bot.say('operator', `break-glass dns domain-remove example.com because ${why}`);
  expect(bot.story()).toContain('Type its name to run it without them.');
  const form = await bot.open('operator', { button: 'Break glass…' });
  expect(form).toMatchObject({ fields: [{ name: 'reason', initial: why }, { name: 'words' }] });
  expect(bot.writes()).toEqual([]);
});

test('a line that needs no approval is asked as usual, and a read has no glass to break', async () => {
  const bot = await startTestBot({ policy });
  await bot.say('operator', `break-glass restart web-1 because ${why}`);
  expect(bot.story()).toContain('Restart web-1 needs no approval, so no glass was broken.');
  await bot.say('operator', 'break-glass status web-1');
  expect(bot.story()).toContain('status needs no approval, so there is no glass to break.');
  expect(bot.writes()).toEqual([]);
});

test('an admin sets who may, and the channel reads it', async () => {
  const bot = await startTestBot();
  await bot.say('admin', 'access break-glass @ops');
  await bot.press('admin', 'Set who may break the glass');
  await bot.settle();
  await bot.say('reader', 'access');
  expect(bot.story()).toContain('break glass: @ops');
  await bot.say('admin', 'access break-glass none');
  await bot.press('admin', 'Set who may break the glass');
  await bot.settle();
  await bot.say('reader', 'access');
  expect(bot.story()).toContain('break glass: nobody');
});

test('a handover begins with a broken glass, and names its request once, while it runs and after its end', async () => {
  const handover = async (bot: TestBot) => {
    const before = bot.posted.length;
    await bot.say('operator', 'shift');
    return readView(bot.posted[before]?.view ?? { summary: '', parts: [] }, bot.nameOf);
  };
  const running = await start({ jobMs: hour });
  await breakIt(running);
  await running.until(() => running.writes().length > 0, 'the write');
  for (const bot of [running, await broken()]) {
    const said = await handover(bot);
    expect(said).toMatch(
      /^## Handover .*\nBroken glass\n.* Hard reset web-1 .*🔨 glass broken by @operator, not closed yet/,
    );
    expect(said.match(/Hard reset web-1/g)).toHaveLength(1);
  }
});
