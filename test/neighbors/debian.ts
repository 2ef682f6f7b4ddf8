import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { freePort } from '../../sandbox/free-port.ts';
import { defined } from '../../src/core/text/defined.ts';
import { unprivileged } from '../support/database/pg-tools.ts';
import { run } from '../support/process/run.ts';
import { patienceMs } from '../support/suite/patience.ts';

/** Debian's Prometheus, Alertmanager, PgBouncer and Django REST Framework, started by the test on ports of loopback and ended by their process ids. */

const binaries = {
  pgbouncer: '/usr/sbin/pgbouncer',
  postgres: '/usr/bin/psql',
  prometheus: '/usr/bin/prometheus',
  alertmanager: '/usr/bin/prometheus-alertmanager',
  promtool: '/usr/bin/promtool',
  python: '/usr/bin/python3',
  djangoRestFramework: '/usr/lib/python3/dist-packages/rest_framework',
};
const missing =
  'Not all neighbors are installed (Debian: apt-get install prometheus prometheus-alertmanager postgresql pgbouncer python3-djangorestframework): the tests with them are skipped';

/** `.ci/run` installs them, and there a missing one is a failure. */
export function hasNeighbors(): boolean {
  return areThere(Object.values(binaries), missing);
}

export function areThere(paths: readonly string[], missing: string): boolean {
  if (paths.every((path) => existsSync(path))) return true;
  if (process.env.HOSTLER_REQUIRE_NEIGHBORS === '1') throw new Error(missing);
  console.warn(missing);
  return false;
}

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export interface Neighbor {
  readonly url: string;
  readonly port: number;
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM') => void;
}

/** Registers the end of a neighbor: by default at the end of the test. */
type AtEnd = (end: () => Promise<void>) => void;

interface Start {
  readonly as?: { readonly uid: number; readonly gid: number };
  readonly isReady: () => Promise<boolean>;
  readonly atEnd?: AtEnd;
}

export async function start(
  binary: string,
  port: number,
  args: readonly string[],
  { as, isReady, atEnd = onTestFinished }: Start,
): Promise<Neighbor> {
  const child = spawn(binary, args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  children.add(child);
  let words = '';
  child.stderr?.on('data', (chunk) => {
    words = `${words}${chunk}`.slice(-4_000);
  });
  atEnd(async () => {
    const gone = child.exitCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await gone;
    children.delete(child);
  });
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + patienceMs;
  while (!(await isReady())) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${binary} did not start: ${words}`);
    await sleep(50);
  }
  return { url, port, signal: (signal) => child.kill(signal) };
}

function isReadyAt(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/-/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

export async function folder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-neighbors-'));
  atEnd(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Posts each alert within a second or two, and repeats it each second or two. */
export async function startAlertmanager(hook: string): Promise<Neighbor> {
  const dir = await folder();
  const config = {
    route: {
      ...{ receiver: 'hostler', group_by: ['alertname'] },
      ...{ group_wait: '0s', group_interval: '1s', repeat_interval: '1s' },
    },
    receivers: [{ name: 'hostler', webhook_configs: [{ url: hook, send_resolved: true }] }],
  };
  const file = join(dir, 'alertmanager.yml');
  await writeFile(file, stringify(config));
  const port = await freePort();
  const places = [`--config.file=${file}`, `--storage.path=${join(dir, 'data')}`];
  const addresses = [`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='];
  return start(binaries.alertmanager, port, [...places, ...addresses], { isReady: () => isReadyAt(port) });
}

/** Reads the target every second, and raises `Down` while it does not answer. An alert not repeated ends after 4 s. */
export async function startPrometheus(target: number, alertmanagers: readonly number[]): Promise<Neighbor> {
  const dir = await folder();
  const rules = { groups: [{ name: 'test', rules: [{ alert: 'Down', expr: 'up == 0' }] }] };
  const targetOf = (port: number) => `127.0.0.1:${port}`;
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [join(dir, 'rules.yml')],
    alerting: { alertmanagers: [{ timeout: '1s', static_configs: [{ targets: alertmanagers.map(targetOf) }] }] },
    scrape_configs: [{ job_name: 'web', static_configs: [{ targets: [targetOf(target)] }] }],
  };
  await writeFile(join(dir, 'rules.yml'), stringify(rules));
  await writeFile(join(dir, 'prometheus.yml'), stringify(config));
  const port = await freePort();
  const places = [`--config.file=${join(dir, 'prometheus.yml')}`, `--storage.tsdb.path=${join(dir, 'data')}`];
  const args = [...places, `--web.listen-address=127.0.0.1:${port}`, '--rules.alert.resend-delay=1s'];
  return start(binaries.prometheus, port, args, { isReady: () => isReadyAt(port) });
}

/** A pooler before a PostgreSQL of the test; its socket is in the folder of that server. */
export async function startPgBouncer(
  to: { readonly port: number; readonly dir: string },
  settings: Readonly<Record<string, string | number>>,
): Promise<Neighbor> {
  const dir = await folder();
  const port = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: to.dir,
    auth_type: 'trust',
    auth_file: join(dir, 'users.txt'),
    ...settings,
  };
  await writeFile(join(dir, 'users.txt'), '"hostler" ""\n');
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const databases = ['[databases]', `* = host=127.0.0.1 port=${to.port}`];
  await writeFile(join(dir, 'pgbouncer.ini'), [...databases, '[pgbouncer]', ...lines, ''].join('\n'));
  // PgBouncer refuses to run as root.
  const as = await unprivileged();
  if (as !== undefined)
    for (const path of ['', 'users.txt', 'pgbouncer.ini']) await chown(join(dir, path), as.uid, as.gid);
  return start(binaries.pgbouncer, port, [join(dir, 'pgbouncer.ini')], {
    ...defined({ as }),
    isReady: () => isOpen(port),
  });
}

/** The DNS part of the provider's API on a stock Django REST Framework, with a limit of requests such as `5/min`. */
export async function startDjango(atEnd: AtEnd, rate = '100000/min'): Promise<Neighbor> {
  const port = await freePort();
  const args = [join(import.meta.dirname, 'drf.py'), String(port), await folder(atEnd), rate];
  return start(binaries.python, port, args, { isReady: () => isOpen(port), atEnd });
}

function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

/** Runs promtool; returns the text of both its outputs and its exit code. */
export async function promtool(args: readonly string[], input = ''): Promise<{ code: number; words: string }> {
  const child = run(binaries.promtool, args);
  child.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await child;
    return { code: 0, words: `${stdout}${stderr}` };
  } catch (error) {
    const { code = 1, stdout = '', stderr = '' } = Object(error);
    return { code: Number(code), words: `${stdout}${stderr}` };
  }
}

/** Runs `promtool test rules` with these cases, over the rules of the documentation unless others are said. */
export async function testRules(
  tests: readonly object[],
  rules: readonly string[] = [join(import.meta.dirname, '../../docs/prometheus-rules.yml')],
) {
  const file = join(await folder(), 'cases.yml');
  await writeFile(file, stringify({ rule_files: rules, evaluation_interval: '1m', tests }));
  return promtool(['test', 'rules', file]);
}
