import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { newFolder } from '../support/process/new-folder.ts';
import { run } from '../support/process/run.ts';

// A release in a separate repository, and the workflow that follows its tag.

const hasGit = spawnSync('git', ['--version']).status === 0;
if (!hasGit) console.log('There is no git: the tests of npm run release are skipped.');
const inRepository = test.skipIf(!hasGit);
const workflowFile = '.github/workflows/release.yml';

/** A small checkout. */
async function checkout() {
  const folder = await newFolder('release');
  const files = ['deploy', 'Dockerfile', 'CHANGELOG.md', 'docs/upgrading.md', 'package.json', 'package-lock.json'];
  for (const path of files) await cp(path, join(folder, path), { recursive: true });
  await edit('package.json', (text) => text.replace(/"version": "[^"]+"/, '"version": "0.1.0"'));
  await edit('CHANGELOG.md', (text) => text.replace(/^## .*$/m, '## 0.1.0, not released yet'));
  async function edit(file: string, change: (text: string) => string) {
    await writeFile(join(folder, file), change(await readFile(join(folder, file), 'utf8')));
  }
  const git = async (...words: string[]) => (await run('git', words, { cwd: folder })).stdout.trim();
  const commit = async () => {
    await git('add', '--all');
    await git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--message', 'a state');
  };
  await git('init', '--quiet');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@example.com');
  await commit();
  // An npm that notes the suites, fails at the words in FAILS, and sets a version as npm does.
  const bin = await newFolder('npm');
  const { stdout: npm } = await run('bash', ['-c', 'command -v npm']);
  await writeFile(
    join(bin, 'npm'),
    `#!/bin/sh\n[ "$1" = version ] && exec '${npm.trim()}' "$@"\necho "$*" >> '${bin}/ran'\n[ "$*" != "$FAILS" ]\n`,
    { mode: 0o755 },
  );
  const releaseWith = (FAILS: string, ...words: string[]) => {
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, FAILS };
    return run(process.execPath, ['deploy/release.ts', ...words], { cwd: folder, env }).then(
      () => 'released',
      ({ stderr }: { stderr: string }) => stderr.trim().split('\n').at(-1),
    );
  };
  return {
    git,
    commit,
    edit,
    releaseWith,
    release: (...words: string[]) => releaseWith('', ...words),
    read: (file: string) => readFile(join(folder, file), 'utf8'),
    ran: async () => (await readFile(join(bin, 'ran'), 'utf8')).trim().split('\n'),
  };
}

const suites = [
  'run check',
  'run test',
  'run test:process',
  '--prefix proof ci',
  '--prefix proof run nightly -- --short',
];

inRepository('npm run release sets the version everywhere, dates the CHANGELOG, commits and tags', async () => {
  const { git, commit, edit, release, read, ran } = await checkout();
  await edit('docs/upgrading.md', (text) => `${text}\n## To 0.2.0\n\nNothing.\n`);
  await commit();
  expect(await release('0.2.0')).toBe('released');
  expect(await ran()).toEqual(suites);
  expect(await git('tag', '--list')).toBe('v0.2.0');
  expect(await git('log', '-1', '--format=%s')).toBe('release: 0.2.0');
  expect(await git('status', '--porcelain')).toBe('');
  expect(await read('CHANGELOG.md')).toMatch(/^## 0\.2\.0, \d{4}-\d\d-\d\d$/m);
  expect(await read('CHANGELOG.md')).not.toContain('not released yet');
  for (const file of ['package.json', 'package-lock.json'])
    expect(JSON.parse(await read(file))).toMatchObject({ version: '0.2.0' });
  for (const name of ['sqlite', 'postgresql'])
    expect(await read(`deploy/kubernetes/${name}.yaml`)).toContain('image: hostler:0.2.0');
  expect(await read('Dockerfile')).toContain('org.opencontainers.image.version="0.2.0"');
  expect(await read('deploy/chart/Chart.yaml')).toMatch(/^version: 0\.2\.0\nappVersion: 0\.2\.0$/m);
  // The same again, and an earlier one.
  expect(await release('0.2.0')).toBe('The tag v0.2.0 exists already. Choose a later version.');
  expect(await release('0.1.9')).toBe('Version 0.1.9 is before the present 0.2.0. Choose a later one.');
});

inRepository('npm run release says in a sentence why it cannot release, and changes nothing', async () => {
  const { git, edit, commit, release } = await checkout();
  expect(await release()).toBe('Which version? For example: npm run release -- 1.2.3');
  expect(await release('0.3.0')).toBe(
    'docs/upgrading.md has no section "To 0.3.0". Write there what an upgrade needs.',
  );
  await edit('docs/upgrading.md', (text) => `${text}\n## To 0.3.0\n\nNothing.\n`);
  expect(await release('0.3.0')).toBe('The tree has changes that are not committed. Commit or remove them first.');
  await edit('CHANGELOG.md', (text) => text.replace(', not released yet', ', 2026-01-31'));
  await commit();
  expect(await release('0.3.0')).toBe('CHANGELOG.md has no section "not released yet". Write there what is new.');
  expect(await git('tag', '--list')).toBe('');
});

inRepository('npm run release changes nothing when a suite fails', async () => {
  const { git, edit, commit, releaseWith, read } = await checkout();
  await edit('docs/upgrading.md', (text) => `${text}\n## To 0.2.0\n\nNothing.\n`);
  await commit();
  const before = await git('rev-parse', 'HEAD');
  for (const suite of suites)
    expect(await releaseWith(suite, '0.2.0')).toBe(`npm ${suite} has failed. Nothing was changed.`);
  expect([await git('tag', '--list'), await git('status', '--porcelain')]).toEqual(['', '']);
  expect(await git('rev-parse', 'HEAD')).toBe(before);
  expect(await read('CHANGELOG.md')).toContain('not released yet');
});

test('docs/upgrading.md has notes for the present version', () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(readFileSync('docs/upgrading.md', 'utf8')).toContain(`\n## To ${version}\n`);
});

test('the release workflow tests before it publishes, and has only the permissions that it needs', () => {
  const step = z.looseObject({ run: z.string().optional() });
  const job = z.looseObject({
    needs: z.string().optional(),
    permissions: z.record(z.string(), z.string()).optional(),
    steps: z.array(step),
  });
  const { jobs, permissions } = z
    .looseObject({ jobs: z.object({ test: job, publish: job }), permissions: z.record(z.string(), z.string()) })
    .parse(parse(readFileSync(workflowFile, 'utf8')));
  expect(permissions).toEqual({ contents: 'read' });
  expect(jobs.test.steps.map(({ run: line }) => line)).toContain('.ci/run');
  expect(jobs.publish.needs).toBe('test');
  const lines = jobs.publish.steps.flatMap(({ run: line }) => line ?? []).join('\n');
  for (const words of ['npm pack', 'npm sbom', 'cosign sign --yes "$IMAGE@$DIGEST"', 'v$(node --print'])
    expect(lines).toContain(words);
});
