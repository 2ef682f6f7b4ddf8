import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { longest } from '../support/suite/longest-first.ts';

/** The layers and the allowed imports of each. A type-only import counts as a dependency, too. */
interface Layer {
  /** Folders of src, besides its own. */
  readonly folders: readonly string[];
  /** Folders of which the layer may import types only. */
  readonly types: readonly string[];
  /** Packages and node modules; a `*` at the end stands for any end of the name. */
  readonly packages: readonly string[];
}

/** The one file that lists its own folder, so that a new command is a new file and nothing else. */
const listing = 'commands/files.ts';

/** The layer that wires everything, as the files directly in src do. */
const wiring = 'cli';

/** The cells of a table of text. */
const rowsOf = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));

const layers: Readonly<Record<string, Layer>> = Object.fromEntries(
  rowsOf(`
    core         |             |              | zod node:crypto
    provider     | core        |              | undici zod node:crypto node:timers/promises
    store        | core        |              | keyv kysely pg zod node:*
    outside      | core        |              | node:crypto node:dgram node:dns node:dns/promises node:http node:https node:net node:os node:tls
    charts       | core        |              | @resvg/resvg-js node:module
    commands     | core charts | provider     | zod
    alerts       | core        | provider     | zod
    engine       | core store  | provider     | zod node:crypto node:timers node:timers/promises
    slack        | core http   | engine       | @slack/* undici zod node:*
    http         | core        | engine store | prom-client zod node:*
  `).map(([name = '', ...cells]) => {
    const [folders = [], types = [], packages = []] = cells.map((cell) => cell.split(' ').filter(Boolean));
    return [name, { folders, types, packages }];
  }),
);

/** The rooms of a layer, and which of the others each may import: every arrow points to an earlier line. */
type Rooms = Readonly<Record<string, readonly string[]>>;

const engineRooms: Rooms = {
  context: [],
  access: ['context'],
  operation: ['context', 'access'],
  time: ['context', 'access', 'operation'],
  approval: ['context', 'access', 'operation', 'time'],
  alerts: ['context', 'access', 'operation'],
  hooks: ['context', 'access', 'operation', 'alerts'],
  run: ['context', 'access', 'operation', 'time', 'approval'],
  zones: ['context'],
  home: ['context', 'access', 'operation'],
  command: ['context', 'access', 'operation', 'time', 'approval', 'alerts', 'zones'],
  form: ['context', 'access', 'approval', 'command'],
  intake: ['context', 'access', 'operation', 'approval', 'alerts', 'command'],
};

const coreRooms: Rooms = {
  async: [],
  text: [],
  time: ['text'],
  view: ['text'],
  account: ['text', 'view'],
  policy: ['text', 'time', 'view', 'account'],
  dns: ['async', 'text', 'view', 'account'],
  probe: ['text', 'account', 'dns'],
  grammar: ['text', 'time', 'view', 'account', 'policy', 'dns'],
  targets: ['text', 'time', 'view', 'account', 'policy', 'dns', 'grammar'],
  plan: ['text', 'time', 'view', 'account', 'policy'],
  alert: ['text', 'view', 'account', 'policy', 'probe'],
  command: ['text', 'time', 'view', 'account', 'policy', 'probe', 'grammar', 'targets', 'plan', 'alert'],
};

const roomsOf: Readonly<Record<string, Rooms>> = { engine: engineRooms, core: coreRooms };

/** The packages that one room of a layer may import besides those of its layer. */
const packagesOfRoom: Readonly<Record<string, readonly string[]>> = {
  'core/time': ['temporal-polyfill'],
  'core/async': ['node:async_hooks'],
  'engine/hooks': ['@modelcontextprotocol/server'],
};

const mostArrowsOfEngine = 44;
const mostFilesOfFolder = 25;

/** From `wake` to `end`: a reader follows the whole room in one sitting. `floors`: files in the longest import chain. */
const mostOfRun = { files: 18, lines: 1_800, arrows: 30, floors: 6 };

