import { expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy/policy.ts';
import { makeHookAlone, openHooks, openWatch, type Watch } from '../alerts/support.ts';
import { engines } from '../support/databases.ts';
import { ops, opsGroup, people } from '../support/fake-slack.ts';
import { killAfterWrite } from '../support/kill-after-write.ts';
import { usualPolicy } from '../support/policy.ts';
import { readView } from '../support/view-text.ts';

// A standing approval for the button of an alert: `Restart (2 of 3 left today)`. A press begins a run at once.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const usual = usualPolicy(opsGroup);
const line = 'restart web-1 every=alert until="in 30 days" runs=3';

const restarts = (bot: Watch) => bot.writes().filter((write) => write.includes('/restart/')).length;
const standing = async (bot: Watch) => {
  const found = (await bot.store.operations.list({ commands: ['restart'], limit: 50 })).find(
    ({ timing }) => Object(timing).every !== undefined,
  );
  if (found === undefined) throw new Error('no standing approval');
  return found;
};
const runs = async (bot: Watch) =>
  (await bot.store.operations.list({ commands: ['restart'], limit: 50 }))
    .filter(({ timing }) => Object(timing).run !== undefined)
    .toReversed();
const asks = async (bot: Watch) =>
  (await bot.store.operations.list({ commands: ['restart'], limit: 50 })).filter(({ timing }) => timing === null);
const card = (bot: Watch, id: string) => {
  const found = bot.posted.findLast(({ key }) => key === `card:${id}`);
  return found === undefined ? '' : readView(found.view, (user) => user);
};
const alert = (bot: Watch) => {
  const [found] = bot.alerts();
  return found === undefined ? '' : readView(found.view, (user) => user);
};

/** Monitoring reports that web-1 is slow. */
async function alerted(options: Parameters<typeof openWatch>[1] = {}): Promise<Watch> {
  const bot = await openWatch({}, options);
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  const body = { id: 'slow', status: 'firing', title: 'Slow answers', text: 'web-1 is slow', severity: 'critical' };
  expect(await post(url, JSON.stringify(body))).toMatchObject({ status: 200 });
  await bot.until(() => bot.hasButton('Restart'), 'the alert');
  return bot;
}

async function stands(options: Parameters<typeof openWatch>[1] = {}, typed = line): Promise<Watch> {
  const bot = await alerted(options);
  await bot.say('operator', typed);
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.hasButton('Restart (3 of 3 left today)'), 'the button with its budget');
  await bot.settle();
  return bot;
}

/** Presses the button, and waits for the end of the run. */
async function press(bot: Watch, user: string, label: string): Promise<void> {
  const before = (await runs(bot)).length;
  await bot.press(user, label);
  await bot.until(async () => (await runs(bot)).length > before, 'the run');
  await bot.settle();
  await bot.delivered();
}

test.each(engines)(
  'on %s, the button of an alert begins runs until the budget of the day is used up, and is then the ordinary one',
  async (engine) => {
    const bot = await stands({ engine });
    const first = await standing(bot);
    expect(card(bot, first.id)).toContain('Restart web-1 with the button of an alert in this channel, until');
    expect(card(bot, first.id)).toContain('at most 3 runs a day (Europe/Amsterdam). 3 of 3 left today.');
    expect(restarts(bot)).toBe(0);
    await press(bot, 'lead', 'Restart (3 of 3 left today)');
    expect(restarts(bot)).toBe(1);
    const [run] = await runs(bot);
    expect(run).toMatchObject({ state: 'done', requester: people.lead, channel: ops });
    expect(card(bot, run?.id ?? '')).toContain(
      'Run 1 of at most 3 on this day under the standing approval of @U0OPERATOR, with the button of an alert.',
    );
    expect(card(bot, run?.id ?? '')).toContain('Asked by @U0LEAD');
    await bot.until(() => alert(bot).includes(' Restart: done'), 'the attempt on the alert');
    await press(bot, 'operator', 'Restart (2 of 3 left today)');
    await bot.until(() => card(bot, first.id).includes('1 of 3 left today.'), 'the card with what is left');
    await press(bot, 'lead', 'Restart (1 of 3 left today)');
    expect(restarts(bot)).toBe(3);
    await bot.until(() => !bot.hasButton('Restart (1 of 3 left today)'), 'the ordinary button');
    await bot.press('operator', 'Restart');
    await bot.press('operator', 'Confirm');
    await bot.settle();
    expect(restarts(bot)).toBe(4);
    expect(await asks(bot)).toHaveLength(1);
    expect(await standing(bot)).toMatchObject({ state: 'standing', startsAt: null });
    const kinds = (await bot.store.audit.list({ operationId: run?.id ?? '', limit: 20 })).map(({ kind }) => kind);
    expect(kinds.toReversed()).toEqual(['asked', 'started', 'call', 'ended']);
  },
);

