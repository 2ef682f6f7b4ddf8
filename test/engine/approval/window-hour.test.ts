import { expect, test } from 'vitest';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { createPolicies } from '../../../src/engine/access/policies.ts';
import { engines } from '../../support/databases.ts';
import { opsGroup, people } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';
import { readView } from '../../support/view-text.ts';

// A request that belongs in a maintenance window begins in one, and outside of it never.

const minute = 60_000;
const hour = 60 * minute;
const week = 7 * 24 * hour;

/** `wed 14:05-17:05 Africa/Abidjan`, from some time from now; the clocks there never change. */
function windowIn(fromMs: number, lengthMs: number, now = Date.now()): string {
  const from = new Date(Math.ceil((now + fromMs) / minute) * minute);
  const clock = (at: Date) => at.toISOString().slice(11, 16);
  const day = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][from.getUTCDay()];
  return `${day} ${clock(from)}-${clock(new Date(from.getTime() + lengthMs))} Africa/Abidjan`;
}

const lead = [`user:${people.lead}`];

function policyWith(windows: Record<string, string>, rule: object | null): Policy {
  const usual = usualPolicy(opsGroup);
  return policySchema.parse({
    ...usual,
    windows,
    rules: { ...usual.rules, ...(rule === null ? {} : { disruptive: { by: lead, ...rule } }) },
  });
}

const required = { approve: 1, window: 'maintenance' };
const openLater = (rule: object | null = required) => policyWith({ maintenance: windowIn(5 * hour, 3 * hour) }, rule);
const openNow = (rule: object | null = required) => policyWith({ maintenance: windowIn(-hour, 3 * hour) }, rule);

async function later(bot: TestBot, ms: number): Promise<void> {
  bot.skip(ms);
  await bot.store.presence.note();
  await bot.pass(0);
}
const policyOf = (bot: TestBot) => createPolicies(bot.store, bot.directory).get('C0OPS');
const restarts = (bot: TestBot) => bot.writes().filter((write) => write.includes('/restart/')).length;
const row = async (bot: TestBot) => {
  const [found] = await bot.store.operations.list({ limit: 1 });
  if (found === undefined) throw new Error('no request');
  return found;
};
const card = (bot: TestBot) => {
  const found = bot.posted.findLast(({ key }) => key?.startsWith('card:'));
  return found === undefined ? '' : readView(found.view, (id) => id);
};

test('a rule with a maintenance window schedules the request into the next one, and the card says so before anybody approves', async () => {
  const bot = await startTestBot({ policy: openLater() });
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  const { startsAt, state, expiresAt, createdAt } = await row(bot);
  expect(state).toBe('waiting');
  expect(card(bot)).toMatch(/In the maintenance window “maintenance”: .*\d\d:\d\d UTC–.*\d\d:\d\d UTC/);
  expect(card(bot)).toContain('If it cannot begin in it, it moves into the next one.');
  expect((expiresAt ?? 0) - createdAt).toBe(24 * hour);
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect((await row(bot)).state).toBe('scheduled');
  expect(restarts(bot)).toBe(0);
  await later(bot, (startsAt ?? 0) - bot.now() + 100);
  await bot.settle();
  expect((await row(bot)).state).toBe('done');
  expect((await row(bot)).startedAt ?? 0).toBeGreaterThanOrEqual(startsAt ?? 0);
  expect(restarts(bot)).toBe(1);
});

test('while the window is open, an approved request begins at once', async () => {
  const bot = await startTestBot({ policy: openNow() });
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  expect(card(bot)).toContain('In the maintenance window “maintenance”: open until ');
  await bot.press('lead', 'Approve');
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});

test.each(engines)(
  'on %s, an approval after the end of the window moves the request into the next one, and the thread says so',
  async (engine) => {
    const bot = await startTestBot({ engine, policy: openNow() });
    await bot.say('operator', 'restart web-1');
    await bot.settle();
    await later(bot, 4 * hour);
    await bot.press('lead', 'Approve');
    await bot.until(async () => (await row(bot)).state === 'scheduled', 'the move');
    await bot.settle();
    const { startsAt } = await row(bot);
    expect((startsAt ?? 0) - bot.now()).toBeGreaterThan(week - 6 * hour);
    expect(restarts(bot)).toBe(0);
    expect(bot.story()).toContain('Restart web-1 begins only in the maintenance window maintenance. It moves to ');
    expect(await bot.store.audit.list({ kind: 'moved', limit: 9 })).toHaveLength(1);
    await later(bot, (startsAt ?? 0) - bot.now() + 100);
    await bot.settle();
    expect(restarts(bot)).toBe(1);
  },
);

