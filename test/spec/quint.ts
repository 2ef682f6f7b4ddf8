import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

/** Runs Quint on spec/request.qnt, in a folder of its own. */

const root = join(import.meta.dirname, '../..');
const quint = join(root, 'node_modules/@informalsystems/quint/dist/src/cli.js');

export interface Quint {
  /** Returns the output; throws when Quint finds fault. */
  readonly run: (...words: readonly string[]) => Promise<string>;
  readonly write: (name: string, text: string) => Promise<void>;
  readonly read: (ending: string) => Promise<string[]>;
  readonly close: () => Promise<void>;
}

export async function openQuint(page = join(root, 'spec/request.qnt')): Promise<Quint> {
  const folder = await mkdtemp(join(tmpdir(), 'hostler-spec-'));
  await cp(page, join(folder, 'request.qnt'));
  return {
    run: (...words) =>
      new Promise((resolve, reject) =>
        execFile(process.execPath, [quint, ...words], { cwd: folder, maxBuffer: 1e8 }, (error, out, said) => {
          if (error === null) resolve(out);
          else reject(new Error(`quint ${words.join(' ')}:\n${out}\n${said}`));
        }),
      ),
    write: (name, text) => writeFile(join(folder, name), text),
    read: async (ending) => {
      const files = (await readdir(folder)).filter((name) => name.endsWith(ending)).sort();
      return Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Looks for a run that breaks a promise, in as many as asked for. */
export function findBrokenPromise(quint: Quint, runs: number, seed: number): Promise<string> {
  const words = ['--invariant', 'promises', '--max-samples', String(runs), '--max-steps', '60', '--seed', String(seed)];
  return quint.run('run', 'request.qnt', '--main', 'request', ...words, '--backend', 'typescript', '--verbosity', '1');
}

/** Asks the page which of these runs it does not allow, by their place; one run of Quint judges all of them. */
export async function refusedOf(quint: Quint, runs: readonly (readonly string[])[]): Promise<number[]> {
  try {
    await accept(quint, runs);
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const named = [...error.message.matchAll(/^ *\d+\) history(\d+)Test failed/gm)].map(([, n]) => Number(n));
    // Anything else is a fault of the page or of Quint.
    if (named.length === 0) throw error;
    return named;
  }
}

/** Asks the page whether it allows these runs, each a list of its actions. Throws with the first that it does not. */
export async function accept(quint: Quint, runs: readonly (readonly string[])[]): Promise<void> {
  const tests = runs.map(
    (actions, n) => `  run history${n}Test = init${actions.map((one) => `.then(${one})`).join('')}`,
  );
  await quint.write('accepted.qnt', `module accepted {\n  import request.* from "./request"\n${tests.join('\n')}\n}\n`);
  await quint.run('test', 'accepted.qnt', '--main', 'accepted', '--max-samples', '1', '--backend', 'typescript');
}

const itf = z.object({
  states: z.array(
    z.looseObject({
      'mbt::actionTaken': z.string(),
      'mbt::nondetPicks': z.record(z.string(), z.unknown()).default({}),
      bot: z.looseObject({ state: z.string(), write: z.string() }),
    }),
  ),
});

export interface TraceStep {
  readonly action: string;
  /** The person whom the action names. */
  readonly who: string;
  readonly state: string;
  readonly write: string;
}

/** Runs that the page makes up. */
export async function makeTraces(quint: Quint, count: number, seed: number): Promise<TraceStep[][]> {
  const words = [
    '--max-samples',
    String(count),
    '--n-traces',
    String(count),
    '--max-steps',
    '30',
    '--seed',
    String(seed),
  ];
  const out = ['--mbt', '--out-itf', 'trace{seq}.itf.json', '--backend', 'typescript', '--verbosity', '0'];
  await quint.run('run', 'request.qnt', '--main', 'request', ...words, ...out);
  return (await quint.read('.itf.json')).map((text) =>
    itf.parse(JSON.parse(text)).states.map(({ bot, 'mbt::actionTaken': action, 'mbt::nondetPicks': picks }) => ({
      action,
      who: pickOf(picks.who),
      state: bot.state,
      write: bot.write,
    })),
  );
}

function pickOf(pick: unknown): string {
  const found = z.object({ value: z.string() }).safeParse(pick);
  return found.success ? found.data.value : '';
}
