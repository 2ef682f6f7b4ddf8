import { expect, it } from 'vitest';
import type { Form } from '../../../src/core/view/form.ts';
import { intentOfFound } from '../../../src/core/view/intent.ts';
import type { View } from '../../../src/core/view/view.ts';
import type { Place } from '../../../src/engine/context/request.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { readerOf } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';
import { homeOf, idOf, sayAndSettle, wordsOf } from '../told.ts';

// One field over everything: on Home, in the menu, and in the dialog of the shortcut.

const inOps: Place = { channel: ops, kind: 'channel' };
const onHome: Place = { channel: '', kind: 'home' };

async function started(options: TestBotOptions = {}) {
  const bot = await startTestBot(options);
  await homeOf(bot, 'operator');
  const find = async (user: string, text: string, place: Place = inOps) => {
    const query = { actor: idOf(user), form: '', source: '', text, everythingAt: place };
    return (await bot.replicas[0]?.engine.suggest(query)) ?? [];
  };
  const open = (user: string, value = '', place: Place = inOps) =>
    bot.open(user, { intent: intentOfFound(value) }, place);
  return { bot, find, open };
}

const shown = (answer: Form | View, bot: TestBot) =>
  wordsOf(bot, 'parts' in answer ? answer : { summary: '', parts: answer.about ?? [] });

it('the search finds servers, other orders, domains and requests by a part of a name, and opens a request to decide', async () => {
  const { bot, find, open } = await started();
  await sayAndSettle(bot, 'operator', 'hard-reset web-1');
  const all = await find('operator', '');
  expect(new Set(all.map(({ description = '' }) => description.split(' · ')[0]))).toEqual(
    new Set(['Server', 'Dedicated server', 'Order', 'Domain', 'Request']),
  );
  expect((await find('operator', 'WEB-1')).map(({ label, description }) => [label, description])).toEqual([
    ['web-1', 'Server · 192.0.2.10'],
    ['Hard reset web-1', 'Request · ⏳ needs 1 approval'],
  ]);
  expect((await find('operator', '192.0.2.10')).map(({ label }) => label)).toContain('web-1');
  expect((await find('operator', 'example.com')).map(({ label }) => label)).toContain('example.com');
  expect(await find('operator', 'nothing like it')).toEqual([]);
  // Slack drops the whole list for one value that is longer.
  expect(all.every(({ value }) => value.length <= 75)).toBe(true);
  const [request] = await find('lead', 'hard reset');
  const answer = await open('lead', request?.value);
  expect(answer).toMatchObject({ submit: 'Approve' });
  expect(shown(answer, bot)).toContain('web-1');
});

it('the search names nothing that the person may not read in that place', async () => {
  const { bot, find, open } = await started({ policy: readerOf('order:34-12318') });
  for (const place of [inOps, onHome]) {
    expect((await find('reader', '', place)).map(({ label }) => label)).toEqual(['wiki-1']);
    expect(await find('reader', 'web-1', place)).toEqual([]);
    expect(await find('guest', '', place)).toEqual([]);
    expect(shown(await open('reader', 'status 34-12345', place), bot)).not.toContain('192.0.2.10');
  }
});

it('choosing a result opens its card, from Home as from a channel, and a line that changes something is refused', async () => {
  const { bot, find, open } = await started();
  const [server] = await find('operator', 'web-1');
  const [domain] = await find('operator', 'example.com');
  for (const place of [inOps, onHome]) {
    expect(shown(await open('operator', server?.value, place), bot)).toMatch(
      /^## web-1 .*on[\s\S]*192\.0\.2\.10 · CPU/,
    );
    expect(shown(await open('operator', domain?.value, place), bot)).toContain('www');
  }
  expect(bot.posted).toEqual([]);
  const rows = await bot.store.audit.list({ kind: 'answered', limit: 10 });
  expect(rows.map(({ data }) => JSON.stringify(data))).toContainEqual(expect.stringContaining('status 34-12345'));
  expect(shown(await open('operator', 'restart 34-12345'), bot)).toContain('Only a read can be opened here.');
  expect(bot.writes()).toEqual([]);
});
