import { expect } from 'vitest';
import { alertRules } from '../../../src/alerts/all.ts';
import { makeHookAlone, openWatch, subscribe, tidy } from '../../alerts/support.ts';
import { answerTo, formIn, pressAndSettle, requested, sayAndSettle, suggested } from '../../engine/told.ts';
import { people } from '../../support/bot/fake-slack.ts';
import { granting } from '../../support/bot/policy.ts';
import { startTestBot, test } from '../../support/bot/test-bot.ts';

test('the forms of the alerts commands offer the rules, those that are on, and the hooks', async ({ bot }) => {
  await subscribe(bot, { power: {}, zone: {} });
  await makeHookAlone(bot, 'grafana');
  const offered = async (user: string, line: string, text = '') => {
    const form = formIn(await bot.open(user, { line }));
    const [field] = form.fields;
    if (field?.widget !== 'search') throw new Error('nothing to search');
    return (await suggested(bot, user, form, field.source, text)).map(({ label }) => label);
  };
  expect(await offered('operator', 'alerts on')).toEqual(['all', ...alertRules.map(({ name }) => name)]);
  expect(await offered('operator', 'alerts on', 'expires')).toEqual(['expiring']);
  expect(await offered('operator', 'alerts off')).toEqual(['all', 'power', 'zone']);
  expect(await offered('admin', 'alerts hook revoke')).toEqual(['grafana']);
  const form = await bot.open('operator', { line: 'alerts on' });
  await bot.submit('operator', form, { rules: ['balance', 'expiring'], on: 'tag:web' });
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.story()).toContain('+ balance: all · at 14, 7, 3 days\n+ expiring: tag:web · at 14, 7, 3, 1 days');

  // A person sees only buttons that they may use.
  await bot.say('reader', 'alerts');
  expect(bot.story().split('\n').at(-1)).toBe('[All rules]');
});

test('each alerts command that is typed gives the expected card and answer', async () => {
  // No order expires so soon: a sweep may come in between.
  const bot = await startTestBot();
  await subscribe(bot, {});
  for (const line of [
    'alerts on expiring power at=7,2 on=tag:web',
    'alerts on expirin',
    'alerts on expiring at=7,2,14 on=tag:web',
    'alerts quiet 22:00-07:00 zone=Europe/Amsterdam',
    'alerts quiet 22:00-07:00 zone=Mars/Base',
    'alerts remind every=4h',
  ]) {
    const cards = bot.posted.length;
    await bot.say('operator', line);
    if (bot.posted.slice(cards).some((message) => message.key.startsWith('card:'))) {
      await pressAndSettle(bot, 'operator', 'Confirm');
    }
  }
  await bot.say('reader', 'alerts on power');
  await bot.say('operator', 'alerts');
  await sayAndSettle(bot, 'operator', 'alerts test power');
  await bot.press('operator', "I'm on it");
  const story = tidy(bot.story());
  for (const said of [
    '(only @operator) 7,2 are no thresholds for power. This rule has none: leave them out.\n[Open the form]',
    '(only @operator) There is no alert rule expirin. Did you mean expiring?',
    '## ✅ Turn on alerts: expiring  [done in ‹time›]\n+ expiring: tag:web · at 14, 7, 2 days\n✓ This channel hears of them',
    '− no quiet hours\n+ quiet hours: 22:00–07:00 Europe/Amsterdam, except for what is critical\n✓ The quiet hours are set.',
    '(only @operator) Mars/Base is not a known time zone. Write it like Europe/Amsterdam.',
    '− no reminders\n+ reminders: every 4 h\n✓ Set.\n· Asked and confirmed by @operator',
    '(only @reader) You may not use /host alerts on here: you need “operate”; you have “read”. /host why alerts on explains',
    'expiring: tag:web · at 14, 7, 2 days\nquiet hours: 22:00–07:00 Europe/Amsterdam, except for what is critical\nreminders',
    '[Subscribe…]\n[More ▾ [Unsubscribe…] [Quiet hours…] [Reminders…] [All rules] [Digest…] [Sample…]]',
    '(only @operator) ## 🔴 web-1 is off  [a sample]\nexample.com and www.example.com point to it\n· This is what power looks',
    '(only @operator) This is a sample: there is nothing to do.',
  ])
    expect(story).toContain(said);
});

test('the card of alerts names what is open and on, and hooks only for admins; rules are a table of one line each', async () => {
  const bot = await requested('alerts on power', { config: { publicUrl: 'https://bot.example.com' } });
  await pressAndSettle(bot, 'operator', 'Confirm', { first: true });
  await sayAndSettle(bot, 'admin', 'alerts hook add alertmanager prometheus');
  await pressAndSettle(bot, 'admin', 'Confirm', { first: true });
  const own = await answerTo(bot, 'operator', 'alerts');
  expect(own).toContain('1 alert is on.');
  expect(own).toContain('no quiet hours');
  expect(own).not.toContain('prometheus');
  expect(await answerTo(bot, 'admin', 'alerts')).toContain('hooks: prometheus');
  const rules = (await answerTo(bot, 'operator', 'alerts rules')).split('\n').filter((line) => line.includes(' │ '));
  expect(rules[0]).toContain('Rule │ Alert │ Fires when');
  expect(rules.filter((line) => line.includes('power │ '))).toHaveLength(1);
});

test('lists, the menu and Home show and count an alert only to people with the right that its rule needs', async () => {
  const policy = granting({
    [`user:${people.operator}`]: 'read billing operate',
    [`user:${people.reader}`]: 'read',
    [`user:${people.lead}`]: 'read on order:34-12345',
  });
  const rules = { 'order-status': { on: ['order:34-12399'] }, balance: { at: [10_000] } };
  const bot = await openWatch(rules, { policy });
  bot.sim.order({ order: '34-12399', status: 'blocked' });
  await bot.sweep();
  expect(await bot.store.alerts.countOpen()).toBe(2);
  const shown = async (person: string) => {
    const before = bot.posted.length;
    for (const line of ['alerts', 'alerts list']) await bot.say(person, line);
    const home = await bot.replicas[0]?.engine.home(people[person] ?? '');
    return [JSON.stringify(bot.posted.slice(before)), JSON.stringify(home)];
  };
  for (const text of await shown('operator')) expect(text).toMatch(/web-2.*Balance covers|Balance covers.*web-2/);
  for (const text of await shown('reader')) {
    expect(text).toContain('web-2');
    expect(text).not.toContain('Balance covers');
  }
  const menu = async (person: string) => {
    await bot.say(person, '');
    return JSON.stringify(bot.posted.at(-1));
  };
  expect(await menu('operator')).toContain('2 open alerts');
  expect(await menu('reader')).toMatch(/ 1 open alert(?!s)/);
  expect(await menu('lead')).not.toContain('open alert');
  const [answers, home] = await shown('lead');
  expect(answers).toContain('nothing is open');
  expect(answers).toContain('Nothing is open here.');
  expect(home).not.toContain('Open alerts');
});
