import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { copyTree, whileBroken, wholeFile } from '../support/broken-copy.ts';
import { faults } from './faults.ts';

/** Puts faults back one at a time in a copy and runs the simulation on it; answers how many it did not find. */
export async function putBack(name: string, seconds: string, seed: string): Promise<number> {
  const chosen = faults.filter((fault) => name === 'all' || fault.name === name);
  if (chosen.length === 0)
    throw new Error(`no fault is called ${name}; they are ${faults.map((one) => one.name).join(', ')}`);
  const copy = await copyTree();
  let missed = 0;
  try {
    for (const fault of chosen) await wholeFile(copy.folder, fault);
    console.log('| Fault | Found by | After |\n|---|---|---|');
    for (const fault of chosen) {
      const { code, lines } = await whileBroken(copy.folder, fault, () => simulate(copy.folder, seconds, seed));
      const found = lines.find((line) => line.startsWith('Found after '));
      const isFound = code === 1 && found !== undefined;
      if (!isFound) missed++;
      const rule = lines.find((line) => /^ {2}[\w-]+: /.test(line))?.trim();
      console.log(
        `| ${fault.what} | ${isFound ? rule : 'NOT FOUND'} | ${found?.slice('Found after '.length) ?? `${seconds} s`} |`,
      );
    }
  } finally {
    await copy.remove();
  }
  return missed;
}

async function simulate(folder: string, seconds: string, seed: string): Promise<{ code: number; lines: string[] }> {
  const args = [join(folder, 'test/simulate/main.ts'), '--seconds', seconds, '--seed', seed];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
  });
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : -1, lines: text.split('\n') };
}
