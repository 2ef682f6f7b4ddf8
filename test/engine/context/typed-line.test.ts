import { expect, test } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { emptyAccount } from '../../../src/core/account/account.ts';
import type { Policy } from '../../../src/core/policy/policy.ts';
import { readLine, withDomains } from '../../../src/engine/context/typed-line.ts';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { answerTo, pressAndSettle, requested, sayAndSettle } from '../told.ts';

// Lines as people type them, through the whole engine: the answer says how it was read, and approvers see the reason.

test('the reason is on the card, and on the new card when something changed', async () => {
  const bot = await requested('please hard-reset the server web-1 because no ping since 4:20');
  expect(bot.transcript()).toContain('“no ping since 4:20” — ');
  bot.sim.power({ order: '34-12345', state: 'off' });
  await pressAndSettle(bot, 'lead', 'Approve');
  const cards = bot.transcript().split('## Hard reset web-1');
  expect(cards.at(-1)).toContain('Needs 1 of');
  expect(cards.at(-1)).toContain('“no ping since 4:20” — ');
});

test('a line typed with a synonym is answered or leads to its card, which says how it was read', async () => {
  const bot = await requested('show https://www.example.com/');
  expect(bot.story()).toContain('## web-1');
  expect(bot.story()).toContain(
    'Took “show https://www.example.com/” as status web-1. www.example.com points to web-1 (192.0.2.10).',
  );
  expect(await answerTo(bot, 'operator', 'reboot web1')).toContain('## ⏳ Restart web-1');
  expect(bot.transcript()).toContain('Took “reboot web1” as Restart web-1.');
  expect(bot.writes()).toEqual([]);
});

test('the card of a sentence names the words that it leaves out', async () => {
  const bot = await requested('nginx hangs, so a restart of web-2 is needed');
  expect(bot.transcript()).toContain('Left out: “nginx hangs”.');
  expect(bot.writes()).toEqual([]);
});

test.each(['boot staging-1', 'start staging1', 'staging-1 start'])(
  'where the rule asks for no confirmation, the line %s waits for one, because it was read as something else',
  async (line) => {
    const usual = usualPolicy(opsGroup);
    const policy = { ...usual, rules: { ...usual.rules, routine: 'none' } as const };
    const bot = await requested(line, { policy });
    expect(bot.transcript()).toContain('## ⏳ Start staging-1');
    expect(bot.transcript()).toContain(`Took “${line}” as Start staging-1.`);
    expect(bot.writes()).toEqual([]);
    await bot.press('operator', 'Withdraw');
    await sayAndSettle(bot, 'operator', 'start staging-1');
    expect(bot.writes()).toHaveLength(1);
  },
);

test('the rights are those of the command that was taken, and a name that may not be read is not taken', async () => {
  const usual = usualPolicy(opsGroup);
  const policy = { ...usual, grants: [{ to: ['everyone'], can: ['read', 'operate'], on: ['tag:web'] }] } as Policy;
  const bot = await startTestBot({ policy });
  expect(await answerTo(bot, 'reader', 'reboot db1')).toContain('There is no server called db1.');
  expect(await answerTo(bot, 'reader', 'reboot db-1')).toContain('You may not use /host restart');
  expect(await openOperations(bot.store)).toEqual([]);
});

test('a name in a domain is split on the form of a process that has just started', async () => {
  const bot = await requested('dns domains');
  const form = await bot.open('operator', { line: 'dns add www.example.com A 192.0.2.77' });
  expect(form).toMatchObject({
    title: 'Add a DNS record',
    fields: [
      { name: 'domain', initial: [{ value: 'example.com' }] },
      { name: 'host', initial: 'www' },
      { name: 'type', initial: 'A' },
      { name: 'value', initial: '192.0.2.77' },
      { name: 'ttl' },
      { name: '@when' },
      { name: '@reason' },
    ],
  });
});

test('a name is split by a domain that was added since the last read', async () => {
  const domain = { name: 'fresh.example', tags: [], records: [] };
  const accountReader = {
    peek: () => emptyAccount,
    read: async () => {
      accountReader.peek = () => ({ ...emptyAccount, domains: [domain] });
      return accountReader.peek();
    },
    recall: () => undefined,
    invalidate: () => undefined,
  };
  const settings = { knownSecrets: [] };
  const context = { commands: await loadCommands(), accountReader, settings };
  const { parsed } = await withDomains(context, readLine(context, 'dns add www.fresh.example A 192.0.2.11'));
  expect(parsed).toMatchObject({ raw: { domain: ['fresh.example'], host: ['www'] } });
});

test('a name of a domain and of an order is asked about, and the former name means the domain', async () => {
  const bot = await requested('tag example.com +eu because the office moved');
  expect(bot.transcript()).toContain('example.com is a domain and an order. Which one do you mean?');
  await bot.press('operator', 'Order 375-13');
  expect(bot.story()).toContain('+ example.com  eu');
  expect(bot.story()).toContain('“the office moved” — ');
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(await answerTo(bot, 'operator', 'dns tag example.com -prod')).toContain('Took “dns tag example.com -prod” as');
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.writes()).toEqual(['PATCH /orders/375-13/', 'PUT /dns/domain/example.com/tags/']);
});

test('the button for a record that has another value gives it the typed one', async () => {
  const bot = await requested('dns edit www.example.com A to 192.0.2.11 ttl=1h because we move');
  await bot.press('operator', 'www A 192.0.2.10 → 192.0.2.11');
  expect(bot.story()).toContain('+ www  A  192.0.2.11  ttl 3600');
  expect(bot.story()).toContain('“we move” — ');
});

test('a typed "everything" asks which servers are meant, with their number; the button of a tag makes a card', async () => {
  const bot = await requested('stop everything');
  expect(bot.story()).toContain('That is all 12 servers. Which ones?');
  await bot.press('operator', 'tag:web (3)');
  expect(bot.story()).toContain('Stop web-1, web-2 and web-3');
  expect(bot.writes()).toEqual([]);
});

test('the end of a freeze is read in the person’s time zone, and is on its card', async () => {
  const bot = await requested('freeze tag:prod until tomorrow 9am because of audit');
  const [freeze] = await bot.store.freezes.active(bot.now());
  const until = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Amsterdam', timeStyle: 'short' });
  expect(until.format(freeze?.until ?? 0)).toBe('09:00');
  expect(freeze?.reason).toBe('audit');
  expect(bot.story()).toMatch(/\naudit · until \S+/);
});
