import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * `npm run release -- 1.2.3` sets the version in all files and the CHANGELOG's date, commits and tags. It pushes
 * nothing.
 */

const manifests = ['deploy/kubernetes/sqlite.yaml', 'deploy/kubernetes/postgresql.yaml'];
/** The last one is the proof package without its hours of work: see proof/README.md. */
const suites = [
  'run check',
  'run test',
  'run test:process',
  '--prefix proof ci',
  '--prefix proof run nightly -- --short',
];
const unreleased = /^## (\d+\.\d+\.\d+), not released yet$/m;

const [version = ''] = process.argv.slice(2);
const problem = findProblem();
if (problem === undefined) release();
else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

/** The first reason against a release, as a sentence. */
function findProblem(): string | undefined {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return 'Which version? For example: npm run release -- 1.2.3';
  if (git('status', '--porcelain') !== '')
    return 'The tree has changes that are not committed. Commit or remove them first.';
  if (git('tag', '--list', `v${version}`) !== '') return `The tag v${version} exists already. Choose a later version.`;
  const present = /"version": "([^"]+)"/.exec(readFileSync('package.json', 'utf8'))?.[1] ?? '';
  if (isLater(present, version)) return `Version ${version} is before the present ${present}. Choose a later one.`;
  if (!unreleased.test(readFileSync('CHANGELOG.md', 'utf8')))
    return 'CHANGELOG.md has no section "not released yet". Write there what is new.';
  if (!readFileSync('docs/upgrading.md', 'utf8').includes(`\n## To ${version}\n`))
    return `docs/upgrading.md has no section "To ${version}". Write there what an upgrade needs.`;
  for (const words of suites) {
    try {
      execFileSync('npm', words.split(' '), { stdio: 'inherit' });
    } catch {
      return `npm ${words} has failed. Nothing was changed.`;
    }
  }
  return undefined;
}

function release(): void {
  const today = new Date().toISOString().slice(0, 10);
  execFileSync('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { stdio: 'ignore' });
  edit('CHANGELOG.md', unreleased, `## ${version}, ${today}`);
  edit('deploy/chart/Chart.yaml', /^version: \S+$/m, `version: ${version}`);
  edit('deploy/chart/Chart.yaml', /^appVersion: \S+$/m, `appVersion: ${version}`);
  edit('Dockerfile', /image\.version="\S+"/, `image.version="${version}"`);
  for (const file of manifests) edit(file, /image: hostler:\S+/, `image: hostler:${version}`);
  git('commit', '--all', '--message', `release: ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Hostler ${version}`);
  console.log(`Hostler ${version} is committed and tagged. Publish it with: git push --follow-tags`);
}

function edit(file: string, from: RegExp, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

function git(...words: string[]): string {
  return execFileSync('git', words, { encoding: 'utf8' }).trim();
}

function isLater(one: string, other: string): boolean {
  return one.localeCompare(other, 'en', { numeric: true }) > 0;
}
