import { expect } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { fieldsOf } from '../../../src/core/command/command-form.ts';
import { type TestBot, test } from '../../support/bot/test-bot.ts';
import { formIn } from '../told.ts';

const formOf = async (bot: TestBot, who: string, line: string) => formIn(await bot.open(who, { line }));

test('the first line of a form adds to the title, no box is refused, an error names the box', async ({ bot }) => {
  const firstLines: [line: string, notes: string[]][] = [
    ['dns add', []],
    ['rename', []],
    ['dns apply', ['As one plan']],
    ['restart', ['Shut servers down and start them again']],
  ];
  for (const [line, notes] of firstLines) expect((await formOf(bot, 'operator', line)).notes, line).toEqual(notes);
  const rule = await formOf(bot, 'admin', 'access rule');
  expect(rule.fields.map(({ label }) => label)).not.toContain('Everyone in this channel');
  const rename = await formOf(bot, 'operator', 'rename web-1');
  const answer = await bot.submit('operator', rename, { order: ['34-12345'] });
  expect(JSON.stringify(answer)).toContain('choose “Without a name”');
});

test('no form calls optional what it can fill in, a switch or a choice, or writes an option of the typed line', async () => {
  for (const command of await loadCommands()) {
    for (const { say } of command.needs ?? []) expect(say, command.path).not.toContain('--');
    for (const field of fieldsOf(command.args, {}, (_, value) => value)) {
      expect(field.hint ?? '', command.path).not.toMatch(/--\w|`/);
      const isFilledIn = field.widget === 'number' && field.initial !== undefined;
      const canBeFilledIn = isFilledIn || field.widget === 'choice' || field.widget === 'toggle';
      expect(canBeFilledIn && field.optional, `${command.path}: ${field.label}`).toBe(false);
    }
  }
});

test('a choice that may stay open begins with “Not chosen”, which counts as nothing', async ({ bot }) => {
  const form = await formOf(bot, 'operator', 'dns add example.com');
  const ttl = form.fields.find(({ name }) => name === 'ttl');
  expect(ttl).toMatchObject({ initial: '-', options: expect.arrayContaining([{ value: '-', label: 'Not chosen' }]) });
  const values = { domain: 'example.com', host: 'www9', type: 'A', value: '192.0.2.9', each: 'no' };
  expect(await bot.submit('operator', form, { ...values, ttl: '-' })).toEqual({ kind: 'accepted' });
  await bot.until(() => bot.story().includes('www9  A  192.0.2.9  ttl 3600'), 'the card');
});

test('the form of a record has the address of the server that the line names', async ({ bot }) => {
  for (const line of ['dns point www.example.com to web-2', 'dns point www.example.com to web2']) {
    const form = await formOf(bot, 'operator', line);
    const initial = (name: string) => form.fields.find((field) => field.name === name);
    expect(initial('value'), line).toMatchObject({ initial: '192.0.2.11' });
    expect(initial('type'), line).toMatchObject({ initial: 'A' });
  }
});
