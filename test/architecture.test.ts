import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Which layer may import what. A type-only import counts: knowing a shape is depending on it. */
interface Layer {
  /** Folders of src, besides its own. */
  readonly folders: readonly string[];
  /** Folders whose types it may name, and nothing more. */
  readonly types: readonly string[];
  /** Packages and node modules; a `*` at the end stands for what begins so. */
  readonly packages: readonly string[];
}

/** Lists what lies in its own folder, so that a new command is a new file and nothing else. */
const listing = 'commands/files.ts';

/** Wires everything by hand, as the files directly in src do. */
const wiring = 'cli';

const layers: Readonly<Record<string, Layer>> = {
  core: { folders: [], types: [], packages: ['zod', 'node:crypto'] },
  provider: { folders: ['core'], types: [], packages: ['undici', 'zod'] },
  store: {
    folders: ['core'],
    types: [],
    packages: ['keyv', 'kysely', 'kysely-postgres-js', 'postgres', 'zod', 'node:*'],
  },
  charts: { folders: [], types: [], packages: ['echarts/*', '@resvg/resvg-js', 'node:module'] },
  commands: { folders: ['core', 'charts'], types: ['provider'], packages: ['zod'] },
  alerts: { folders: ['core'], types: ['provider'], packages: ['zod'] },
  engine: {
    folders: ['core', 'store'],
    types: ['provider'],
    packages: ['openworkflow', 'openworkflow/*', 'zod', 'node:crypto', 'node:timers', 'node:timers/promises'],
  },
  slack: { folders: ['core'], types: ['engine'], packages: ['@slack/*', 'undici', 'zod', 'node:*'] },
  sandbox: { folders: [], types: ['core'], packages: ['zod', 'ws', 'node:*'] },
};

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

/** Comments that stand on lines of their own, so that prose about imports is not one. */
function withoutComments(source: string): string {
  return source.replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, '').replace(/^[ \t]*\/\/.*$/gm, '');
}

function isListed(name: string, listed: readonly string[]): boolean {
  return listed.some((item) => (item.endsWith('*') ? name.startsWith(item.slice(0, -1)) : item === name));
}

/** What one file does against the rules, each as `file → import (rule)`. `file` is relative to src. */
function violationsIn(file: string, source: string): string[] {
  const wrong: string[] = [];
  const lines = source.split('\n').length - (source.endsWith('\n') ? 1 : 0);
  if (lines > mostLines) wrong.push(`${file}: ${lines} lines (at most ${mostLines})`);
  const code = withoutComments(source);
  if (/^\s*export\s+default\b|\bas\s+default\b/m.test(code)) wrong.push(`${file}: default export`);
  if (/^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?enum\s+\w/m.test(code)) wrong.push(`${file}: enum`);
  const folder = file.includes('/') ? file.slice(0, file.indexOf('/')) : undefined;
  if (folder === undefined || folder === wiring) return wrong;
  const layer = layers[folder];
  if (layer === undefined) return [...wrong, `${file}: no layer is called ${folder}`];
  for (const { of, isTypeOnly } of importsOf(code)) {
    const rule = ruleBroken(folder, layer, file, of, isTypeOnly);
    if (rule !== undefined) wrong.push(`${file} → ${of} (${rule})`);
  }
  return wrong;
}

function ruleBroken(folder: string, layer: Layer, file: string, of: string, isTypeOnly: boolean): string | undefined {
  if (file === listing && ['(computed)', 'node:fs/promises'].includes(of)) return undefined;
  if (of === '(computed)') return 'what is imported must be written out';
  if (!of.startsWith('.')) {
    return isListed(of, layer.packages) ? undefined : `${folder} may import ${layer.packages.join(', ')}`;
  }
  const path = posix.normalize(posix.join(posix.dirname(file), of));
  if (path.startsWith('../')) return 'nothing in src needs what lies outside it';
  // Where the package lies belongs to no layer.
  if (path === 'root.ts') return undefined;
  const target = path.includes('/') ? path.slice(0, path.indexOf('/')) : 'src';
  if (target === folder || layer.folders.includes(target)) return undefined;
  if (layer.types.includes(target)) return isTypeOnly ? undefined : `${folder} may only import types of ${target}`;
  return `${folder} may import ${[...layer.folders, ...layer.types.map((name) => `types of ${name}`), 'itself'].join(', ')}`;
}

const root = join(import.meta.dirname, '..', 'src');

test('every file of src keeps to its layer', async () => {
  const files = (await readdir(root, { recursive: true })).filter((name) => /\.[cm]?tsx?$/.test(name)).sort();
  expect(files.length).toBeGreaterThan(20);
  const wrong = await Promise.all(
    files.map(async (name) => violationsIn(name.replaceAll('\\', '/'), await readFile(join(root, name), 'utf8'))),
  );
  expect(wrong.flat()).toEqual([]);
});

