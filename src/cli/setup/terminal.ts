import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from '../../core/view/errors.ts';

export type Terminal = ReturnType<typeof openTerminal>;

/** Prints lines to a person at a terminal and asks one question at a time. */
export function openTerminal(
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
  stopped = 'Stopped. Answers are kept; hostler setup continues from there.',
) {
  let isHidden = false;
  /** The open question whose answer is visible. */
  let open: string | undefined;
  // This listener runs before readline's, so that a pasted key is hidden before it is shown.
  input.on('data', (keys: Buffer | string) => {
    if (open === undefined || isHidden || !looksLikeKey(`${lines.line}${keys}`)) return;
    isHidden = true;
    if (lines.line !== '') output.write(`\r\u001b[2K${open}`);
  });
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
      throw new CliError(`\n${stopped}`, { exitCode: 130 });
    }
  };
  return {
    say: (line: string): void => void output.write(`${line}\n`),
    /** Returns the trimmed answer, or `otherwise` if it is empty. */
    prompt: async (question: string, otherwise?: string): Promise<string> => {
      const words = `${otherwise === undefined || otherwise === '' ? question : `${question} [${otherwise}]`}: `;
      for (;;) {
        open = words;
        const typed = await answer(words).finally(() => {
          if (isHidden) output.write('\n');
          open = undefined;
          isHidden = false;
        });
        if (!looksLikeKey(typed)) return typed || (otherwise ?? '');
        output.write(
          'That looks like a key, so setup did not keep it. Enter keys at their own question, which hides them.\n',
        );
      }
    },
    askHidden: async (question: string): Promise<string> => {
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

const slackKey = /\bx(?:ox[a-z]|app)-/i;
/** Longer than the letters and digits in any address, name, channel id or member id. */
const longWord = /[A-Za-z0-9_+=-]{24,}/g;

/** Whether the text contains a Slack token, or a long word of letters and digits. */
export function looksLikeKey(text: string): boolean {
  if (slackKey.test(text)) return true;
  return (text.match(longWord) ?? []).some((word) => /\d/.test(word) && /[A-Za-z]/.test(word));
}