test('the next day begins with the full budget, and the end of the approval gives the ordinary button back', async () => {
  // A sweep that runs meanwhile ends an alert without a report for 7 days.
  const bot = await stands({}, line.replace('30 days', '5 days'));
  for (const left of [3, 2, 1]) await press(bot, 'operator', `Restart (${left} of 3 left today)`);
  await bot.until(() => !alert(bot).includes('left today'), 'the ordinary button');
  await bot.pass(day);
  await bot.until(() => alert(bot).includes('[Restart (3 of 3 left today)]'), 'the budget of the next day');
  await bot.settle();
  await bot.pass(5 * day);
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the end');
  expect(await standing(bot)).toMatchObject({
    state: 'expired',
    endText: 'The standing approval is over after 3 runs.',
  });
  await bot.until(() => alert(bot).includes('[Restart]'), 'the ordinary button');
});

test.each(engines)('on %s, two people who press at once begin one run, and the second hears why', async (engine) => {
  const bot = await stands({ engine });
  const label = 'Restart (3 of 3 left today)';
  await Promise.all([bot.press('operator', label), bot.press('lead', label)]);
  await bot.until(async () => (await runs(bot)).length > 0, 'the run');
  await bot.settle();
  expect(restarts(bot)).toBe(1);
  expect(await runs(bot)).toHaveLength(1);
  expect(await asks(bot)).toEqual([]);
  expect(bot.transcript()).toContain('Not now: ');
});

test.each(engines)('on %s, a press that stalls while another press has its run begins none', async (engine) => {
  const bot = await stands({ engine });
  const label = 'Restart (3 of 3 left today)';
  for (const replica of bot.replicas) {
    const { operations } = replica.store;
    const { reschedule } = operations;
    operations.reschedule = async (...words) => {
      for (const each of bot.replicas) each.store.operations.reschedule = reschedule;
      await press(bot, 'operator', label);
      await bot.until(async () => (await standing(bot)).startsAt === null, 'the end of the turn');
      return reschedule(...words);
    };
  }
  await bot.press('lead', label);
  await bot.until(() => bot.transcript().includes('(only @lead) Not now: '), 'the refusal');
  await bot.settle();
  expect(restarts(bot)).toBe(1);
});

test('a person who may not operate the server gets a private refusal, and nothing begins', async () => {
  const bot = await stands();
  await bot.press('reader', 'Restart (3 of 3 left today)');
  await bot.until(() => bot.transcript().includes('You may not use /host restart on web-1 here'), 'the refusal');
  expect(await runs(bot)).toEqual([]);
  expect(await standing(bot)).toMatchObject({ state: 'standing', startsAt: null });
});

test('a press in a frozen channel is refused and uses nothing of the budget', async () => {
  const bot = await stands();
  await bot.say('operator', 'freeze here "release" 2h');
  await bot.settle();
  await bot.press('lead', 'Restart (3 of 3 left today)');
  await bot.until(() => bot.transcript().includes('(only @lead) Not now: '), 'the refusal');
  expect(await runs(bot)).toEqual([]);
  expect(restarts(bot)).toBe(0);
});