test('a bot that was down during the whole window moves the request, and asks nobody to continue outside of it', async () => {
  const bot = await startTestBot({ policy: openLater() });
  await bot.say('operator', 'restart web-1');
  await bot.press('lead', 'Approve');
  await bot.settle();
  const { startsAt } = await row(bot);
  bot.skip((startsAt ?? 0) - bot.now() - minute);
  await bot.store.presence.note();
  for (const replica of bot.replicas) await replica.halt();
  bot.skip(4 * hour);
  await bot.openReplica();
  bot.replicas.splice(0, bot.replicas.length - 1);
  await bot.until(async () => (await row(bot)).startsAt === (startsAt ?? 0) + week, 'the move');
  await bot.settle();
  expect(await row(bot)).toMatchObject({ state: 'scheduled', heldAt: null });
  expect(restarts(bot)).toBe(0);
});

test.each(engines)(
  'on %s, a rule that gets a window after the approval holds the request until that window',
  async (engine) => {
    const bot = await startTestBot({ engine, policy: policyWith({}, { approve: 1 }) });
    await bot.say('operator', 'restart web-1 in 1h');
    await bot.press('lead', 'Approve');
    await bot.settle();
    const { startsAt } = await row(bot);
    expect(await bot.savePolicy('C0OPS', openLater(), 1)).toBe(true);
    await later(bot, (startsAt ?? 0) - bot.now() + 100);
    await bot.until(async () => (await row(bot)).startsAt !== startsAt, 'the move');
    await bot.settle();
    expect((await row(bot)).state).toBe('scheduled');
    expect(restarts(bot)).toBe(0);
  },
);

test('a requester chooses a maintenance window, and an unknown one is refused with the names of the known', async () => {
  const bot = await startTestBot({ policy: openLater(null) });
  await bot.say('operator', 'restart web-1 window=nightly');
  await bot.until(() => bot.story().includes('This channel has no maintenance window nightly.'), 'the refusal');
  expect(bot.story()).toContain('It has maintenance.');
  await bot.say('operator', 'restart web-1 window=maintenance');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  const { startsAt, state } = await row(bot);
  expect(state).toBe('scheduled');
  expect(restarts(bot)).toBe(0);
  await later(bot, (startsAt ?? 0) - bot.now() + 100);
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});

test('an hour outside of the window of the rule is refused with the next ones, and one inside of it is kept', async () => {
  const bot = await startTestBot({ policy: openLater() });
  await bot.say('operator', 'restart web-1 in 1h');
  await bot.until(() => bot.story().includes('It begins only in the maintenance window maintenance, '), 'the refusal');
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  expect(bot.story()).toMatch(/(\[\w{3} \w{3} \d+, \d\d:\d\d…\] ?){3}/);
  await bot.say('operator', 'restart web-1 in 6h');
  await bot.settle();
  const { startsAt } = await row(bot);
  expect(Math.abs((startsAt ?? 0) - bot.now() - 6 * hour)).toBeLessThan(2 * minute);
  expect(card(bot)).toContain('In the maintenance window “maintenance”: ');
});

test('"Move…" and "Run now" keep a scheduled request in its window', async () => {
  const bot = await startTestBot({ policy: openLater(null) });
  await bot.say('operator', 'restart web-1 window=maintenance');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  const { startsAt } = await row(bot);
  await bot.press('operator', 'Run now');
  await bot.until(() => bot.story().includes('It begins only in the maintenance window maintenance, '), 'the refusal');
  expect(restarts(bot)).toBe(0);
  const form = await bot.open('operator', { button: 'Move…' });
  const outside = await bot.submit('operator', form, { words: new Date((startsAt ?? 0) - hour).toISOString() });
  expect(JSON.stringify(outside)).toContain('It begins only in the maintenance window maintenance, ');
  await bot.submit('operator', form, { words: new Date((startsAt ?? 0) + hour).toISOString() });
  await bot.settle();
  expect(await row(bot)).toMatchObject({ state: 'scheduled', startsAt: (startsAt ?? 0) + hour });
});

test('the grace of a rule is on the card, and the bot asks only after it', async () => {
  const bot = await startTestBot({ policy: policyWith({}, { approve: 1, grace: '30m' }) });
  await bot.say('operator', 'restart web-1 in 2h');
  await bot.settle();
  expect(card(bot)).toContain(
    'At that hour the bot checks web-1, the rights, the approvals and freezes again. If it starts more than 30 minutes late, it asks you first.',
  );
  await bot.press('lead', 'Approve');
  await bot.settle();
  const { startsAt } = await row(bot);
  bot.skip((startsAt ?? 0) - bot.now() - minute);
  await bot.store.presence.note();
  for (const replica of bot.replicas) await replica.halt();
  bot.skip(26 * minute);
  await bot.openReplica();
  bot.replicas.splice(0, bot.replicas.length - 1);
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});

