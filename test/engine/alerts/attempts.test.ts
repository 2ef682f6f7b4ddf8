import { expect, test } from 'vitest';
import { day, minute } from '../../../src/core/text/words.ts';
import { createPolicies } from '../../../src/engine/access/policies.ts';
import type { Channel } from '../../../src/engine/context/ports.ts';
import { makeHook, minutes, offByHand, openHooks, openWatch, tidy, turn, type Watch } from '../../alerts/support.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { killAfterWrite } from '../../support/bot/kill-after-write.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { engines } from '../../support/database/databases.ts';
import { pressAndSettle, setChannel, wordsOf } from '../told.ts';

/** An alert is an incident: one message with each attempt to end it, and a thread with all of them. */

const dev = 'C0DEV';
const failsToStart = { kind: 'nextJob', match: 'POST /vps/{order_id}/start/', end: 'error', times: 1 } as const;

const read = (bot: Watch, one?: Watch['posted'][number]) =>
  tidy(wordsOf(bot, one?.view)).replace(/after \d+ min/g, 'after ‹time›');
const isReply = ({ threadTs }: Watch['posted'][number]) => threadTs !== null;
/** The one message of the alert: every other one is in its thread. */
function shown(bot: Watch): string {
  const [message, ...others] = bot.alerts().filter((one) => !isReply(one));
  expect(others).toEqual([]);
  return read(bot, message);
}
const thread = (bot: Watch) =>
  bot
    .alerts()
    .filter(isReply)
    .map((one) => read(bot, one));

async function confirmed(bot: Watch, ask: () => Promise<unknown>, user = 'operator') {
  await ask();
  await pressAndSettle(bot, user, 'Confirm');
  await allDrawn(bot);
}

/** An alert counts as drawn when its message and its replies are posted. */
async function allDrawn(bot: Watch) {
  const isShown = () => bot.store.alerts.undrawn(ops).then((due) => due.length === 0);
  await bot.until(isShown, 'the alert to show it');
  await bot.delivered();
}

test.each(engines)('on %s an outage, a failed Start and one that helps are one message, one thread', async (engine) => {
  const bot = await offByHand({ engine });
  expect(shown(bot)).toContain("\n[Start] [Stats] [I'm on it]\n[More ▾ [Ticket…] [Off is right] [Snooze for 1 hour]");
  bot.sim.fault(failsToStart);
  await confirmed(bot, () => bot.press('operator', 'Start'));
  expect(shown(bot)).toMatchInlineSnapshot(`
      "## 🔴 db-1 is off  [nobody here turned it off]
      db.example.com points to it · @operator is on it
      ‹date› Start failed: The hypervisor did not answer in time
      · since ‹date›
      [Start again] [Hard reset…] [Ticket…]
      [More ▾ [Stats] [Hand over…] [Off is right] [Snooze for 1 hour] [Snooze for 4 hours] [Snooze for 1 day] [Snooze for 7 days]]"
    `);
  const failed = 'Start db-1 failed: The hypervisor did not answer in time · asked by @operator';
  expect(thread(bot)).toEqual([failed]);
  await confirmed(bot, () => bot.press('lead', 'Start again'), 'lead');
  await minutes(bot, 6);
  expect(shown(bot)).toBe('✅ db-1 is on again, after ‹time›\n· was: db-1 is off · @operator was on it');
  expect(thread(bot)).toEqual([failed, 'Start db-1 done · asked by @lead']);
  await minutes(bot, 6);
  expect(thread(bot)).toHaveLength(2);
  expect(bot.log).toEqual([]);
});

test('a request that is typed while the alert is open is shown while it waits and when it has ended', async () => {
  const bot = await offByHand();
  // A read with a button of the alert puts nobody on it.
  await pressAndSettle(bot, 'operator', 'Stats');
  await bot.say('lead', 'start db-1');
  await bot.until(() => shown(bot).includes('Start: waiting'), 'the request on the alert');
  expect(shown(bot)).not.toContain('is on it');
  expect(shown(bot)).toContain('\n‹date› Start: waiting, asked by @lead\n');
  expect(thread(bot)).toEqual([]);
  await bot.press('lead', 'Withdraw');
  await bot.until(() => shown(bot).includes('Start withdrawn'), 'the end on the alert');
  await allDrawn(bot);
  expect(thread(bot)).toEqual(['Start db-1 withdrawn · asked by @lead']);
  // Nothing was tried, so nothing is tried again.
  expect(shown(bot)).toContain('\n[Start] [Stats]');
});

