import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runInPlace } from '../cli/in-place.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { openSimulators } from '../support/process/simulators.ts';

/**
 * The shell lines of the documentation. Each is run unchanged, or listed with the reason why not and with the test that
 * runs it elsewhere; a line that is new and has no place here is red. `/host` lines are in test/docs/docs.test.ts, the
 * blocks of the README in test/ship/readme.test.ts.
 */

const pages = [...globSync('docs/*.md'), 'README.md', 'CONTRIBUTING.md'].sort();
const fence = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm;

function linesOf(page: string): string[] {
  const text = readFileSync(page, 'utf8');
  const blocks = page.startsWith('docs/') ? [...text.matchAll(fence)] : [];
  const typed = blocks.filter(([, of]) => of === 'sh').flatMap(([, , body = '']) => body.split('\n'));
  const inline = [...text.replace(fence, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => /^(npx |hostler \w|npm [\w-]|docker |node )/.test(code) && !/^hostler = /.test(code));
  return [...typed, ...inline].map((line) => line.replace(/ +# .*$/, '').trim()).filter(Boolean);
}

const written = [...new Set(pages.flatMap(linesOf).map((line) => line.replace(/^hostler /, 'npx hostler ')))].sort();

const suites = 'a suite of the tests; .ci/run runs it';
const laboratory = 'a run of the laboratory; proof/README.md says when';
const live = 'needs a live workspace; proof/live/live.test.ts runs it against the simulators';
const measures = 'the benchmark, which takes minutes; proof/bench/smoke.test.ts runs it shortened';
const container = 'needs a container engine and a base image; test/ship/container.test.ts reads the file';
const chart = 'needs a cluster; test/ship/chart.test.ts renders the chart';
const cluster = 'needs a cluster; test/ship/kubernetes.test.ts reads the manifests';

/** Lines that run here in any order, with a line that each prints. */
const reads: Readonly<Record<string, RegExp>> = {
  'npx hostler manifest --name Harbour': /Harbour/,
  'npx hostler manifest --request-url https://hostler.example.com': /https:\/\/hostler\.example\.com\/slack\/events/,
  'npx hostler check': /^✓ Slack scopes/m,
  'npx hostler check --views': /Slack takes all/,
  'npx hostler policy export': /^channels:/m,
  'npx hostler audit verify': /^✓ \d+ rows?, /m,
  'npx hostler audit export': /^$|^\{/,
};

/** Lines that run here one after the other. */
const inOrder: Readonly<Record<string, RegExp>> = {
  'npx hostler policy export > policy.yml': /^$/,
  'npx hostler policy test policy.yml': /\S/,
  'npx hostler policy diff policy.yml': /\S/,
  'npx hostler policy apply policy.yml': /^$/,
  'npx hostler backup /backups/hostler-$(date +%F).db': /\S/,
  'npx hostler rotate': /\S/,
  'npx hostler rotate --sign-anew': /✓ audit/,
};

/** Lines that end with an error on purpose, since a file or service of the reader is missing. */
const refused: Readonly<Record<string, RegExp>> = {
  'npx hostler policy test': /FILE|file/,
  'npx hostler backup': /FILE|file/,
  'npx hostler audit verify --since SEQ:HASH': /--since/,
  'npx hostler simulate slack --lenient NAME': /NAME/,
};

/** Lines that do not run here, with the reason. */
const elsewhere: Readonly<Record<string, string>> = {
  'curl --json \'{"id": "backup-db-1", "title": "The backup of db-1 is missing", "host": "db-1"}\' "$HOOK"':
    'test/engine/hooks/hook-bodies-docs.test.ts posts it',
  'HOST_API_KEY=… npx hostler sandbox --copy': 'test/sandbox/cli/open-copy.test.ts runs it',
  'npx hostler sandbox --copy': 'test/sandbox/cli/open-copy.test.ts runs it',
  'npx hostler sandbox --copy --save copy.json': 'test/sandbox/cli/open-copy.test.ts runs it',
  'npx hostler sandbox --from copy.json': 'test/sandbox/cli/open-copy.test.ts runs it',
  'npx hostler sandbox --from copy.json --drill boot': 'test/browser/copy.test.ts runs it',
  'npx hostler run': 'test/cli/run.test.ts runs it',
  'npx hostler run "restart web-1 because deploy 41" --key deploy-41 --wait':
    'test/cli/run-docs.test.ts reads it; test/cli/run.test.ts runs such a line',
  'printf \'Authorization: Bearer %s\' "$HOSTLER_TOKEN" | curl --header @- --json \'{"line": "restart web-1 because deploy 41", "key": "deploy-41"}\' "$HOSTLER_URL/api/run"':
    'test/cli/run-docs.test.ts posts it',
  'docker build -t hostler .': container,
  'docker compose --profile postgres up replicas': container,
  'docker compose up hostler': container,
  'docker run --read-only --volume hostler:/data --env-file data/hostler.env --publish 127.0.0.1:3000:3000 hostler':
    container,
  'helm install hostler deploy/chart': chart,
  'helm install hostler deploy/chart --values deploy/chart/postgresql.yaml': chart,
  'kubectl apply --filename deploy/kubernetes/sqlite.yaml': cluster,
  'kubectl create secret generic hostler --from-env-file=data/hostler.env': cluster,
  'node --env-file': 'an option of Node alone',
  'node -p process.versions.tz': 'prints the version of the zone data',
  'npm ci': 'test/package and .ci/run install',
  'npm ci --ignore-scripts && npm run build && npm prune --omit=dev': 'test/crash/ship.test.ts makes that tree',
  'npm run bench': measures,
  'npm run bench -- --quick': measures,
  'npm run bench -- ack start': measures,
  'npm run bench -- token': measures,
  'npm run build': 'the global setup of these tests runs it',
  'npm --prefix proof run walks': laboratory,
  'npm --prefix proof run walks -- home': laboratory,
  'node test/docs/measure.ts': 'prints figures; test/docs/prose.test.ts holds them',
  'node test/docs/measure.ts --comments': 'prints figures; test/house/style.test.ts holds them',
  'npm run test:neighbors': suites,
  'npx biome check --write .': 'it changes the tree; `npm run check` runs it without --write',
  'npx vitest run --project main test/attacks': suites,
  'npm run test:crash': suites,
  'npm --prefix proof run breakages': laboratory,
  'npm --prefix proof run breakages -- attacks': laboratory,
  'npm run test:crash -- test/crash/<file>': suites,
  'npm --prefix proof run live': live,
  'npm --prefix proof run live -- data/hostler.env': live,
  'npm --prefix proof run nightly': laboratory,
  'npm --prefix proof run simulate': laboratory,
  'npm --prefix proof run views': 'runs the whole main suite; test/cli/check/check-views.test.ts reads such a folder',
  'npm start': 'test/ship/readme.test.ts starts it',
  'npx hostler --settings data/hostler.env': 'it does not end; test/ship/readme.test.ts starts with such settings',
  'npx hostler setup': 'test/ship/readme.test.ts runs it',
  'npx hostler setup --request-url https://hostler.example.com': 'test/cli/setup/setup.test.ts runs it in a terminal',
  'npx hostler simulate slack': 'it does not end; test/sandbox/cli starts it',
  'pg_dump --format=custom --file=hostler.dump "$DATABASE_URL"': 'test/ship/backup.test.ts runs it',
  'pg_restore --clean --if-exists --dbname="$DATABASE_URL" hostler.dump': 'test/ship/backup.test.ts runs it',
};

test('each shell line of the documentation is in one of these lists', () => {
  expect(written).toEqual([reads, inOrder, refused, elsewhere].flatMap((lines) => Object.keys(lines)).sort());
});

test('each test file that a reason names exists', () => {
  const named = Object.values(elsewhere).flatMap((reason) => reason.match(/\btest\/[\w/.-]+/g) ?? []);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test('the shell lines that can run succeed', async () => {
  const { settings } = await openSimulators();
  const home = await newFolder('lines');
  await mkdir(join(home, 'backups'));
  for (const name of ['package.json', 'node_modules', 'dist', 'bin', 'manifest.yml'])
    await symlink(resolve(name), join(home, name));
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    DATABASE_URL: './hostler.db',
    PORT: '0',
    ...settings,
    HOSTLER_SECRET_KEY_PREVIOUS: randomBytes(32).toString('base64'),
  };
  /** Runs a line with signs of the shell by the shell, and any other in this process, which saves the start of a process. */
  const run = async (line: string) => {
    if (!/[>$"]/.test(line)) return runInPlace(home, env, line.split(' ').slice(2));
    // The reader's own folder is at the root.
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', line.replaceAll(' /backups/', ' ./backups/')], {
      cwd: home,
      env,
    });
    return { code: 0, said: stdout };
  };
  const succeeds = async ([line, prints]: readonly [string, RegExp]) => {
    const { code, said } = await run(line);
    expect(said, line).toMatch(prints);
    expect(code, line).toBe(0);
  };
  // The first policy of a channel makes the database.
  await writeFile(join(home, 'first.yml'), 'channels: { C0OPS00001: { grants: [{ to: [everyone], can: [read] }] } }\n');
  await succeeds(['npx hostler policy apply first.yml', /applied C0OPS00001/]);
  for (const line of Object.entries({ ...reads, ...inOrder })) await succeeds(line);
  for (const [line, says] of Object.entries(refused)) {
    const { code, said } = await run(line);
    expect(code, line).toBe(1);
    expect(said, line).toMatch(says);
    expect(said, line).not.toMatch(/^ {4}at /m);
  }
});
