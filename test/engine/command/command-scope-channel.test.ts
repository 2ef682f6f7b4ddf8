import { expect } from 'vitest';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { homeOf, messagesOf, setChannel, suggested, wordsOf } from '../told.ts';

const directly = (user: string) => ({ place: { channel: `D${people[user]}`, kind: 'dm' } }) as const;

/** The last message of the bot in the direct messages of this person. */
const told = (bot: TestBot, user: string) =>
  wordsOf(bot, bot.posted.findLast(({ channel }) => channel === `D${people[user]}`)?.view);
const cardIn = (bot: TestBot, channel: string) => messagesOf(bot, 'card').some((card) => card.channel === channel);

const only = (can: Policy['grants'][number]['can'], on: string[]): Policy => ({
  ...usualPolicy(opsGroup),
  grants: [{ to: ['everyone'], can, on }],
});

/** Two channels, each with a right on one server, and one server that both channels may operate. */
async function withTwoChannels() {
  const bot = await startTestBot({ policy: only(['read', 'operate'], ['order:34-12345', 'order:34-12407']) });
  setChannel(bot, { name: 'dev' }, 'C0DEV');
  await bot.savePolicy('C0DEV', only(['read', 'operate'], ['order:34-12399', 'order:34-12407']));
  return bot;
}

test('in a direct message a person reads what the grants of all their channels allow, and nothing else', async () => {
  const bot = await withTwoChannels();
  await bot.say('operator', 'list', directly('operator'));
  expect(told(bot, 'operator')).toMatch(/web-1[\s\S]*web-2[\s\S]*web-3/);
  expect(told(bot, 'operator')).not.toMatch(/db-1|Share here/);
  await bot.say('operator', 'status web-2', directly('operator'));
  expect(told(bot, 'operator')).toContain('## web-2');
  await bot.say('operator', 'status db-1', directly('operator'));
  expect(told(bot, 'operator')).not.toContain('## db-1');
});

