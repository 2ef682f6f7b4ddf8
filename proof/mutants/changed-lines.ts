import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function git(root: string, ...words: readonly string[]): Promise<string | undefined> {
  try {
    return (await run('git', [...words], { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout.trim();
  } catch {
    return undefined;
  }
}

/**
 * Lines that differ from the base, as Stryker takes them: `src/core/policy.ts:10-20`. The base is where this branch left
 * origin/main, and on that branch itself the commit before; nothing where there is none.
 */
export async function changedLines(root: string, given: string | undefined): Promise<string[]> {
  const head = await git(root, 'rev-parse', 'HEAD');
  const left = await git(root, 'merge-base', 'HEAD', 'origin/main');
  const base = given ?? (left !== undefined && left !== head ? left : 'HEAD~1');
  const diff = await git(root, 'diff', '--unified=0', '--no-color', '--diff-filter=AM', base, '--', 'src');
  return diff === undefined ? [] : linesIn(diff);
}

export function linesIn(diff: string): string[] {
  const parts: string[] = [];
  let file = '';
  for (const line of diff.split('\n')) {
    file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1] ?? file;
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const from = Number(hunk[1]);
    const count = Number(hunk[2] ?? 1);
    if (count > 0) parts.push(`${file}:${from}-${from + count - 1}`);
  }
  return parts;
}