test('every folder of src is a layer', async () => {
  const entries = await readdir(root, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect(folders.filter((name) => name !== wiring && layers[name] === undefined)).toEqual([]);
});

describe('the test itself', () => {
  const rows: [file: string, source: string, ...wrong: string[]][] = [
    ['core/a.ts', `import { z } from 'zod';\nimport { x } from './b.ts';\nimport { y } from './grammar/c.ts';\n`],
    ['core/grammar/a.ts', `import type { X } from '../b.ts';\n`],
    ['core/a.ts', `import { x } from '../engine/b.ts';\n`, 'core/a.ts → ../engine/b.ts (core may import itself)'],
    ['core/a.ts', `import type { X } from '../store/b.ts';\n`, 'core/a.ts → ../store/b.ts (core may import itself)'],
    ['core/a.ts', `import fs from 'node:fs';\n`, 'core/a.ts → node:fs (core may import zod, node:crypto)'],
    ['core/a.ts', `import 'node:fs';\n`, 'core/a.ts → node:fs (core may import zod, node:crypto)'],
    ['core/a.ts', `export * from 'undici';\n`, 'core/a.ts → undici (core may import zod, node:crypto)'],
    ['core/a.ts', `export type { A } from 'undici';\n`, 'core/a.ts → undici (core may import zod, node:crypto)'],
    ['core/a.ts', `const a = await import('undici');\n`, 'core/a.ts → undici (core may import zod, node:crypto)'],
    ['core/a.ts', `type A = typeof import('undici');\n`, 'core/a.ts → undici (core may import zod, node:crypto)'],
    ['core/a.ts', `type A = import("undici").Agent;\n`, 'core/a.ts → undici (core may import zod, node:crypto)'],
    ['core/a.ts', `await import(name);\n`, 'core/a.ts → (computed) (what is imported must be written out)'],
    ['core/a.ts', `const a = require('undici');\n`, 'core/a.ts → undici (core may import zod, node:crypto)'],
    [
      'core/a.ts',
      `import {\n  a,\n  type B,\n} from 'undici';\n`,
      'core/a.ts → undici (core may import zod, node:crypto)',
    ],
    [
      'core/a.ts',
      `import { a } from '../../test/b.ts';\n`,
      'core/a.ts → ../../test/b.ts (nothing in src needs what lies outside it)',
    ],
    ['core/a.ts', `import { a } from '../config.ts';\n`, 'core/a.ts → ../config.ts (core may import itself)'],
    ['commands/dns/a.ts', `import type { Reader } from '../../provider/client.ts';\n`],
    [
      'commands/dns/a.ts',
      `import { type Reader } from '../../provider/client.ts';\n`,
      'commands/dns/a.ts → ../../provider/client.ts (commands may only import types of provider)',
    ],
    [
      'commands/dns/a.ts',
      `export { a } from '../../provider/client.ts';\n`,
      'commands/dns/a.ts → ../../provider/client.ts (commands may only import types of provider)',
    ],
    [
      'engine/a.ts',
      `import type { Command } from '../commands/list.ts';\n`,
      'engine/a.ts → ../commands/list.ts (engine may import core, store, types of provider, itself)',
    ],
    ['engine/a.ts', `import { x } from '../store/b.ts';\nimport { w } from 'openworkflow/sqlite';\n`],
    ['slack/a.ts', `import type { X } from '../engine/b.ts';\nimport { App } from '@slack/bolt';\n`],
    [
      'slack/a.ts',
      `import { x } from '../engine/b.ts';\n`,
      'slack/a.ts → ../engine/b.ts (slack may only import types of engine)',
    ],
    ['sandbox/page/a.ts', `import { x } from '../provider/b.ts';\nimport type { Y } from '../../core/c.ts';\n`],
    [
      'sandbox/a.ts',
      `import { Y } from '../core/c.ts';\n`,
      'sandbox/a.ts → ../core/c.ts (sandbox may only import types of core)',
    ],
    ['sandbox/a.ts', `import type type from '../core/c.ts';\n`],
    [
      'sandbox/a.ts',
      `import type from '../core/c.ts';\n`,
      'sandbox/a.ts → ../core/c.ts (sandbox may only import types of core)',
    ],
    ['commands/files.ts', `await import(file);\nimport { glob } from 'node:fs/promises';\n`],
    [
      'commands/servers/a.ts',
      'await import(file);\n',
      'commands/servers/a.ts → (computed) (what is imported must be written out)',
    ],
    ['cli/a.ts', `import { x } from '../engine/b.ts';\n`],
    ['main.ts', `import { x } from './engine/b.ts';\nimport pino from 'pino';\n`],
    ['helpers/a.ts', ``, 'helpers/a.ts: no layer is called helpers'],
    ['core/a.ts', `/**\nimport { x } from 'undici';\n*/\n// import('undici')\nconst a = 'export default';\n`],
    ['core/a.ts', `export default 1;\n`, 'core/a.ts: default export'],
    ['main.ts', `export { a as default };\n`, 'main.ts: default export'],
    ['core/a.ts', `export const enum Colour { Red }\n`, 'core/a.ts: enum'],
    ['main.ts', `enum Colour { Red }\n`, 'main.ts: enum'],
    ['core/a.ts', 'x;\n'.repeat(300)],
    ['core/a.ts', 'x;\n'.repeat(301), 'core/a.ts: 301 lines (at most 300)'],
  ];
  test.each(rows)('%s: %j', (file, source, ...wrong) => expect(violationsIn(file, source)).toEqual(wrong));

  test('names every import of a file, not only the first', () => {
    const source = `import type { A } from '../slack/a.ts';\nimport { b } from 'pino';\nexport { c } from '../main.ts';\n`;
    expect(violationsIn('core/x.ts', source)).toHaveLength(3);
  });
});
