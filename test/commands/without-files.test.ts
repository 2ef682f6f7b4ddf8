import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { possibleWith } from '../../src/commands/without-files.ts';
import { neededScopes, optionalScopes } from '../../src/slack/web.ts';
import { commandTable } from '../docs/command-table.ts';
import { startTestBot } from '../support/bot/test-bot.ts';

const all = await loadCommands();

test('without the scope files:read, the logo of a project is in no list, and its line says what is missing', async () => {
  const commands = possibleWith(all, neededScopes);
  const bot = await startTestBot({ process: { commands } });
  for (const line of ['', 'help', 'help projects']) {
    await bot.say('operator', line);
    expect(bot.transcript(), line).not.toContain('project logo');
  }
  await bot.say('operator', 'project logo Website');
  expect(bot.transcript()).toContain(
    'The bot cannot read files: its Slack app has no scope files:read. An admin of the workspace adds it under OAuth & Permissions, installs the app again, and starts the bot again.',
  );
  expect(commandTable(commands)).not.toContain('project logo');
});

test('with the scope, or where Slack does not say its scopes, every command is as it is written', () => {
  for (const granted of [[...neededScopes, ...optionalScopes], undefined]) expect(possibleWith(all, granted)).toBe(all);
});