test.each<[why: string, change: (bot: Watch) => Promise<unknown>, says: string]>([
  [
    'its requester lost the right',
    async (bot) => bot.groups.get(opsGroup)?.delete(people.operator ?? ''),
    'Stopped after no run: its requester lost the right',
  ],
  [
    'the rule became stricter',
    (bot) =>
      bot.savePolicy(
        ops,
        { ...usual, rules: { ...usual.rules, disruptive: { approve: 1, by: [`group:${opsGroup}`], typed: false } } },
        1,
      ),
    'the rule asks for more now than its standing approval.',
  ],
  [
    'the target is pinned',
    async (bot) => {
      await bot.say('operator', 'pin web-1 "the shop"');
      await bot.settle();
    },
    'nothing runs on a pinned target under a standing approval.',
  ],
  [
    'the target has another name',
    async (bot) => bot.sim.order({ order: '34-12345', name: 'web-9' }),
    'its targets are not those that were approved.',
  ],
])('the standing approval of a button stops at the next press if %s, and nothing is sent', async (_, change, says) => {
  const bot = await stands();
  await change(bot);
  await bot.press('lead', 'Restart (3 of 3 left today)');
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the stop');
  await bot.settle();
  expect(await standing(bot)).toMatchObject({ state: 'stopped' });
  expect((await standing(bot)).endText).toContain(says);
  expect(restarts(bot)).toBe(0);
  await bot.until(() => !alert(bot).includes('left today'), 'the ordinary button');
});

test('three failed runs in a row stop the standing approval of a button', async () => {
  const bot = await stands();
  bot.sim.fault({
    kind: 'answer',
    match: 'POST /vps/{order_id}/restart/',
    times: 3,
    status: 409,
    body: { detail: 'Busy.' },
  });
  await press(bot, 'lead', 'Restart (3 of 3 left today)');
  await press(bot, 'lead', 'Restart again (2 of 3 left today)');
  await press(bot, 'lead', 'Restart again (1 of 3 left today)');
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the stop');
  expect(await standing(bot)).toMatchObject({
    state: 'stopped',
    endText: 'Stopped after 3 runs: 3 runs failed in a row. No further run begins.',
  });
});

test('a button that is pressed after its approval was stopped asks for approval, and says why', async () => {
  const bot = await stands();
  const { button } = bot.findButton('Restart (3 of 3 left today)');
  await bot.say('operator', `request stop ${(await standing(bot)).id}`);
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the end');
  await bot.click('lead', button);
  await bot.until(async () => (await asks(bot)).length === 1, 'the request');
  expect(bot.transcript()).toContain('(only @lead) The standing approval has ended. It asks for approval now.');
  expect(restarts(bot)).toBe(0);
});

test('an ordinary request for the same server is no duplicate of its standing approval', async () => {
  const bot = await stands();
  await bot.say('lead', 'restart web-1');
  await bot.until(async () => (await asks(bot)).length === 1, 'the request');
  await bot.say('lead', line);
  await bot.until(() => bot.transcript().includes('It was not requested twice.'), 'the duplicate');
});

test('why names the standing approval and the runs that are left', async () => {
  const bot = await stands();
  await bot.say('lead', 'why restart web-1');
  await bot.until(() => bot.transcript().includes('3 of 3 runs left today'), 'the answer');
});

test.each([
  ['restart web-1 every=alert runs=3', 'A standing approval needs an end.'],
  ['restart web-1 every=alert until="in 91 days" runs=3', 'at most 90 days are possible'],
  ['restart web-1 every=alert until="in 30 days"', 'needs a budget for each day'],
  ['restart web-1 every=alert until="in 30 days" runs=11', 'a number from 1 to 10'],
  ['restart web-1 every=alert until="in 30 days" runs=3 in=2h', 'not at an hour'],
  ['restart web-1 every=alert until="in 30 days" runs=3 if-frozen=wait', 'not at an hour'],
  ['restart web-1 web-2 every=alert until="in 30 days" runs=3', 'No alert has a button for this line.'],
  ['stop web-1 every=alert until="in 30 days" runs=3', 'No alert has a button for this line.'],
  ['hard-reset web-1 every=alert until="in 30 days" runs=3', 'at most for what is disruptive'],
])('the line %s is refused with the reason, and asks for nothing', async (typed, why) => {
  const bot = await openWatch({}, { replicas: 1 });
  await bot.say('operator', typed);
  await bot.until(() => bot.story().includes(why), why);
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
});