test('a request that the alert does not offer is no attempt, and one that it offers is named as on its button', async () => {
  const bot = await openWatch({ expiring: { on: ['order:34-12345'] }, zone: { on: ['domain:example.org'] } });
  bot.sim.order({ order: '34-12345', status: 'noprolong', expiration_date: new Date(bot.now() + day).toISOString() });
  await bot.sweep();
  await confirmed(bot, () => bot.say('operator', 'restart web-1'));
  bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
  await minutes(bot, 6);
  // Replies in threads follow the two alerts.
  const drifted = () => JSON.stringify(bot.alerts()[1]?.view);
  await bot.press('operator', 'Put back');
  await bot.until(() => drifted().includes(' Put back: waiting, asked by '), 'the request on the alert');
  await pressAndSettle(bot, 'lead', 'Approve');
  await bot.until(() => drifted().includes(' Put back: done, by '), 'the end on the alert');
  expect(JSON.stringify(bot.alerts()[0]?.view)).not.toContain('Restart');
});

test('a request from before the alert is no attempt, and the alert does not say that nobody here turned the server off', async () => {
  const bot = await openWatch({ power: { on: ['order:34-12345'] } });
  await bot.sweep();
  await minutes(bot, 6);
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'error', times: 1 });
  await confirmed(bot, () => bot.say('operator', 'restart web-1'));
  await turn(bot, 'off', { order: '34-12345' });
  expect(shown(bot)).toMatch(/^## 🔴 web-1 is off\n/);
  expect(shown(bot)).not.toContain('Restart');
});

test('of five attempts the message shows the last three, and the thread has all', async () => {
  const bot = await offByHand();
  for (let n = 0; n < 5; n++) {
    bot.sim.fault(failsToStart);
    await confirmed(bot, () => bot.say('operator', 'start db-1'));
  }
  expect(shown(bot).match(/ Start failed: /g)).toHaveLength(3);
  expect(shown(bot)).toContain('\nand 2 earlier, in the thread\n');
  expect(thread(bot)).toHaveLength(5);
});

const open: Channel = { id: dev, name: 'dev', isPrivate: false, isShared: false, isArchived: false, hasBot: true };
const nameless = /^Request in another channel failed$/;
const elsewhere: readonly [
  why: string,
  given: { channel?: Partial<Channel>; here?: Partial<Channel>; line?: string; mayRead?: string[] },
  expected: RegExp,
][] = [
  ['a public channel is named', {}, /^Start db-1 failed: .* · asked by @operator$/],
  ['a private channel is not named', { channel: { isPrivate: true } }, nameless],
  [
    'a public channel is not named where people of another organization read along',
    { here: { isShared: true, teams: ['T1', 'T2'] } },
    nameless,
  ],
  [
    'a public channel is not named where nobody may read all that it names',
    { line: 'start db-1 staging-1', mayRead: ['order:34-12346'] },
    nameless,
  ],
];

test.each(elsewhere)(
  'on the alert a request of %s',
  async (_, { channel, here, line = 'start db-1', mayRead }, expected) => {
    const bot = await offByHand();
    bot.channels.set(dev, open);
    await bot.savePolicy(dev, usualPolicy(opsGroup));
    if (mayRead !== undefined) {
      const policy = usualPolicy(opsGroup);
      await bot.savePolicy(ops, { ...policy, grants: policy.grants.map((grant) => ({ ...grant, on: mayRead })) }, 1);
    }
    if (here !== undefined) {
      setChannel(bot, here);
      const { confirm, posture } = createPolicies(bot.store, bot.directory);
      expect(await confirm(ops, await posture(ops))).toBe(true);
    }
    bot.sim.fault(failsToStart);
    await bot.say('operator', line, { place: { channel: dev, kind: 'channel' } });
    bot.channels.set(dev, { ...open, ...channel });
    await bot.press('operator', 'Confirm');
    await bot.until(() => thread(bot).length === 1, 'the end in the thread');
    await bot.delivered();
    expect(thread(bot)[0]).toMatch(expected);
    const isNamed = expected !== nameless;
    expect(shown(bot).includes('Start failed')).toBe(isNamed);
    expect(shown(bot).includes('[Start again]')).toBe(isNamed);
    expect(shown(bot).includes('Request in another channel failed')).toBe(!isNamed);
  },
);

