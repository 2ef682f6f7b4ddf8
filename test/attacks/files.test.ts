import { expect } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { parse } from '../../src/core/grammar/parse.ts';
import { Refusal } from '../../src/core/view/errors.ts';
import { connected } from '../slack/support.ts';
import { people } from '../support/bot/fake-slack.ts';
import { openCommandRunner, zoneFile } from '../support/bot/run-command.ts';
import { test } from '../support/bot/test-bot.ts';

// The bot's token reads the files of every conversation of the bot, and people must not reach them through it.

const commands = await loadCommands();
const taking = commands.filter((command) => Object.values(command.args).some(({ widget }) => widget === 'file'));

const lines = taking.flatMap(({ path }) => [`${path} x file=F0000000001`, `${path} x --file F0000000001`]);
test.each(lines)('the id of a file of a private channel is refused when it is typed: %s', (line) => {
  const parsed = parse(line, commands);
  expect(parsed).toMatchObject({ kind: 'problem', refusal: { field: 'file' } });
  expect(parsed.kind === 'problem' && parsed.refusal.suggestions).toMatchObject([{ isForm: true }]);
});

test('the id of a file is no argument without its name either, and no file is read', async ({ bot }) => {
  const read: string[] = [];
  const file = async (id: string) => {
    read.push(id);
    throw new Error('not yours');
  };
  Object.assign(bot.directory, { file });
  await bot.say('operator', 'project logo Website F0000000001');
  await bot.say('operator', 'dns apply example.org F0000000001');
  await bot.say('operator', 'dns apply example.org file=F0000000001');
  expect(read).toEqual([]);
  expect(bot.transcript()).toContain('file cannot be typed: upload it in the form.');
  expect(bot.writes()).toEqual([]);
});

test('the file of a form is read for the person who sent the form', async ({ bot }) => {
  const read: string[] = [];
  const { file } = bot.directory;
  const noted = async (id: string, uploader: string) => {
    read.push(`${id} for ${uploader}`);
    return file(id, uploader);
  };
  Object.assign(bot.directory, { file: noted });
  const form = await bot.open('operator', { line: 'project logo Website' });
  await bot.submit('operator', form, { project: ['1'], file: ['F0000000001'] });
  expect(read).toEqual([`F0000000001 for ${people.operator}`]);
});

test('the id of a file that somebody else uploaded is sent in a form: Slack names the uploader, and the file is not read', async () => {
  const { slack, side } = await connected();
  const id = slack.sim.upload('operator', '#ops-private', 'zone.txt', 'hunter2');
  await expect(side.directory.file(id, 'U0READER01')).rejects.toThrow('somebody else uploaded it');
});

const secret = 'hunter2hunter2';
test.each([
  ['a type', `www 300 IN ${secret} 192.0.2.1`, 'line 1: its type cannot be used'],
  ['a value', `www 300 A ${secret}`, 'line 1: its value cannot be used'],
  ['a name', `${secret}. A 192.0.2.1`, 'line 1: its name cannot be used'],
  ['a directive', `$INCLUDE ${secret}`, 'line 1: its directive cannot be used'],
  ['a quote', `www TXT "${secret}`, 'line 1: its quotes cannot be used'],
  ['a CNAME beside another', `www CNAME ${secret}.example.net.\nwww A 192.0.2.1`, 'line 1: its CNAME cannot be used'],
  ['a CNAME of the domain itself', `@ CNAME ${secret}.example.net.`, 'line 1: its CNAME cannot be used'],
])('a zone file with an error is refused without quoting a word of it: %s', async (_, text, words) => {
  const runner = await openCommandRunner({ commands, ...zoneFile(text) });
  const refusal = await runner.refusalOf('dns apply example.com --keep');
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal.message).toContain(words);
  expect(`${refusal.message} ${refusal.hint}`).not.toContain(secret);
});