test('the form has the hour and the windows, an empty hour means now, and a past one is refused under its field', async () => {
  const bot = await startTestBot({ policy: openLater(null) });
  const form = await bot.open('operator', { line: 'restart web-1' });
  expect(form).toMatchObject({
    fields: expect.arrayContaining([
      expect.objectContaining({ name: '@at', label: 'When', widget: 'moment', optional: true }),
      expect.objectContaining({ name: '@window', label: 'Maintenance window', optional: false }),
    ]),
  });
  const servers = ['web-1'];
  const past = await bot.submit('operator', form, { servers, '@at': new Date(bot.now() - hour).toISOString() });
  expect(past).toMatchObject({
    kind: 'errors',
    errors: { '@at': expect.stringMatching(/^\w{3} \w{3} \d+, \d\d:\d\d is past/) },
  });
  const far = await bot.submit('operator', form, {
    servers,
    '@at': new Date(bot.now() + 100 * 24 * hour).toISOString(),
  });
  expect(far).toMatchObject({
    kind: 'errors',
    errors: { '@at': expect.stringContaining('at most 90 days are possible') },
  });
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  const at = Math.ceil((bot.now() + 2 * hour) / minute) * minute;
  await bot.submit('operator', form, { servers, '@at': new Date(at).toISOString(), '@window': '' });
  await bot.settle();
  expect(await row(bot)).toMatchObject({ startsAt: at, timing: { words: new Date(at).toISOString() } });
  const later = await bot.open('operator', { line: 'restart db-1 window=maintenance' });
  expect(JSON.stringify(later)).toContain('"initial":"maintenance"');
  await bot.submit('operator', later, { servers: ['db-1'], '@at': '', '@window': 'maintenance' });
  await bot.settle();
  expect((await row(bot)).timing).toMatchObject({ window: { name: 'maintenance' } });
  const now = await bot.open('operator', { line: 'restart web-2 in 2h' });
  await bot.submit('operator', now, { servers: ['web-2'], '@at': '', '@window': '' });
  await bot.settle();
  expect(await row(bot)).toMatchObject({ startsAt: null, timing: null });
});

test('a request that is sent back opens with its hour, and "One at a time" keeps it', async () => {
  const bot = await startTestBot({ policy: policyWith({}, { approve: 1 }) });
  await bot.say('operator', 'restart web-1 in 2h');
  await bot.settle();
  const { startsAt } = await row(bot);
  const change = await bot.open('lead', { button: 'Ask for changes…' });
  await bot.submit('lead', change, { words: 'an hour later' });
  await bot.settle();
  const form = await bot.open('operator', { button: 'Change it…' });
  expect(JSON.stringify(form)).toContain(`"name":"@at"`);
  expect(JSON.stringify(form)).toContain(`"initial":${startsAt}`);
});

test('`why` says the countdown, the maintenance window with its next hour, and who pinned the target', async () => {
  const usual = usualPolicy(opsGroup);
  const policy = policySchema.parse({
    ...usual,
    windows: { maintenance: windowIn(5 * hour, 3 * hour) },
    rules: { destructive: { approve: 2, by: [`group:${opsGroup}`], wait: '5m', window: 'maintenance' } },
  });
  const bot = await startTestBot({ policy });
  await bot.say('lead', 'pin domain:example.com "all mail goes there"');
  await bot.settle();
  await bot.say('operator', 'why dns domain-remove example.com');
  await bot.until(() => bot.story().includes('Pinned: '), 'the answer');
  const said = bot.story();
  expect(said).toContain('Waits: 5 min after the last approval, and can be stopped until then');
  expect(said).toContain('Begins: only in the maintenance window maintenance, ');
  expect(said).toContain(', which opens next on ‹date›');
  expect(said).toContain('example.com is pinned by @lead: all mail goes there. So it needs one approver more');
});

test('"turn off ci-1 tonight 23:30" is a stop at a later hour, and its card says the hour before anybody confirms', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'turn off ci-1 tonight');
  await bot.until(() => bot.story().includes('tonight does not say the hour.'), 'the question');
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  await bot.say('operator', 'turn off ci-1 tonight 23:59');
  await bot.settle();
  expect(card(bot)).toMatch(/Stop ci-1[\s\S]*Begins .* · tonight 23:59, Europe\/Amsterdam/);
  expect((await row(bot)).startsAt ?? 0).toBeGreaterThan(bot.now());
});

