import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { destroys, type RawArgs } from '../../src/core/grammar/command-shape.ts';
import { lineOf, parse } from '../../src/core/grammar/parse.ts';
import { phraseList } from '../../src/core/text/words.ts';
import { table } from '../../src/provider/table.ts';

// Checks what holds for all commands together.

const commands = await loadCommands();

test('every row of the endpoint table is called by a command', async () => {
  const files = await Array.fromAsync(glob('src/commands/**/*.ts'));
  const source = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n');
  const rows = Object.entries(table).flatMap(([area, endpoints]) =>
    Object.keys(endpoints).map((name) => `${area}.${name}`),
  );
  const routes = Object.values(table).flatMap((area) => Object.values(area).map(({ route }) => route));
  expect(new Set(routes).size).toBe(75);
  // Formatting may break a chain over lines; a name in a comment is not followed by a call.
  const flat = source.replace(/\s*\n\s*\./g, '.');
  expect(rows.filter((row) => !new RegExp(`\\b(reader|provider)\\.${row.replace('.', '\\.')}\\b`).test(flat))).toEqual(
    [],
  );
});

test('command paths are unique, and no command is hidden behind the arguments of another', () => {
  const paths = commands.map((command) => command.path);
  expect(new Set(paths).size).toBe(paths.length);
  for (const command of commands) {
    const parsed = parse(command.path, commands);
    expect(parsed.kind === 'command' && parsed.command.path, command.path).toBe(command.path);
  }
});

const cases = commands.map((command) => [command.path, command] as const);
test.each(cases)('the examples of %s are read as that command', (_, command) => {
  // Without arguments, there is only one way to write it.
  if (Object.keys(command.args).length > 0) expect(new Set(command.examples).size).toBe(2);
  for (const example of command.examples) {
    const parsed = parse(example, commands);
    if (parsed.kind === 'problem') throw parsed.refusal;
    expect(parsed).toMatchObject({ kind: 'command', command: { path: command.path } });
    if (parsed.kind !== 'command') continue;
    // A file can only come from the form.
    expect(parsed.missing.filter((name) => command.args[name]?.widget !== 'file')).toEqual([]);
    const again = parse(lineOf(command, parsed.raw), commands);
    if (again.kind !== 'command') throw new Error(`${example}: ${again.kind}`);
    // The words of a time are one value where its name precedes it.
    const joined = (raw: RawArgs) =>
      Object.fromEntries(Object.entries(raw).map(([name, words]) => [name, words.join(' ')]));
    expect(joined(again.raw)).toEqual(joined(parsed.raw));
  }
  expect(command.summary).not.toMatch(/[.!]$/);
  for (const page of command.pages ?? []) for (const name of page) expect(Object.keys(command.args)).toContain(name);
});

test('a field whose search depends on another field is on a later page', () => {
  const dependent = commands.flatMap((command) =>
    Object.entries(command.args).flatMap(([name, { dependsOn }]) =>
      dependsOn === undefined ? [] : [{ command, name, dependsOn }],
    ),
  );
  expect(dependent.length).toBeGreaterThan(2);
  for (const { command, name, dependsOn } of dependent) {
    const pageOf = (wanted: string) => command.pages?.findIndex((page) => page.includes(wanted)) ?? -1;
    expect(pageOf(dependsOn), `${command.path} ${dependsOn}`).toBeGreaterThanOrEqual(0);
    expect(pageOf(name), `${command.path} ${name}`).toBeGreaterThan(pageOf(dependsOn));
    // Otherwise the search would lack the value of the other field.
    expect(command.args[dependsOn]?.optional, `${command.path} ${dependsOn}`).toBe(false);
  }
});

test('a phrase of a command leads to no other change at once, and one of what destroys is only offered', () => {
  const phrases = commands.flatMap((command) =>
    (command.words ?? '').split('|').flatMap((list, part) =>
      // A thing alone is about what it names.
      part === 1 || list.trim() === ''
        ? []
        : phraseList(list).map((phrase) => ({ phrase: phrase.replace(/ =.*$/, ''), command })),
    ),
  );
  expect(phrases.length).toBeGreaterThan(600);
  for (const { phrase } of phrases) {
    const parsed = parse(`${phrase} web-1`, commands);
    if (parsed.kind !== 'command') continue;
    const isNamed = ` ${phrase} `.includes(` ${parsed.command.path} `);
    expect(isNamed || parsed.isTaken === true, phrase).toBe(true);
    expect(isNamed || !destroys(parsed.command), phrase).toBe(true);
  }
});

test('names of arguments are in lower case, so that what is typed in any case finds them', () => {
  const names = commands.flatMap(({ args }) => Object.keys(args));
  expect(names.filter((name) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([]);
});

test('no two arguments of a command share a name or synonym', () => {
  for (const { path, args } of commands) {
    const names = Object.entries(args).flatMap(([name, { label, alsoCalled = [] }]) => [
      ...new Set([name, ...(label === undefined ? [] : [label.toLowerCase().replaceAll(' ', '_')]), ...alsoCalled]),
    ]);
    const repeated = names.filter((name, index) => names.indexOf(name) !== index);
    expect(repeated, path).toEqual([]);
  }
});