test('a rule with a maintenance window refuses a standing approval for the button of an alert', async () => {
  const policy = policySchema.parse({
    ...usual,
    windows: { night: 'daily 02:00-05:00 Europe/Berlin' },
    rules: { ...usual.rules, disruptive: { approve: 1, by: [`group:${opsGroup}`], window: 'night' } },
  });
  const bot = await openWatch({}, { policy, replicas: 1 });
  await bot.say('operator', line);
  await bot.until(() => bot.story().includes('The button of an alert can be pressed at any hour.'), 'the refusal');
});

test('a press that waited while the bot was offline has no run, and the thread says so', async () => {
  const mortal = killAfterWrite(1, /^reschedule /);
  const bot = await stands({ mortal, replicas: 1, engine: 'sqlite' });
  mortal.begin();
  await bot.press('lead', 'Restart (3 of 3 left today)').catch(() => {});
  await mortal.died;
  bot.skip(hour);
  bot.sim.advance(hour);
  await bot.crash();
  await bot.until(
    () => bot.story().includes('it could not begin within 10 min after the button was pressed'),
    'the words',
  );
  expect(await runs(bot)).toEqual([]);
  expect(await standing(bot)).toMatchObject({ state: 'standing', startsAt: null });
});

test.each([
  ['the press was stored', /^reschedule /],
  ['the run was created', /^insert /],
])('a process that is killed right after %s leaves one run for the press', async (_, counts) => {
  const mortal = killAfterWrite(1, counts);
  const bot = await stands({ mortal, replicas: 1, engine: 'sqlite' });
  mortal.begin();
  await bot.press('lead', 'Restart (3 of 3 left today)').catch(() => {});
  await mortal.died;
  await bot.crash();
  await bot.takeUp();
  await bot.until(async () => (await runs(bot)).length > 0, 'the run');
  await bot.settle();
  expect(await runs(bot)).toMatchObject([{ state: 'done', requester: people.lead }]);
  expect(restarts(bot)).toBe(1);
  expect(await asks(bot)).toEqual([]);
  expect(await standing(bot)).toMatchObject({ startsAt: null });
});

test('the list of scheduled requests has it after those with an hour, with what is left of the day, and Stop ends it', async () => {
  const bot = await stands();
  await bot.say('operator', 'restart db-1 in 5h');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await press(bot, 'lead', 'Restart (3 of 3 left today)');
  const list = async (user: string) => {
    const before = bot.posted.length;
    await bot.say(user, 'scheduled');
    await bot.until(() => bot.posted.length > before, 'the list');
    const view = bot.posted.at(-1)?.view;
    return view === undefined ? '' : readView(view, bot.nameOf);
  };
  const rows = (await list('operator')).split('\n').filter((line) => line.includes('asked by'));
  expect(rows).toEqual([
    expect.stringMatching(/^Restart db-1 · .* · scheduled · /),
    expect.stringMatching(
      /^Restart web-1 · with the button of an alert, 2 of 3 left today, until .* · standing approval · asked by @operator in #ops$/,
    ),
  ]);
  expect(await list('reader')).not.toContain('[Stop]');
  await list('operator');
  await bot.press('operator', 'Stop');
  await bot.until(async () => (await standing(bot)).endedAt !== null, 'the end');
  expect(await list('operator')).not.toContain('Restart web-1');
});

test.each(engines)(
  'on %s, a pressed run waits while Slack does not say whether its requester still has the right, and begins then, once',
  async (engine) => {
    const bot = await stands({ engine });
    const { person } = bot.directory;
    let asked = 0;
    Object.assign(bot.directory, {
      person: async (user: string) => {
        if (user !== people.operator) return person(user);
        asked += 1;
        throw new Error('ratelimited');
      },
    });
    await bot.press('lead', 'Restart (3 of 3 left today)');
    await bot.until(async () => asked > 0 && (await standing(bot)).startsAt !== null, 'the question to Slack');
    await bot.until(async () => (await standing(bot)).turnUntil <= bot.now(), 'the end of the turn');
    expect(await runs(bot)).toEqual([]);
    expect(await standing(bot)).toMatchObject({ state: 'standing', endText: null });
    Object.assign(bot.directory, { person });
    await bot.pass(11_000);
    await bot.until(async () => (await runs(bot)).length > 0, 'the run');
    await bot.settle();
    expect(await runs(bot)).toMatchObject([{ state: 'done', requester: people.lead }]);
    expect(restarts(bot)).toBe(1);
  },
);
