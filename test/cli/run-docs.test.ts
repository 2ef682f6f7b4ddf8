import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { parse } from '../../src/core/grammar/parse.ts';
import { machineOf } from '../support/bot/machine.ts';
import { startTestBot } from '../support/bot/test-bot.ts';

// The examples of docs/machines.md are lines that the bot understands, and answers that it gives.

const page = readFileSync('docs/machines.md', 'utf8');
const fences = (language: string) =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, body = '']) => (of === language ? [body] : []));
const examples = fences('json').map((body) => JSON.parse(body));
const keysOf = (value: object) => Object.keys(value).sort();

test('each line that the page asks is a change that the bot understands', async () => {
  const commands = await loadCommands();
  const asked = [...page.matchAll(/\brun "([^"]+)"/g)].map(([, line = '']) =>
    line.replaceAll(/\$(?:\w+|\{\{.*?\}\})/g, '41'),
  );
  expect(asked.length).toBeGreaterThan(2);
  for (const line of asked)
    expect(parse(line, commands), line).toMatchObject({ kind: 'command', command: { kind: 'action' } });
});

test('the body that the page posts makes the request that it shows, and the answers have the same fields', async () => {
  const bot = await startTestBot();
  const machine = await machineOf(bot);
  const [posted = ''] = /\{"line".*?\}/.exec(fences('sh').join()) ?? [];
  const [read, request, ended, refused] = examples;
  expect(keysOf((await machine.run('status web-2')).body)).toEqual(keysOf(read));
  const made = await machine.call('POST', '/api/run', JSON.parse(posted));
  expect([made.status, keysOf(made.body)]).toEqual([202, keysOf(request)]);
  await bot.press('operator', 'Restart web-1');
  await bot.settle();
  const { body } = await machine.follow(made.body.id);
  expect(keysOf(body.end)).toEqual(keysOf(ended.end));
  expect(body.end.verdict).toBe(ended.end.verdict);
  expect(keysOf((await machine.run('restart web-9')).body)).toEqual(keysOf(refused));
});

test('the examples for CI are YAML, and hold no token', () => {
  const parsed = fences('yaml').map((text) => parseYaml(text));
  expect(parsed).toHaveLength(2);
  expect(page).not.toMatch(/hst_\w/);
});
