import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/all.ts';
import { actionAt, commandAt } from '../../src/engine/context/engine-context.ts';
import { startTestBot } from '../support/test-bot.ts';

const commands = await loadCommands();

/** The commands of a version in which the action had this name. */
const under = (former: string) => {
  const now = commandAt({ commands }, former);
  return commands.map((command) =>
    command.path === now?.path ? { ...now, path: former, formerly: {} } : command,
  ) as typeof commands;
};

test('each former name of a command leads a stored request or form to the command', () => {
  const former = commands.flatMap((command) => Object.keys(command.formerly ?? {}).map((name) => ({ name, command })));
  expect(former.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['tag add', 'tag remove', 'tag set', 'stop-request', 'dns tag add']),
  );
  for (const { name, command } of former) {
    expect(commandAt({ commands }, name)?.path, name).toBe(command.path);
    if (command.kind === 'action') expect(actionAt({ commands }, { command: name })?.path, name).toBe(command.path);
  }
});

test.each([
  ['tag add', 'tag', 'tag add web-1 blue', 'Tag web-1 with blue'],
  ['tag remove', 'tag', 'tag remove web-1 web', 'web'],
] as const)(
  'a request that waits under the name %s is drawn, found and run by a version that calls it %s',
  async (former, path, line, title) => {
    const bot = await startTestBot({ replicas: 1, version: '1.0.0', commands: under(former) });
    await bot.say('operator', line);
    await bot.until(() => bot.hasButton('Confirm'), 'its card');
    await bot.restart({ version: '1.1.0', commands });
    await bot.say('operator', 'requests waiting');
    expect(bot.story()).toContain(title);
    await bot.press('operator', 'Why this rule?');
    await bot.until(
      () => bot.story().includes(`/host ${path} is routine`) || bot.story().includes('is routine'),
      'why',
    );
    await bot.press('operator', 'Confirm', { first: true });
    await bot.settle();
    expect(bot.writes()).toHaveLength(1);
  },
);
