import { expect, test } from 'vitest';
import { homeOf, requested, sayAndSettle, suggested } from '../engine/told.ts';
import { people } from '../support/bot/fake-slack.ts';
import { granting } from '../support/bot/policy.ts';
import { startTestBot, type TestBot } from '../support/bot/test-bot.ts';

// A grant for everyone is for the people who are in the channel now. A person who left tries
// each way to a read or a change, also while Slack does not list the members.

const policy = granting({ everyone: 'read operate organize dns' }, { routine: 'none', disruptive: 'none' });
const home = { channel: '', kind: 'home' } as const;

async function menuOf(bot: TestBot) {
  const shown = await bot.shortcut('reader', { kind: 'ask' });
  if (shown === undefined || !('form' in shown)) throw new Error('no form');
  return shown.form;
}

type Act = () => Promise<unknown>;

/** Each prepares something while the person is in the channel, and returns what they do afterwards. */
const ways: Readonly<Record<string, (bot: TestBot) => Promise<Act>>> = {
  'a change that is typed': async (bot) => () => bot.say('reader', 'restart web-1'),
  'a read that is typed': async (bot) => () => bot.say('reader', 'status web-1'),
  'a read with the bot mentioned': async (bot) => () => bot.mention('reader', 'status web-1'),
  'a form that was open': async (bot) => {
    const form = await bot.open('reader', { line: 'restart' });
    return () => bot.submit('reader', form, { servers: ['34-12345'] });
  },
  'the second page of a form that was open': async (bot) => {
    const next = await bot.submit('reader', await menuOf(bot), { channel: 'C0OPS', line: 'restart' });
    if (next.kind !== 'next') throw new Error('no second page');
    return () => bot.submit('reader', next.form, { servers: ['34-12345'] });
  },
  'the shortcut, with the channel chosen': async (bot) => {
    const form = await menuOf(bot);
    return () => bot.submit('reader', form, { channel: 'C0OPS', line: 'restart web-1' });
  },
  'Share here': async (bot) => {
    await bot.say('reader', 'status web-1');
    return () => bot.press('reader', 'Share here');
  },
  Refresh: async (bot) => {
    await bot.say('reader', 'status web-1');
    return () => bot.press('reader', 'Refresh');
  },
  'Undo of their own change': async (bot) => {
    await sayAndSettle(bot, 'reader', 'rename web-1 web-9');
    const { button } = bot.findButton('Undo');
    return () => bot.click('reader', button);
  },
  'the same line in a direct message': async (bot) => () =>
    bot.say('reader', 'restart web-1', { place: { channel: 'D0READER', kind: 'dm' } }),
  'a button of Home': async (bot) => () =>
    bot.click('reader', { label: '', intent: { do: 'run', line: 'restart web-1', in: 'C0OPS' } }, { place: home }),
};

const states: Readonly<Record<string, (bot: TestBot) => void>> = {
  'a person who left the channel': (bot) => void bot.absent.add(people.reader ?? ''),
  'a person of whom Slack does not say whether they are in the channel': (bot) =>
    void Object.assign(bot.directory, { isInChannel: () => Promise.reject(new Error('ratelimited')) }),
};

const tries = Object.keys(states).flatMap((who) => Object.keys(ways).map((way) => [who, way] as const));
test.each(tries)('%s reads and changes nothing by %s', async (who, way) => {
  const bot = await startTestBot({ policy });
  const act = await ways[way]?.(bot);
  states[who]?.(bot);
  const read = () => ['C0OPS', 'D0READER', ''].map((channel) => bot.transcript(channel));
  const [before, writes] = [read(), bot.writes()];
  const operations = await bot.store.operations.list({ limit: 50 });
  const answer = await act?.();
  await bot.settle();
  expect(bot.writes()).toEqual(writes);
  expect(await bot.store.operations.list({ limit: 50 })).toEqual(operations);
  const said = `${read().map((now, at) => now.replace(before[at] ?? '', ''))} ${JSON.stringify(answer ?? '')}`;
  expect(said).toMatch(
    /you are not in|could not say whether you are in|did not say (?:whether|who)|None of your channels/i,
  );
  // The address of the server, which no refusal names.
  expect(said).not.toContain('192.0.2.10');
});

test.each(Object.keys(states))('%s sees nothing of the channel on Home, by a request, or in a search', async (who) => {
  const bot = await requested('restart web-1', { policy: { ...policy, rules: {} } });
  const [asked] = await bot.store.operations.list({ limit: 1 });
  const form = await bot.open('reader', { line: 'status' });
  const look = async () => {
    const offered = await suggested(bot, 'reader', form, 'orders', 'web-1');
    const before = bot.transcript();
    await bot.say('reader', `request ${asked?.id}`);
    return `${JSON.stringify(offered)} ${await homeOf(bot, 'reader')} ${bot.transcript().replace(before, '')}`;
  };
  expect(await look()).toContain('web-1');
  states[who]?.(bot);
  expect(await look()).not.toContain('web-1');
});