test('in a direct message a change is made under the one channel that allows it', async () => {
  const bot = await withTwoChannels();
  await bot.say('operator', 'restart web-2', directly('operator'));
  await bot.until(() => cardIn(bot, 'C0DEV'));
  expect(told(bot, 'operator')).toMatch(/^Requested in #dev: Restart web-2\. The rules of that channel decide\./);
});

test('in a direct message a person chooses among the channels that allow a change, and no other channel can be chosen', async () => {
  const bot = await withTwoChannels();
  // As an action on Home types it: people read the name.
  await bot.say('operator', 'restart 34-12407 because of a leak', directly('operator'));
  expect(told(bot, 'operator')).toContain('/host restart web-3 because a leak · Several of your channels allow this.');
  expect(told(bot, 'operator')).toMatch(/(\[#ops\] \[#dev\]|\[#dev\] \[#ops\])$/);
  expect(messagesOf(bot, 'card')).toEqual([]);
  await bot.click('operator', bot.findButton('#dev').button, directly('operator'));
  await bot.until(() => cardIn(bot, 'C0DEV'));
  // Naming a channel that does not allow the change has no effect.
  const intent = { do: 'run', line: 'restart web-1', in: 'C0DEV' } as const;
  await bot.click('operator', { label: '', intent }, directly('operator'));
  expect(told(bot, 'operator')).toMatch(/^None of your channels lets you use \/host restart on this\./);
  expect(messagesOf(bot, 'card')).toHaveLength(1);
});

test('in a channel a chosen other channel is ignored: the rules of the channel itself decide', async () => {
  const bot = await withTwoChannels();
  await bot.click('operator', { label: '', intent: { do: 'run', line: 'restart web-2', in: 'C0DEV' } });
  expect(bot.transcript()).toMatch(/You may not use/);
  expect(messagesOf(bot, 'card')).toEqual([]);
});

test('in a direct message the menu, help, forms and searches offer what all channels of the person allow', async () => {
  const bot = await withTwoChannels();
  await bot.say('operator', '', directly('operator'));
  expect(told(bot, 'operator')).not.toContain('You have no rights here yet');
  expect(told(bot, 'operator')).toContain('restart');
  await bot.say('operator', 'help', directly('operator'));
  expect(told(bot, 'operator')).toContain('restart');
  expect(told(bot, 'operator')).not.toContain('reinstall ');
  const form = await bot.open('operator', { line: 'restart' }, directly('operator').place);
  const found = (await suggested(bot, 'operator', form, 'servers', 'web')).map(({ value }) => value);
  expect(found.toSorted()).toEqual(['34-12345', '34-12399', '34-12407', 'tag:web']);
  expect(await bot.submit('operator', form, { servers: ['34-12399'] })).toEqual({ kind: 'accepted' });
  await bot.until(() => cardIn(bot, 'C0DEV'));
});

test('in a direct message each wording lists what waits for this person, with buttons', async ({ bot }) => {
  const lines = ['approve it', 'requests', 'what is waiting'];
  const none = 'There are no requests here.';
  for (const line of lines) {
    await bot.say('lead', line, directly('lead'));
    expect(told(bot, 'lead'), line).toContain(none);
  }
  await bot.say('operator', 'hard-reset db-1');
  await bot.say('operator', 'restart web-1');
  for (const line of lines) {
    await bot.say('lead', line, directly('lead'));
    expect(told(bot, 'lead'), line).toContain('1 request waits for you.');
    expect(told(bot, 'lead'), line).toContain('[Review Hard reset db-1…]');
    expect(told(bot, 'lead'), line).not.toContain('web-1');
    // Other people may not decide the request, and do not see it.
    await bot.say('reader', line, directly('reader'));
    expect(told(bot, 'reader'), line).toContain(none);
  }
});

test('where Slack does not say who is in which channel, nobody reads that no channel lets them', async () => {
  const bot = await withTwoChannels();
  await bot.say('operator', 'restart web-1');
  const [request] = await bot.store.operations.list({ limit: 1 });
  const opened = await bot.shortcut('operator', { kind: 'ask' });
  if (opened === undefined || !('form' in opened)) throw new Error('no form');
  const { isInChannel } = bot.directory;
  Object.assign(bot.directory, { isInChannel: () => Promise.reject(new Error('ratelimited')) });
  const unsaid = 'Slack did not say who is in which channel';
  for (const line of ['status web-1', 'restart web-1']) {
    await bot.say('operator', line, directly('operator'));
    expect(told(bot, 'operator')).toContain(
      `${unsaid}, so it is not known whether you may use /host ${line.split(' ')[0]} on this. Nothing was done. Try again in a minute.`,
    );
    expect(told(bot, 'operator')).toContain('[Try again]');
  }
  expect(await homeOf(bot, 'operator')).toContain(`${unsaid}, so this may be incomplete.`);
  expect(await homeOf(bot, 'operator')).not.toContain('No channel that you are in has a policy yet');
  expect(await bot.shortcut('operator', { kind: 'ask' })).toMatchObject({
    view: { summary: `${unsaid}, so no channel can be offered.` },
  });
  expect(await bot.submit('operator', opened.form, { line: 'restart web-2', channel: ops })).toEqual({
    kind: 'errors',
    errors: { channel: 'Slack did not say whether you are in this channel. Send it again in a minute.' },
  });
  expect(await bot.open('lead', { intent: { do: 'review', operation: request?.id ?? '' } })).toMatchObject({
    summary: 'Slack did not say whether you may see this request.',
  });
  Object.assign(bot.directory, { isInChannel });
  await bot.say('reader', 'cancel web-1', directly('reader'));
  expect(told(bot, 'reader')).toContain('None of your channels lets you use /host cancel on this.');
});

test('a command about a channel is refused in a direct message', async ({ bot }) => {
  const place = { channel: 'D0OPERATOR', kind: 'dm' } as const;
  await bot.say('operator', 'freeze here "lunch"', { place });
  await bot.say('admin', 'access solo --on', { place });
  expect(bot.transcript('D0OPERATOR')).toContain('freeze is about a channel. Type it in the channel that you mean.');
  expect(bot.transcript('D0OPERATOR')).toContain('access solo is about a channel.');
  expect(await bot.store.freezes.active(bot.now())).toEqual([]);
});
