import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The bot keeps there what it compiled (src/main.ts); a script has the same modules to compile. */
const NODE_COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/hostler');

/** Runs a script as a process of its own, and gives all that it printed. */
export async function runScript(
  file: string,
  ...args: readonly string[]
): Promise<{ readonly code: unknown; readonly text: string }> {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, NODE_COMPILE_CACHE } });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  const [code] = await once(child, 'close');
  return { code, text };
}
