import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { caseReader } from '../../src/cli/policy.ts';
import { usages } from '../../src/cli/usages.ts';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { parse } from '../../src/core/grammar/parse.ts';
import { policyFileSchema, runCases } from '../../src/core/policy/policy-file.ts';
import { settings } from '../../src/settings.ts';
import { between, docTables, metricRows } from './tables.ts';

// Compares the documentation with the code.

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/*.md')].sort();
const read = (file: string) => readFileSync(file, 'utf8');
/** Variables the tests read from the environment, such as a seed. */
const knobsOfTests = globSync('test/**/*.ts').flatMap((file) =>
  [...read(file).matchAll(/process\.env\.(HOSTLER_\w+)/g)].map(([, name = '']) => name),
);
const fences = (text: string, language: string) =>
  [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, , of]) => of === language)
    .map(([, indent = '', , body = '']) => body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
const withoutFences = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
const inlineCode = (text: string) => [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

test.each(docTables)('the table "$name" of $file is generated: npm run docs', async ({ file, name, write }) => {
  expect(between(read(file), name).text).toBe(await write());
});

test.each(pages)('%s links only to files that exist', (page) => {
  const links = [...withoutFences(read(page)).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
  const missing = links.filter((link) => !/^https:/.test(link) && !existsSync(join(dirname(page), link)));
  expect(missing).toEqual([]);
});

test.each(pages)('%s names commands, subcommands and scripts that exist', async (page) => {
  const text = read(page);
  const commands = await loadCommands();
  const lines = [...inlineCode(text), ...fences(text, 'text').flatMap((block) => block.split('\n'))];
  const typed = lines.filter((line) => line.startsWith('/host ') && !line.includes('…') && !/[<[]/.test(line));
  for (const line of typed) expect(parse(line.slice('/host '.length), commands).kind, line).toBe('command');
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));
  for (const [, script = ''] of text.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script);
  for (const [, name = ''] of text.matchAll(/(?:npx |`)hostler (\w+)/g)) expect(Object.keys(usages)).toContain(name);
  // Settings, and nothing that looks like one.
  const named = [...text.matchAll(/\b(?:HOSTLER|SLACK|HOST)_[A-Z_]+\b/g)].map(([name]) => name);
  for (const name of named) expect([...Object.keys(settings), ...knobsOfTests]).toContain(name);
});

describe('the example policies of policies.md', async () => {
  const examples = fences(read('docs/policies.md'), 'yaml');
  const commands = await loadCommands();

  test('policies.md has four example policies', () => expect(examples).toHaveLength(4));

  test.each(examples)('the example policy can be applied, and its test cases hold (%#)', (example) => {
    const file = policyFileSchema.parse(parseYaml(example));
    const results = runCases(file, caseReader(commands), []);
    expect(results.length).toBeGreaterThan(3);
    expect(results.filter((one) => !one.ok).map((one) => one.text)).toEqual([]);
  });
});

test('test/attacks/README.md names a test that exists for each row of attacks.md', () => {
  const lines = read('test/attacks/README.md').split('\n');
  const rows = read('docs/attacks.md')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const named = lines.flatMap((line) => /^- \[(test\/[^\]]+)\]\(\.\.\/\.\.\/\1\) › (.+)$/.exec(line) ?? []);
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(named.length / 3);
  expect(rows.length - 4).toBe(named.length / 3);
  for (let n = 0; n < named.length; n += 3) {
    const [file = '', name = ''] = named.slice(n + 1, n + 3);
    expect(existsSync(file), named[n]).toBe(true);
    const stories = [...read(file).matchAll(/from '(?:\.\.\/)+(stories\/\w+\.ts)'/g)].map(([, story]) =>
      read(`test/${story}`),
    );
    expect([read(file), ...stories].join(), `${file} has no test whose name begins with "${name}"`).toContain(name);
  }
});

test('opinions.md names each dependency', () => {
  const names = z.record(z.string(), z.string());
  const { dependencies, devDependencies } = z
    .object({ dependencies: names, devDependencies: names })
    .parse(JSON.parse(read('package.json')));
  const opinions = read('docs/opinions.md');
  const unnamed = Object.keys({ ...dependencies, ...devDependencies }).filter(
    (name) => !opinions.includes(`**${name}**`),
  );
  expect(unnamed).toEqual([]);
});

describe('the dashboard and the alarms', async () => {
  const names = new Set((await metricRows()).map(({ name }) => name));
  const unknownIn = (text: string) =>
    [...text.matchAll(/\bhostler_\w+/g)]
      .map(([name]) => name)
      .filter((name) => !names.has(name) && !names.has(name.replace(/_(bucket|sum|count)$/, '')));

  test('the dashboard uses all metrics and only metrics that exist', () => {
    const { panels } = z
      .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })) })
      .parse(JSON.parse(read('docs/grafana-dashboard.json')));
    expect(panels.length).toBeGreaterThan(8);
    const asked = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(asked.flatMap(unknownIn)).toEqual([]);
    // The dashboard shows all metrics.
    const shown = asked.join('\n');
    expect([...names].filter((name) => !shown.includes(name))).toEqual([]);
  });

  test('the alarms use metrics that exist, and metrics.md explains each alarm', () => {
    const rule = z.object({ alert: z.string(), expr: z.string(), annotations: z.object({ summary: z.string() }) });
    const { groups } = z
      .object({ groups: z.array(z.object({ rules: z.array(rule) })) })
      .parse(parseYaml(read('docs/prometheus-rules.yml')));
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    const documented = [...read('docs/metrics.md').matchAll(/^\| (Hostler\w+)/gm)].map(([, name]) => name);
    expect(documented).toEqual(rules.map(({ alert }) => alert));
  });
});
