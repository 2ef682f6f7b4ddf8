import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { copyTree, whileBroken, wholeFile } from '../../test/support/broken-copy.ts';
import { faults } from './faults.ts';

/** Puts faults back one at a time in a copy and runs the simulation on it; answers how many it did not find. */
export async function putBack(name: string, seconds: string, seed: string): Promise<number> {
  const chosen = faults.filter((fault) => name === 'all' || name.split(',').includes(fault.name));
  if (chosen.length === 0)
    throw new Error(`no fault is called ${name}; they are ${faults.map((one) => one.name).join(', ')}`);
  const copy = await copyTree();
  await cp(import.meta.dirname, join(copy.folder, 'proof/simulate'), { recursive: true });
  let missed = 0;
  try {
    for (const fault of chosen) await wholeFile(copy.folder, fault);
    console.log('| Fault | Found by the rule | After histories |\n|---|---|---|');
    for (const fault of chosen) {
      const found = await whileBroken(copy.folder, fault, () => simulate(copy.folder, fault.world, seconds, seed));
      if (found === undefined) missed++;
      const [, histories, world, rule] = /^Found after (\d+) histories, in "(.*)": ([\w-]+):/.exec(found ?? '') ?? [];
      const how = found === undefined ? `NOT FOUND in ${seconds} s | |` : `${rule}, in "${world}" | ${histories} |`;
      console.log(`| ${fault.what} | ${how}`);
    }
  } finally {
    await copy.remove();
  }
  return missed;
}

/** The line that names the first broken promise; it is not waited for that its history is made short. */
async function simulate(folder: string, world: string, seconds: string, seed: string): Promise<string | undefined> {
  const args = [join(folder, 'proof/simulate/main.ts'), '--world', world, '--seconds', seconds, '--seed', seed];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  let found: string | undefined;
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
    found ??= /^Found after .*$/m.exec(text)?.[0];
    if (found !== undefined) child.kill();
  });
  await once(child, 'close');
  return found;
}
