import { expect, it } from 'vitest';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { formOf, startTestBot, type TestBot } from '../../support/test-bot.ts';
import { readView } from '../../support/view-text.ts';

const directly = (user: string) => ({ place: { channel: `D${people[user]}`, kind: 'dm' } }) as const;

/** The last message of the bot in the direct messages of this person. */
function told(bot: TestBot, user: string): string {
  const message = bot.posted.findLast(({ channel }) => channel === `D${people[user]}`);
  return message === undefined ? '' : readView(message.view, bot.nameOf);
}

const only = (can: Policy['grants'][number]['can'], on: string[]): Policy => ({
  ...usualPolicy(opsGroup),
  grants: [{ to: ['everyone'], can, on }],
});

/** Two channels, each with a right on one server, and one server that both channels may operate. */
async function withTwoChannels() {
  const bot = await startTestBot({ policy: only(['read', 'operate'], ['order:34-12345', 'order:34-12407']) });
  bot.channels.set('C0DEV', {
    id: 'C0DEV',
    name: 'dev',
    isPrivate: true,
    isShared: false,
    isArchived: false,
    hasBot: true,
  });
  await bot.savePolicy('C0DEV', only(['read', 'operate'], ['order:34-12399', 'order:34-12407']));
  return bot;
}

it('in a direct message a person reads what the grants of all their channels allow, and nothing else', async () => {
  const bot = await withTwoChannels();
  await bot.say('operator', 'list', directly('operator'));
  expect(told(bot, 'operator')).toMatch(/web-1[\s\S]*web-2[\s\S]*web-3/);
  expect(told(bot, 'operator')).not.toMatch(/db-1|Share here/);
  await bot.say('operator', 'status web-2', directly('operator'));
  expect(told(bot, 'operator')).toContain('## web-2');
  await bot.say('operator', 'status db-1', directly('operator'));
  expect(told(bot, 'operator')).not.toContain('## db-1');
});

