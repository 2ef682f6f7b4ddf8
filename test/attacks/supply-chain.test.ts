import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';

// Only code that was reviewed is installed and run.

const workflows = globSync('.github/workflows/*.yml');
const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
/** The first group of each match, in all of these files. */
const namesIn = async (files: readonly string[], pattern: RegExp) =>
  (await Promise.all(files.map(read))).flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
const lockSchema = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        integrity: z.string().optional(),
        resolved: z.string().optional(),
        license: z.string().optional(),
        dev: z.boolean().optional(),
        devOptional: z.boolean().optional(),
        link: z.boolean().optional(),
      }),
    ),
  })
  .transform(({ packages: all }) => Object.entries(all).filter(([path, { link }]) => path !== '' && link !== true));
const packages = lockSchema.parse(JSON.parse(await read('package-lock.json')));
const ofProof = lockSchema.parse(JSON.parse(await read('proof/package-lock.json')));

test('a package of the lockfile cannot be exchanged: each entry has its hash, for every system', () => {
  expect(packages.length).toBeGreaterThan(300);
  expect(ofProof.length).toBeGreaterThan(100);
  const all = [...packages, ...ofProof];
  expect(all.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
});

test('no package comes from anywhere but the registry', () => {
  const elsewhere = [...packages, ...ofProof].filter(([, { resolved = '' }]) => /^(git|file|http:)/.test(resolved));
  expect(elsewhere).toEqual([]);
});

const free =
  /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|MPL-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Python-2\.0|Zlib)$/;

test('no package of the image has a license that the image may not carry', async () => {
  const strange: string[] = [];
  for (const [path, { dev, devOptional, license }] of packages) {
    if (dev === true || devOptional === true) continue;
    const words = (license ?? 'none').replace(/[()]/g, '').split(/ (?:OR|AND) /);
    if (!words.some((word) => free.test(word))) strange.push(`${path}: ${license}`);
  }
  // DejaVu's own terms (Bitstream Vera) allow use and redistribution with the license, which the image carries.
  expect(strange.filter((line) => !line.startsWith('node_modules/dejavu-fonts-ttf'))).toEqual([]);
});

test('docs/opinions.md gives a reason for each package that production depends on', async () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await read('package.json')));
  const opinions = await read('docs/opinions.md');
  expect(Object.keys(dependencies).filter((name) => !opinions.includes(`**${name}**`))).toEqual([]);
  // Another license needs a decision.
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(16);
  // Pinned exactly.
  expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('an image cannot be exchanged: each image, of CI too, is given by its version and its digest', async () => {
  const files = ['Dockerfile', 'compose.yaml', ...workflows, ...globSync('deploy/**/*.yaml')];
  const images = await namesIn(files, /^(?:FROM|\s+(?:image|container):) ([^\s{]+)/gm);
  // The image of Hostler itself is made of this repository.
  const foreign = images.filter((image) => !/^hostler(:\d+\.\d+\.\d+)?$/.test(image));
  expect(foreign.length).toBeGreaterThan(3);
  expect(foreign.filter((image) => !/^[a-z]+:\d+\.\d+[\w.-]*@sha256:[\da-f]{64}$/.test(image))).toEqual([]);
});

test('a moved tag of an action changes nothing: each action of a workflow is given by its commit', async () => {
  const actions = await namesIn(workflows, /uses: (\S+)/g);
  expect(actions.length).toBeGreaterThan(5);
  expect(actions.filter((name) => !/@[\da-f]{40}$/.test(name))).toEqual([]);
});

test('the database of the compose file has no password that everybody knows', async () => {
  // Compose reads a required variable also for a profile that is off; PostgreSQL itself refuses an empty password.
  expect(await read('compose.yaml')).not.toMatch(/PASSWORD:-[^}]|:\?/);
});
