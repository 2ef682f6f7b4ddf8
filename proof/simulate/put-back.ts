import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { copyTree } from '../../test/support/process/copy-tree.ts';
import { whileBroken, wholeFile } from '../breakages/break-line.ts';
import { faults } from './faults.ts';

/** Each fault must show within this number of histories of its world. */
const mostHistories = 1_000;

/** Puts faults back one at a time in a copy and simulates it; false if the simulation misses one of them. */
export async function putBack(names: string, seed: string): Promise<boolean> {
  const chosen = faults.filter(({ name }) => names === 'all' || names.split(',').includes(name));
  if (chosen.length === 0) throw new Error(`there is no such fault; they are ${faults.map(({ name }) => name)}`);
  const copy = await copyTree();
  let missed = 0;
  try {
    for (const part of ['simulate', 'breakages'])
      await cp(join(import.meta.dirname, '..', part), join(copy.folder, 'proof', part), { recursive: true });
    for (const fault of chosen) await wholeFile(copy.folder, fault);
    console.log('| Put back | Found by the rule | In the world | Histories |\n|---|---|---|---|');
    for (const fault of chosen) {
      const violation = await whileBroken(copy.folder, fault, () => simulate(copy.folder, fault.world, seed));
      if (violation === undefined) missed++;
      const [, histories, , rule] = /^Found after (\d+) histories, in "(.*)": ([\w-]+):/.exec(violation ?? '') ?? [];
      console.log(`| ${fault.what} | ${rule ?? 'NOT FOUND'} | ${fault.world} | ${histories ?? mostHistories} |`);
    }
  } finally {
    await copy.remove();
  }
  console.log(`${chosen.length - missed} of ${chosen.length} were found, with seed ${seed}.`);
  return missed === 0;
}

/** Returns the line about the first broken promise, without shortening its history. */
async function simulate(folder: string, world: string, seed: string): Promise<string | undefined> {
  const limits = ['--histories', String(mostHistories), '--seconds', '3600'];
  const args = [join(folder, 'proof/simulate/main.ts'), '--world', world, '--seed', seed, ...limits];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  let violation: string | undefined;
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
    violation ??= /^Found after .*$/m.exec(text)?.[0];
    if (violation !== undefined) child.kill();
  });
  const [code, signal] = await once(child, 'close');
  // A simulation that was interrupted proves nothing about the fault.
  if (violation === undefined && code !== 0)
    throw new Error(`the simulation of "${world}" ended with ${code ?? signal}`);
  return violation;
}
