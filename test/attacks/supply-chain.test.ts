import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';

// Only code that was reviewed is installed and run.

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const lock = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        version: z.string().optional(),
        integrity: z.string().optional(),
        resolved: z.string().optional(),
        license: z.string().optional(),
        dev: z.boolean().optional(),
        devOptional: z.boolean().optional(),
        link: z.boolean().optional(),
        optional: z.boolean().optional(),
        os: z.array(z.string()).optional(),
        cpu: z.array(z.string()).optional(),
        libc: z.array(z.string()).optional(),
      }),
    ),
  })
  .parse(JSON.parse(await read('package-lock.json')));
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path !== '' && link !== true);

test('a package of the lockfile is exchanged for another: each entry that runs in production has its hash', () => {
  const runtime = packages.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
  expect(runtime.length).toBeGreaterThan(50);
  expect(runtime.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
});

test('a package that development uses is exchanged: each entry has its hash, but those of other systems that npm leaves out', () => {
  const hasHash = ({ integrity }: { integrity?: string | undefined }) => integrity?.startsWith('sha512-') === true;
  const isForImage = ({ os, cpu, libc }: (typeof packages)[number][1]) =>
    (os?.includes('linux') ?? true) && (cpu?.includes('x64') ?? true) && (libc?.includes('glibc') ?? true);
  const without = packages.filter(([, entry]) => !hasHash(entry));
  // The registry that wrote the lockfile did not list the builds of two tools for other systems.
  expect(without.filter(([, entry]) => !entry.optional || !entry.dev || isForImage(entry))).toEqual([]);
  const tools = new Set(without.map(([path]) => path.replace(/^node_modules\/(@[^/]+\/[a-z]+)-.*$/, '$1')));
  expect([...tools]).toEqual(['@biomejs/cli', '@oxc-parser/binding']);
});

test('a package comes from elsewhere than the registry', () => {
  const elsewhere = packages.filter(([, { resolved = '' }]) => /^(git|file|http:)/.test(resolved));
  expect(elsewhere).toEqual([]);
});

const free =
  /^(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|MPL-2\.0|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Python-2\.0|Zlib)$/;

test('a license that the image may not carry', async () => {
  const strange: string[] = [];
  for (const [path, { dev, devOptional, license }] of packages) {
    if (dev === true || devOptional === true) continue;
    const words = (license ?? 'none').replace(/[()]/g, '').split(/ (?:OR|AND) /);
    if (!words.some((word) => free.test(word))) strange.push(`${path}: ${license}`);
  }
  // DejaVu's own terms (Bitstream Vera) allow use and redistribution with the license, which the image carries.
  expect(strange.filter((line) => !line.startsWith('node_modules/dejavu-fonts-ttf'))).toEqual([]);
});

test('each package that production depends on is there for a reason that is written down', async () => {
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await read('package.json')));
  const opinions = await read('docs/opinions.md');
  expect(Object.keys(dependencies).filter((name) => !opinions.includes(`**${name}**`))).toEqual([]);
  // One more is a decision.
  expect(Object.keys(dependencies).length).toBeLessThanOrEqual(16);
  // Pinned exactly.
  expect(Object.values(dependencies).filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('images are named by their full version, and the database has no password that everybody knows', async () => {
  const images = [
    ...(await read('Dockerfile')).matchAll(/^FROM (\S+)/gm),
    ...(await read('compose.yaml')).matchAll(/^\s+image: (\S+)/gm),
  ].map(([, image]) => image);
  expect(images.filter((image) => image !== 'hostler' && !/:\d+\.\d+/.test(image ?? ''))).toEqual([]);
  expect(await read('compose.yaml')).not.toMatch(/PASSWORD:-/);
});
