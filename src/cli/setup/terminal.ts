import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from '../cli.ts';

/** A person at a terminal: questions one after the other, and lines between them. */
export interface Terminal {
  readonly say: (line: string) => void;
  /** The answer without spaces around it; `otherwise` for an empty one. */
  readonly ask: (question: string, otherwise?: string) => Promise<string>;
  /** The same, and what is typed is not shown. */
  readonly askHidden: (question: string) => Promise<string>;
  readonly close: () => void;
}

export function openTerminal(
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Terminal {
  let isHidden = false;
  const shown = new Writable({
    write: (chunk, _, done) => {
      if (!isHidden) output.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input, output: shown, terminal: true, historySize: 0 });
  const stop = new AbortController();
  lines.on('SIGINT', () => stop.abort());
  lines.on('close', () => stop.abort());
  const answer = async (question: string) => {
    try {
      return (await lines.question(question, { signal: stop.signal })).trim();
    } catch {
      throw new CliError('\nStopped. Answers are kept; hostler setup continues from there.', { exitCode: 130 });
    }
  };
  return {
    say: (line) => void output.write(`${line}\n`),
    ask: async (question, otherwise) => {
      const words = otherwise === undefined || otherwise === '' ? question : `${question} [${otherwise}]`;
      return (await answer(`${words}: `)) || (otherwise ?? '');
    },
    askHidden: async (question) => {
      output.write(`${question}: `);
      isHidden = true;
      try {
        return await answer('');
      } finally {
        isHidden = false;
        output.write('\n');
      }
    },
    close: () => lines.close(),
  };
}