it('in a direct message a change is made under the one channel that allows it', async () => {
  const bot = await withTwoChannels();
  await bot.say('operator', 'restart web-2', directly('operator'));
  await bot.until(() => bot.posted.some(({ key, channel }) => key.startsWith('card:') && channel === 'C0DEV'));
  expect(told(bot, 'operator')).toMatch(/^Requested in #dev: Restart web-2\. The rules of that channel decide\./);
});

it('in a direct message a person chooses among the channels that allow a change, and no other channel can be chosen', async () => {
  const bot = await withTwoChannels();
  // As an action on Home types it: people read the name.
  await bot.say('operator', 'restart 34-12407 because of a leak', directly('operator'));
  expect(told(bot, 'operator')).toContain('/host restart web-3 because a leak · Several of your channels allow this.');
  expect(told(bot, 'operator')).toMatch(/(\[#ops\] \[#dev\]|\[#dev\] \[#ops\])$/);
  expect(bot.posted.filter(({ key }) => key.startsWith('card:'))).toEqual([]);
  await bot.click('operator', bot.findButton('#dev').button, directly('operator'));
  await bot.until(() => bot.posted.some(({ key, channel }) => key.startsWith('card:') && channel === 'C0DEV'));
  // Naming a channel that does not allow the change has no effect.
  const intent = { do: 'run', line: 'restart web-1', in: 'C0DEV' } as const;
  await bot.click('operator', { label: '', intent }, directly('operator'));
  expect(told(bot, 'operator')).toMatch(/^None of your channels lets you use \/host restart on this\./);
  expect(bot.posted.filter(({ key }) => key.startsWith('card:'))).toHaveLength(1);
});

it('in a channel a chosen other channel is ignored: the rules of the channel itself decide', async () => {
  const bot = await withTwoChannels();
  await bot.click('operator', { label: '', intent: { do: 'run', line: 'restart web-2', in: 'C0DEV' } });
  expect(bot.transcript()).toMatch(/You may not use/);
  expect(bot.posted.filter(({ key }) => key.startsWith('card:'))).toEqual([]);
});

it('in a direct message the menu, help, forms and searches offer what all channels of the person allow', async () => {
  const bot = await withTwoChannels();
  await bot.say('operator', '', directly('operator'));
  expect(told(bot, 'operator')).not.toContain('You have no rights here yet');
  expect(told(bot, 'operator')).toContain('restart');
  await bot.say('operator', 'help', directly('operator'));
  expect(told(bot, 'operator')).toContain('restart');
  expect(told(bot, 'operator')).not.toContain('reinstall ');
  const accepted = bot.replicas[0]?.engine.accept(
    {
      id: 'form-in-dm',
      actor: people.operator ?? '',
      ...directly('operator'),
      at: bot.now(),
      ask: { kind: 'intent', intent: { do: 'form', line: 'restart' } },
    },
    'wanted',
  );
  if (accepted?.acknowledge !== 'with-form') throw new Error('no form');
  const answer = await accepted.run();
  if (!('form' in answer)) throw new Error('no form');
  const found = await bot.replicas[0]?.engine.suggest({
    actor: people.operator ?? '',
    form: answer.form.id,
    source: 'servers',
    text: 'web',
  });
  expect(found?.map(({ value }) => value).toSorted()).toEqual(
    ['34-12345', '34-12399', '34-12407', 'tag:web'].toSorted(),
  );
  expect(await bot.submit('operator', answer.form, { servers: ['34-12399'] })).toEqual({ kind: 'accepted' });
  await bot.until(() => bot.posted.some(({ key, channel }) => key.startsWith('card:') && channel === 'C0DEV'));
});

it.each(['approve it', 'requests', 'what is waiting'])(
  'in a direct message %s lists what waits for this person, with buttons',
  async (line) => {
    const bot = await startTestBot();
    await bot.say('lead', line, directly('lead'));
    expect(told(bot, 'lead')).toContain('There are no requests here.');
    await bot.say('operator', 'hard-reset db-1');
    await bot.say('operator', 'restart web-1');
    await bot.say('lead', line, directly('lead'));
    expect(told(bot, 'lead')).toContain('1 request waits for you.');
    expect(told(bot, 'lead')).toContain('[Review Hard reset db-1…]');
    expect(told(bot, 'lead')).not.toContain('web-1');
    // Other people may not decide the request, and do not see it.
    await bot.say('reader', line, directly('reader'));
    expect(told(bot, 'reader')).toContain('There are no requests here.');
  },
);

it('where Slack does not say who is in which channel, nobody reads that no channel lets them', async () => {
  const bot = await withTwoChannels();
  await bot.say('operator', 'restart web-1');
  const [request] = await bot.store.operations.list({ limit: 1 });
  const opened = await bot.shortcut('operator', { kind: 'ask' });
  if (opened === undefined || !('form' in opened)) throw new Error('no form');
  const { isInChannel } = bot.directory;
  Object.assign(bot.directory, {
    isInChannel: async () => {
      throw new Error('ratelimited');
    },
  });
  const unsaid = 'Slack did not say who is in which channel';
  for (const line of ['status web-1', 'restart web-1']) {
    await bot.say('operator', line, directly('operator'));
    expect(told(bot, 'operator')).toContain(
      `${unsaid}, so it is not known whether you may use /host ${line.split(' ')[0]} on this. Nothing was done. Try again in a minute.`,
    );
    expect(told(bot, 'operator')).toContain('[Try again]');
  }
  expect(readView(await homeOf(bot), bot.nameOf)).toContain(`${unsaid}, so this may be incomplete.`);
  expect(readView(await homeOf(bot), bot.nameOf)).not.toContain('No channel that you are in has a policy yet');
  expect(await bot.shortcut('operator', { kind: 'ask' })).toMatchObject({
    view: { summary: `${unsaid}, so no channel can be offered.` },
  });
  expect(await bot.submit('operator', opened.form, { line: 'restart web-2', channel: ops })).toEqual({
    kind: 'errors',
    errors: { channel: 'Slack did not say whether you are in this channel. Send it again in a minute.' },
  });
  const review = { label: 'x', intent: { do: 'review', operation: request?.id ?? '' } } as const;
  const seen = await bot.replicas[0]?.engine.accept(
    {
      id: 'review1',
      actor: people.lead ?? '',
      place: { channel: ops, kind: 'channel' },
      at: bot.now(),
      ask: { kind: 'intent', intent: review.intent },
    },
    'wanted',
  );
  if (seen === undefined) throw new Error('no engine');
  expect(await formOf(seen)).toMatchObject({
    view: { summary: 'Slack did not say whether you may see this request.' },
  });
  Object.assign(bot.directory, { isInChannel });
  await bot.say('reader', 'cancel web-1', directly('reader'));
  expect(told(bot, 'reader')).toContain('None of your channels lets you use /host cancel on this.');
});

const homeOf = async (bot: TestBot) => {
  const engine = bot.replicas[0]?.engine;
  if (engine === undefined) throw new Error('no engine');
  return engine.home(people.operator ?? '');
};