/** The sandbox is apart from src: its parts import types of core at most, and only its command line imports the bot. */
const sandboxLayer: Layer = { folders: [], types: ['src/core'], packages: ['zod', 'ws', 'node:*'] };

const mostLines = 300;

interface Import {
  readonly of: string;
  readonly isTypeOnly: boolean;
}

/** Every way a file names another: static, bare, type-only, re-export, dynamic, and `typeof import()`. */
function importsOf(source: string): Import[] {
  const found: Import[] = [];
  const statement =
    /^[ \t]*(import|export)\s(?:\s*(type)\s(?!\s*from\s+['"]))?[^;'"`=()]*?\bfrom\s*(['"])([^'"\n]+)\3/gm;
  for (const [, , type, , of = ''] of source.matchAll(statement)) found.push({ of, isTypeOnly: type !== undefined });
  for (const [, of = ''] of source.matchAll(/^[ \t]*import\s*['"]([^'"\n]+)['"]/gm)) {
    found.push({ of, isTypeOnly: false });
  }
  for (const [, literal] of source.matchAll(/\bimport\s*\(\s*(?:['"`]([^'"`\n$]+)['"`]\s*[,)])?/g)) {
    found.push({ of: literal ?? '(computed)', isTypeOnly: false });
  }
  for (const [, of = ''] of source.matchAll(/\brequire\s*\(\s*['"`]([^'"`\n]+)['"`]/g))
    found.push({ of, isTypeOnly: false });
  return found;
}

/** Drops comments on separate lines, so that prose about imports does not count. */
function withoutComments(source: string): string {
  return source.replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, '').replace(/^[ \t]*\/\/.*$/gm, '');
}

function isListed(name: string, listed: readonly string[]): boolean {
  return listed.some((item) => (item.endsWith('*') ? name.startsWith(item.slice(0, -1)) : item === name));
}

const exportedType = /^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm;

/** Checks the rules for every file, wherever it lies. */
function formViolations(file: string, source: string): string[] {
  const wrong: string[] = [];
  const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
  if (lines > mostLines) wrong.push(`${file}: ${lines} lines (at most ${mostLines})`);
  const code = withoutComments(source);
  if (/^\s*export\s+default\b|\bas\s+default\b/m.test(code)) wrong.push(`${file}: default export`);
  if (/^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w/m.test(code)) wrong.push(`${file}: enum`);
  return wrong;
}

/** Lists the violations of one file, each as `file → import (rule)`. `file` is relative to src. */
function violationsIn(file: string, source: string): string[] {
  const wrong = formViolations(file, source);
  const folder = file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined;
  if (folder === undefined || folder === wiring) return wrong;
  const layer = layers[folder];
  if (layer === undefined) return [...wrong, `${file}: no layer is called ${folder}`];
  for (const { of, isTypeOnly } of importsOf(withoutComments(source))) {
    const rule = ruleBroken(folder, layer, file, of, isTypeOnly) ?? roomRuleBroken(file, of);
    if (rule !== undefined) wrong.push(`${file} → ${of} (${rule})`);
  }
  return wrong;
}

/** Inside a layer with rooms: from one room to another only as its table says. */
function roomRuleBroken(file: string, of: string): string | undefined {
  const [, layer = '', from = ''] = /^(\w+)\/(\w+)\//.exec(file) ?? [];
  const rooms = roomsOf[layer];
  if (rooms === undefined || from === '' || !of.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(file), of);
  if (!path.startsWith(`${layer}/`)) return undefined;
  const [, to] = /^\w+\/(\w+)\//.exec(path) ?? [];
  if (to === undefined) return 'only the wiring knows the wiring';
  if (to === from || rooms[from]?.includes(to)) return undefined;
  return `${layer}/${from} may import ${rooms[from]?.join(', ') || 'itself'}`;
}

function sandboxRuleBroken(file: string, of: string, isTypeOnly: boolean): string | undefined {
  const isSandbox = file.startsWith('sandbox/');
  if (!of.startsWith('.')) {
    if (!isSandbox || file.startsWith('sandbox/cli/')) return undefined;
    return isListed(of, sandboxLayer.packages) ? undefined : `sandbox may import ${sandboxLayer.packages.join(', ')}`;
  }
  const target = posix.join(posix.dirname(file), of);
  // The judge must not share code with anything that it judges.
  if (file.startsWith('sandbox/judge/') && !target.startsWith('sandbox/judge/'))
    return 'the judge imports itself alone';
  if (!isSandbox) {
    if (!target.startsWith('sandbox/')) return undefined;
    return file.startsWith('src/cli/') && target.startsWith('sandbox/cli/')
      ? undefined
      : 'only src/cli starts the sandbox';
  }
  if (target.startsWith('sandbox/') || file.startsWith('sandbox/cli/') || target === 'src/root.ts') return undefined;
  return isTypeOnly && target.startsWith('src/core/') ? undefined : 'sandbox may import types of src/core';
}

/** proof/ is a separate package: it imports the product, never the other way round. */
function isOfProof(file: string, of: string): boolean {
  return of.startsWith('.') && posix.join(posix.dirname(file), of).startsWith('proof/');
}

/** For each of these files, those of them that it imports. */
function importsAmong(sources: ReadonlyMap<string, string>): ReadonlyMap<string, ReadonlySet<string>> {
  const targetsOf = (file: string, source: string) =>
    importsOf(withoutComments(source))
      .map(({ of }) => (of.startsWith('.') ? posix.join(posix.dirname(file), of) : ''))
      .filter((target) => sources.has(target));
  return new Map([...sources].map(([file, source]) => [file, new Set(targetsOf(file, source))]));
}

/** Groups of files that reach each other by imports (Tarjan's strongly connected components). */
function cyclesIn(sources: ReadonlyMap<string, string>): string[][] {
  const imports = importsAmong(sources);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    const mine = order.size;
    order.set(file, mine);
    lowest.set(file, mine);
    open.push(file);
    for (const target of imports.get(file) ?? []) {
      const reached = !order.has(target) ? visit(target) : open.includes(target) ? (order.get(target) ?? mine) : mine;
      lowest.set(file, Math.min(lowest.get(file) ?? mine, reached));
    }
    if (lowest.get(file) === mine) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1 || imports.get(file)?.has(file)) cycles.push(group.sort());
    }
    return lowest.get(file) ?? mine;
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

function ruleBroken(folder: string, layer: Layer, file: string, of: string, isTypeOnly: boolean): string | undefined {
  if (file === listing && ['(computed)', 'node:fs/promises'].includes(of)) return undefined;
  if (of === '(computed)') return 'what is imported must be written out';
  if (!of.startsWith('.')) {
    const ofRoom = packagesOfRoom[posix.dirname(file)] ?? [];
    return isListed(of, [...layer.packages, ...ofRoom])
      ? undefined
      : `${folder} may import ${layer.packages.join(', ')}`;
  }
  const path = posix.normalize(posix.join(posix.dirname(file), of));
  if (path.startsWith('../')) return 'nothing in src needs what lies outside it';
  // The file that knows the package's folder belongs to no layer.
  if (path === 'root.ts') return undefined;
  const target = path.includes('/') ? path.slice(0, path.indexOf('/')) : 'src';
  if (target === folder || layer.folders.includes(target)) return undefined;
  if (layer.types.includes(target)) return isTypeOnly ? undefined : `${folder} may only import types of ${target}`;
  return `${folder} may import ${[...layer.folders, ...layer.types.map((name) => `types of ${name}`), 'itself'].join(', ')}`;
}

const repository = join(import.meta.dirname, '../..');

/** Every TypeScript file below these folders, by its path in the repository. */
async function sourcesOf(...folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(repository, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  const files = names
    .flat()
    .filter((name) => /\.[cm]?tsx?$/.test(name) && !name.includes('node_modules/'))
    .sort();
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(repository, file), 'utf8')] as const)),
  );
}

test('every file of src imports only what its layer allows', async () => {
  const files = await sourcesOf('src');
  expect(files.size).toBeGreaterThan(20);
  expect([...files].flatMap(([file, source]) => violationsIn(file.replace(/^src\//, ''), source))).toEqual([]);
});

test('every folder of src is a layer, and every folder of core and engine is a room', async () => {
  const foldersOf = async (folder: string) =>
    (await readdir(join(repository, folder), { withFileTypes: true })).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  expect((await foldersOf('src')).filter((name) => name !== wiring && layers[name] === undefined)).toEqual([]);
  for (const [layer, rooms] of Object.entries(roomsOf))
    expect((await foldersOf(`src/${layer}`)).sort()).toEqual(Object.keys(rooms).sort());
  const page = await readFile(join(repository, 'docs/architecture.md'), 'utf8');
  const [, section = ''] = page.split('## The rooms of the engine');
  const described = [...section.matchAll(/^\| `(\w+)` +\|/gm)].map(([, room]) => room);
  expect(described).toEqual(Object.keys(engineRooms));
});

test.each(Object.entries(roomsOf))('every arrow between rooms of %s points down and is used', async (layer, rooms) => {
  const names = Object.keys(rooms);
  const arrows = new Set<string>();
  for (const [file, source] of await sourcesOf(`src/${layer}`))
    for (const { of } of importsOf(withoutComments(source))) {
      const [, from] = new RegExp(`^src/${layer}/(\\w+)/`).exec(file) ?? [];
      const [, to] = new RegExp(`^src/${layer}/(\\w+)/`).exec(posix.join(posix.dirname(file), of)) ?? [];
      if (from !== undefined && to !== undefined && from !== to) arrows.add(`${from} → ${to}`);
    }
  const allowed = names.flatMap((from) => (rooms[from] ?? []).map((to) => `${from} → ${to}`));
  expect(allowed.filter((arrow) => !arrows.has(arrow))).toEqual([]);
  expect(names.flatMap((from, n) => (rooms[from] ?? []).filter((to) => names.indexOf(to) >= n))).toEqual([]);
  if (layer === 'engine') expect(arrows.size).toBeLessThanOrEqual(mostArrowsOfEngine);
});

/** The folders below this one that have too many files. */
async function fullFolders(below: string): Promise<string[]> {
  const byFolder = Map.groupBy((await sourcesOf(below)).keys(), posix.dirname);
  return [...byFolder].flatMap(([folder, files]) => (files.length > mostFilesOfFolder ? [folder] : []));
}

test('no folder of src has too many files, except those of commands', async () => {
  expect((await fullFolders('src')).filter((folder) => !folder.startsWith('src/commands/'))).toEqual([]);
});

test('the room that drives a request stays small', async () => {
  const sources = await sourcesOf('src/engine/run');
  const imports = importsAmong(sources);
  const floorsFrom = (file: string): number => 1 + Math.max(0, ...[...(imports.get(file) ?? [])].map(floorsFrom));
  const found = {
    files: sources.size,
    lines: [...sources.values()].reduce((sum, source) => sum + source.split('\n').length - 1, 0),
    arrows: [...imports.values()].reduce((sum, { size }) => sum + size, 0),
    floors: Math.max(...[...sources.keys()].map(floorsFrom)),
  };
  expect(found.arrows).toBeGreaterThan(0);
  const tooMuch = Object.entries(mostOfRun).filter(([figure, most]) => found[figure as keyof typeof found] > most);
  expect(tooMuch, JSON.stringify(found)).toEqual([]);
});

test('only the sandbox’s command line imports the bot, and only src/cli imports the sandbox', async () => {
  const wrong: string[] = [];
  for (const [file, source] of await sourcesOf('src', 'sandbox')) {
    if (file.startsWith('sandbox/')) wrong.push(...formViolations(file, source));
    for (const { of, isTypeOnly } of importsOf(withoutComments(source))) {
      const rule = sandboxRuleBroken(file, of, isTypeOnly);
      if (rule !== undefined) wrong.push(`${file} → ${of} (${rule})`);
    }
  }
  expect(wrong).toEqual([]);
});

test('nothing of the product or its tests imports the laboratory', async () => {
  const wrong: string[] = [];
  for (const [file, source] of await sourcesOf('src', 'sandbox', 'test', 'site', 'deploy')) {
    for (const { of } of importsOf(withoutComments(source))) if (isOfProof(file, of)) wrong.push(`${file} → ${of}`);
  }
  expect(wrong).toEqual([]);
});

test('there is no import cycle, types included', async () => {
  expect(cyclesIn(await sourcesOf('src', 'sandbox', 'proof', 'test'))).toEqual([]);
});

test('a promise that is not awaited goes through aside(), which logs its errors', async () => {
  const floating = /^\s*(?:if \(.*\) |for \(.*\) |else )?void [a-zA-Z(]/;
  const found: string[] = [];
  for (const [path, source] of await sourcesOf('src')) {
    source.split('\n').forEach((line, index) => {
      if (floating.test(line)) found.push(`${path}:${index + 1}: ${line.trim()}`);
    });
  }
  expect(found).toEqual([]);
});

test('the name of an exported type is used once', async () => {
  const types = [...(await sourcesOf('src', 'sandbox'))].flatMap(([file, source]) =>
    [...withoutComments(source).matchAll(exportedType)].map(([, name = '']) => ({ file, name })),
  );
  const byName = Map.groupBy(types, ({ name }) => name);
  expect([...byName.values()].filter((twins) => twins.length > 1)).toEqual([]);
});

/** Folders of tests that mirror a folder of the product, by its place in the repository. */
const mirrored: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...Object.keys(layers), wiring].map((layer) => [layer, `src/${layer}`])),
  sandbox: 'sandbox',
};

/** The reason why a test file does not mirror the product, if there is one. `modules` are the product's files. */
function mirrorBroken(file: string, modules: ReadonlySet<string>): string | undefined {
  const [, layer = '', rest = ''] = /^test\/([\w-]+)\/(.*)$/.exec(file) ?? [];
  const product = mirrored[layer];
  if (product === undefined) return undefined;
  const folder = posix.join(product, posix.dirname(rest));
  const inFolder = [...modules].filter((module) => posix.dirname(module) === folder);
  if (inFolder.length === 0) return `there is no folder ${folder}`;
  const names = [...inFolder, folder, posix.dirname(folder)].map((name) => posix.parse(name).name);
  const name = posix.basename(file, '.test.ts');
  if (names.some((begin) => name === begin || name.startsWith(`${begin}-`))) return undefined;
  return `its name begins with no file of ${folder}`;
}

test('every test file of a folder that mirrors the product is named after a file there', async () => {
  const modules = new Set((await sourcesOf('src', 'sandbox')).keys());
  const tests = [...(await sourcesOf('test')).keys()].filter((file) => file.endsWith('.test.ts'));
  const wrong = tests.flatMap((file) => {
    const reason = mirrorBroken(file, modules);
    return reason === undefined ? [] : [`${file}: ${reason}`];
  });
  expect(wrong).toEqual([]);
});

test('no folder of tests has too many files', async () => {
  expect(await fullFolders('test')).toEqual([]);
});

test('the test files that start first exist', () => {
  expect(longest.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([]);
});

describe('the rules of this test', () => {
  /** Below each rule the files that break it: the file, the import that is reported, and the line that has it. */
  const judged = `
    core/text may import itself
      core/text/a.ts        | ../view/b.ts               | import type { X } from '../view/b.ts';
    core may import itself
      core/a.ts             | ../engine/b.ts             | import { x } from '../engine/b.ts';
      core/a.ts             | ../store/b.ts              | import type { X } from '../store/b.ts';
      core/a.ts             | ../config.ts               | import { a } from '../config.ts';
    core may import zod, node:crypto
      core/a.ts             | node:fs                    | import fs from 'node:fs';
      core/a.ts             | node:fs                    | import 'node:fs';
      core/text/a.ts        | temporal-polyfill          | import { Temporal } from 'temporal-polyfill';
      core/a.ts             | undici                     | export * from 'undici';
      core/a.ts             | undici                     | export type { A } from 'undici';
      core/a.ts             | undici                     | const a = await import('undici');
      core/a.ts             | undici                     | type A = typeof import('undici');
      core/a.ts             | undici                     | type A = import("undici").Agent;
      core/a.ts             | undici                     | const a = require('undici');
      core/a.ts             | undici                     | import {⏎  a,⏎  type B,⏎} from 'undici';
    what is imported must be written out
      core/a.ts             | (computed)                 | await import(name);
      commands/servers/a.ts | (computed)                 | await import(file);
    nothing in src needs what lies outside it
      core/a.ts             | ../../test/b.ts            | import { a } from '../../test/b.ts';
    commands may only import types of provider
      commands/dns/a.ts     | ../../provider/client.ts   | import { type Reader } from '../../provider/client.ts';
      commands/dns/a.ts     | ../../provider/client.ts   | export { a } from '../../provider/client.ts';
    engine may import core, store, types of provider, itself
      engine/a.ts           | ../commands/list.ts        | import type { Command } from '../commands/list.ts';
    slack may only import types of engine
      slack/a.ts            | ../engine/b.ts             | import { x } from '../engine/b.ts';
    alerts may only import types of provider
      alerts/a.ts           | ../provider/c.ts           | import type from '../provider/c.ts';
    engine/context may import itself
      engine/context/a.ts   | ../access/b.ts             | import type { X } from '../access/b.ts';
    engine/command may import context, access, operation, time, approval, alerts, zones
      engine/command/a.ts   | ../run/b.ts                | import { x } from '../run/b.ts';
    only the wiring knows the wiring
      engine/run/a.ts       | ../engine.ts               | import { x } from '../engine.ts';
    nothing
      core/a.ts             | | import { z } from 'zod';⏎import { x } from './b.ts';⏎import { y } from './grammar/c.ts';
      core/grammar/a.ts     | | import type { X } from '../text/b.ts';
      core/time/zone.ts     | | import { Temporal } from 'temporal-polyfill';
      commands/dns/a.ts     | | import type { Reader } from '../../provider/client.ts';
      engine/a.ts           | | import { x } from '../store/b.ts';⏎import { z } from 'zod';
      slack/a.ts            | | import type { X } from '../engine/b.ts';⏎import { App } from '@slack/bolt';
      alerts/a.ts           | | import type type from '../provider/c.ts';
      engine/run/a.ts       | | import { x } from '../operation/b.ts';⏎import { y } from './c.ts';
      commands/files.ts     | | await import(file);⏎import { glob } from 'node:fs/promises';
      cli/a.ts              | | import { x } from '../engine/b.ts';
      main.ts               | | import { x } from './engine/b.ts';⏎import pino from 'pino';
      core/a.ts             | | /**⏎import { x } from 'undici';⏎*/⏎// import('undici')⏎const a = 'export default';`;
  let rule = '';
  const imports = rowsOf(judged).flatMap(
    ([file = '', of, source]): [file: string, source: string, ...wrong: string[]][] => {
      if (source === undefined) rule = file;
      if (source === undefined || of === undefined) return [];
      return [[file, `${source.replaceAll('⏎', '\n')}\n`, ...(of === '' ? [] : [`${file} → ${of} (${rule})`])]];
    },
  );
  const rows: [file: string, source: string, ...wrong: string[]][] = [
    ...imports,
    ['helpers/a.ts', ``, 'helpers/a.ts: no layer is called helpers'],
    ['core/a.ts', `export default 1;\n`, 'core/a.ts: default export'],
    ['main.ts', `export { a as default };\n`, 'main.ts: default export'],
    ['core/a.ts', `export const enum Color { Red }\n`, 'core/a.ts: enum'],
    ['main.ts', `enum Color { Red }\n`, 'main.ts: enum'],
    ['core/a.ts', 'x;\n'.repeat(300)],
    ['core/a.ts', 'x;\n'.repeat(301), 'core/a.ts: 301 lines (at most 300)'],
  ];
  test.each(rows)('the imports of %s are judged: %j', (file, source, ...wrong) =>
    expect(violationsIn(file, source)).toEqual(wrong),
  );

  test('every wrong import of a file is reported, not only the first', () => {
    const source = `import type { A } from '../slack/a.ts';\nimport { b } from 'pino';\nexport { c } from '../main.ts';\n`;
    expect(violationsIn('core/x.ts', source)).toHaveLength(3);
  });

  test.each<[file: string, of: string, isTypeOnly: boolean, rule?: string]>([
    ['sandbox/page-server/a.ts', '../provider/b.ts', false],
    ['sandbox/slack/a.ts', '../../src/core/c.ts', true],
    ['sandbox/slack/a.ts', '../../src/core/c.ts', false, 'sandbox may import types of src/core'],
    ['sandbox/slack/a.ts', '../../src/engine/c.ts', true, 'sandbox may import types of src/core'],
    ['sandbox/slack/a.ts', '@slack/types', true, 'sandbox may import zod, ws, node:*'],
    ['sandbox/cli/a.ts', '../../src/bot.ts', false],
    ['src/cli/a.ts', '../../sandbox/cli/b.ts', false],
    ['src/cli/a.ts', '../../sandbox/slack/b.ts', false, 'only src/cli starts the sandbox'],
    ['sandbox/judge/a.ts', '../../src/core/plan/plan.ts', true, 'the judge imports itself alone'],
    ['sandbox/judge/a.ts', '../slack/state.ts', true, 'the judge imports itself alone'],
    ['sandbox/judge/rules/a.ts', '../history.ts', false],
    ['src/bot.ts', '../sandbox/cli/b.ts', false, 'only src/cli starts the sandbox'],
  ])('the import of %s from %s is judged, types only: %s', (file, of, isTypeOnly, rule) =>
    expect(sandboxRuleBroken(file, of, isTypeOnly)).toBe(rule),
  );

  test.each([
    ['test/engine/run/work.test.ts', undefined],
    ['test/engine/run/work-after-a-kill.test.ts', undefined],
    ['test/engine/run/run.test.ts', undefined],
    ['test/engine/run/works.test.ts', 'its name begins with no file of src/engine/run'],
    ['test/engine/ran/work.test.ts', 'there is no folder src/engine/ran'],
    ['test/attacks/names.test.ts', undefined],
  ])('the place of %s is judged: %s', (file, reason) => {
    expect(mirrorBroken(file, new Set(['src/engine/run/work.ts', 'src/engine/engine.ts']))).toBe(reason);
  });

  test('an import of the laboratory is found in any folder', () => {
    expect(isOfProof('test/engine/a.test.ts', '../../proof/simulate/main.ts')).toBe(true);
    expect(isOfProof('src/a.ts', './proof/b.ts')).toBe(false);
  });

  test('an import cycle of any length is found, and a file outside it is not reported', () => {
    const cycle = new Map([
      ['src/a.ts', `import './b.ts';\n`],
      ['src/b.ts', `import type { C } from './c.ts';\n`],
      ['src/c.ts', `import './a.ts';\nimport './d.ts';\n`],
      ['src/d.ts', `// import './a.ts'\n`],
    ]);
    expect(cyclesIn(cycle)).toEqual([['src/a.ts', 'src/b.ts', 'src/c.ts']]);
    expect(cyclesIn(new Map([...cycle, ['src/c.ts', `import './d.ts';\n`]]))).toEqual([]);
  });
});
