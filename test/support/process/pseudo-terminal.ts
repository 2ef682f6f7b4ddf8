import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { patienceMs } from '../suite/patience.ts';

/** A program at a terminal: its screen, and keys. Debian's `script` makes the terminal. */
export interface PseudoTerminal {
  /** Everything that was on the screen, without colors. */
  readonly screen: () => string;
  /** Waits for new words. */
  readonly see: (words: RegExp, withinMs?: number) => Promise<string>;
  readonly type: (keys: string) => void;
  /** Waits for the words, then types an answer and Enter. */
  readonly answer: (question: RegExp, keys: string) => Promise<void>;
  readonly ended: Promise<number | null>;
}

export function openPseudoTerminal(
  command: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): PseudoTerminal {
  const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = spawn('/usr/bin/script', ['--quiet', '--flush', '--return', '--command', `exec ${line}`, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const screen = () => stripVTControlCharacters(shown).replaceAll('\r', '');
  const see: PseudoTerminal['see'] = async (words, withinMs = patienceMs) => {
    for (const until = performance.now() + withinMs; performance.now() < until; ) {
      const found = words.exec(screen().slice(seen));
      if (found !== null) {
        seen += found.index + found[0].length;
        return found[0];
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`waited in vain for ${words} after:\n${screen()}`);
  };
  const type = (keys: string) => void child.stdin.write(keys);
  return {
    screen,
    see,
    type,
    answer: async (question, keys) => {
      await see(question);
      type(`${keys}\r`);
    },
    ended,
  };
}