test('a rule is set with a maintenance window and a grace, and one that the policy does not name is refused', async () => {
  const bot = await startTestBot({ policy: openLater(null) });
  const set = async (rule: string) => {
    await bot.say('admin', `access rule dangerous ${rule} by=@${people.lead}`);
    await bot.settle();
  };
  await set('approve 1 window=nightly');
  expect(bot.story()).toContain(
    'The policy of this channel names no maintenance window nightly. It names maintenance.',
  );
  await set('none window=maintenance');
  expect(bot.story()).toContain('The rule none has no maintenance window and no grace.');
  await set('approve 1 window=maintenance grace=30m');
  await bot.press('admin', 'Confirm');
  await bot.settle();
  await set('approve 1 typed');
  await bot.press('admin', 'Confirm');
  await bot.settle();
  await bot.say('admin', 'access');
  expect(bot.story()).toContain('with the name typed, only in maintenance, at most 30 min late');
  expect(bot.story()).toContain('maintenance window maintenance: ');
});

test('an admin names a maintenance window in Slack, changes it and removes it, and each is in the audit', async () => {
  const bot = await startTestBot({ policy: usualPolicy(opsGroup) });
  const windows = async () => (await policyOf(bot))?.windows;
  const set = async (line: string, isConfirmed = true) => {
    await bot.say('admin', `access rule ${line}`);
    if (isConfirmed) await bot.press('admin', 'Confirm');
    await bot.settle();
  };
  await set('hours maintenance sun 02:00-05:00 Europe/Berlin');
  expect(await windows()).toEqual({ maintenance: 'sun 02:00-05:00 Europe/Berlin' });
  expect(card(bot)).toContain('Maintenance window maintenance: none → sun 02:00-05:00 Europe/Berlin');
  await set('hours nightly: daily 22:00-04:00 UTC');
  await set('hours maintenance "sat 1am-4am America/New_York"');
  expect(await windows()).toEqual({
    nightly: 'daily 22:00-04:00 UTC',
    maintenance: 'sat 01:00-04:00 America/New_York',
  });
  await set(`disruptive approve 1 window=maintenance by=@${people.lead}`);
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  expect(card(bot)).toContain('In the maintenance window “maintenance”: ');
  await set('hours nightly none');
  expect(Object.keys((await windows()) ?? {})).toEqual(['maintenance']);
  const entries = await bot.store.audit.list({ kind: 'policy', limit: 9 });
  expect(entries.filter(({ data }) => JSON.stringify(data).includes('"windows"'))).toHaveLength(5);
});

test('hours that cannot be read, an invalid name and a maintenance window that a rule requires are refused', async () => {
  const bot = await startTestBot({ policy: openLater() });
  const refused = async (line: string) => {
    const before = bot.posted.length;
    await bot.say('admin', `access rule ${line}`);
    await bot.until(() => bot.posted.length > before, 'the refusal');
    return readView(bot.posted.at(-1)?.view ?? { summary: '', parts: [] }, bot.nameOf);
  };
  expect(await refused('hours nightly sun 02:00-05:00')).toContain(
    'Write it like sun 02:00-05:00 UTC, sun 02:00-05:00 Europe/Berlin or daily 22:00-04:00 UTC.',
  );
  expect(await refused('hours nightly whenever')).toContain('whenever does not say days, two hours and a time zone.');
  expect(await refused('hours nightly')).toContain('The hours of the maintenance window nightly are missing.');
  expect(await refused('hours n_1 sun 02:00-05:00 UTC')).toContain('n_1 cannot name a maintenance window.');
  expect(await refused('hours nightly none')).toContain('names no maintenance window nightly. It names maintenance.');
  expect(await refused('hours nightly sun 02:00-05:00 UTC by=@ops')).toContain('A maintenance window has no by.');
  const required = await refused('hours maintenance none');
  expect(required).toContain('The maintenance window maintenance stays: the rule for disruptive requires it.');
  expect(required).toContain('Set the rule for disruptive with window=none first.');
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  await bot.say('operator', 'access rule hours nightly sun 02:00-05:00 UTC');
  await bot.settle();
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
});

test('the form of a rule names a maintenance window, and refuses unreadable hours under their field', async () => {
  const bot = await startTestBot({ policy: usualPolicy(opsGroup) });
  await bot.say('admin', 'access');
  const form = await bot.open('admin', { button: 'Hours…' });
  expect(JSON.stringify(form)).toContain('"initial":"hours"');
  const wrong = await bot.submit('admin', form, { risk: 'hours', rule: 'maintenance sun 02:00-05:00' });
  expect(wrong).toMatchObject({
    kind: 'errors',
    errors: { rule: expect.stringContaining('does not say its time zone') },
  });
  await bot.submit('admin', form, { risk: 'hours', rule: 'maintenance sun 02:00-05:00 Europe/Berlin' });
  await bot.press('admin', 'Confirm');
  await bot.settle();
  expect((await policyOf(bot))?.windows).toEqual({
    maintenance: 'sun 02:00-05:00 Europe/Berlin',
  });
});