test('on the alert a request is not named while Slack does not say whether its channel is private', async () => {
  const bot = await offByHand();
  bot.channels.set(dev, open);
  await bot.savePolicy(dev, usualPolicy(opsGroup));
  await bot.say('operator', 'start db-1', { place: { channel: dev, kind: 'channel' } });
  await bot.until(() => shown(bot).includes('Start: waiting, asked by @operator'), 'the request on the alert');
  bot.channels.delete(dev);
  const [alert] = await bot.store.alerts.listOpen({ limit: 1 });
  await bot.store.alerts.change(alert?.id ?? '', alert?.version ?? 0, { seenAt: bot.now() });
  await bot.later(minute);
  expect(shown(bot)).toContain('\n‹date› Request in another channel waiting\n');
  expect(shown(bot)).not.toContain('operator');
});

test('in a group the last attempt stands under its member', async () => {
  const bot = await openWatch({});
  const path = await makeHook(bot, 'alertmanager');
  const { post } = await openHooks(bot);
  const group = {
    status: 'firing',
    groupKey: 'g',
    groupLabels: { alertname: 'InstanceDown' },
    commonLabels: { alertname: 'InstanceDown' },
    commonAnnotations: {},
    externalURL: '',
    alerts: ['web-1', 'web-2'].map((instance) => ({
      status: 'firing',
      labels: { alertname: 'InstanceDown', instance },
      annotations: {},
      startsAt: new Date(bot.now() - minute).toISOString(),
      endsAt: '0001-01-01T00:00:00Z',
      fingerprint: instance,
      generatorURL: '',
    })),
  };
  await post(path, JSON.stringify(group));
  await bot.until(() => bot.alerts().length === 1, 'the message');
  bot.sim.fault({ ...failsToStart, match: 'POST /vps/{order_id}/restart/' });
  await confirmed(bot, () => bot.say('operator', 'restart web-1'));
  expect(shown(bot)).toMatch(
    /InstanceDown · web-1 · since ‹date›\n {3}‹date› Restart failed: The hypervisor did not answer in time\n.* web-2 · /,
  );
  expect(thread(bot)).toEqual(['Restart web-1 failed: The hypervisor did not answer in time · asked by @operator']);
});

const moments = [
  ['the end of the attempt is stored', /^move \["[^"]+",\["running","reading"\],"failed"/],
  ['the alert is due to be drawn again', /^change \["\w+",\d+,\{"seenAt":\d+\}/],
  ['the message is edited', /^putAlerts \[\{"key":"alert:\w+","/],
  ['the thread says so', /^put \[\{"key":"alert:\w+:tried:/],
] as const;

test.each(moments)('a process that is killed once %s leaves one message and one reply', async (_, counts) => {
  const bot = await offByHand();
  const killer = killAfterWrite(1, counts);
  await bot.crash(killer);
  bot.sim.fault(failsToStart);
  await bot.press('operator', 'Start');
  await bot.until(() => shown(bot).includes('Start: waiting'), 'the request on the alert');
  killer.begin();
  await bot.press('operator', 'Confirm');
  await killer.died;
  await bot.crash();
  await bot.settle();
  await minutes(bot, 2);
  expect(shown(bot)).toContain('\n‹date› Start failed: ');
  expect(thread(bot)).toEqual([expect.stringMatching(/^Start db-1 failed: .* · asked by @operator$/)]);
  expect(await bot.replicas[0]?.store.alerts.undrawn(ops)).toEqual([]);
});
