import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { compileCache } from './compile-cache.ts';

/** Runs a script as a separate process, and gives its whole output. */
export async function runScript(
  file: string,
  ...args: readonly string[]
): Promise<{ readonly code: unknown; readonly text: string }> {
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...compileCache } });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += String(chunk);
    });
  const [code] = await once(child, 'close');
  return { code, text };
}
