import { channelOf } from '../channels.ts';
import { transcript } from '../reading/transcript.ts';
import { findPerson, type Workspace } from '../workspace.ts';

export interface WaitOptions {
  /** The reader of the transcript, for a wait for a text. */
  channel?: string;
  viewer?: string;
  timeoutMs?: number;
}

/** The time limit of a wait, more than any success needs on a busy machine. */
export const usualTimeoutMs = 60_000;

export function readTranscript(workspace: Workspace, ref: string, viewer?: string): string {
  const person = viewer === undefined ? undefined : findPerson(workspace.state, viewer);
  return transcript(channelOf(workspace, ref, person), { workspace, viewer: person });
}

/** All channels with messages, for the error of a wait that timed out. */
function everything(workspace: Workspace): string {
  return workspace.state.channels
    .map((channel) => [channel, transcript(channel, { workspace })] as const)
    .filter(([, text]) => text !== '')
    .map(([channel, text]) => `#${channel.name}:\n${text}`)
    .join('\n\n');
}

/** Checks after every change, and resolves with the first match. */
export function waitFor<T>(
  workspace: Workspace,
  what: string,
  read: () => T | undefined | false | null,
  timeoutMs: number,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      unsubscribe();
    };
    const timer = setTimeout(() => {
      unsubscribe();
      reject(
        new Error(
          `waited ${timeoutMs} ms for ${what}; this is what there is:\n${everything(workspace) || '(nothing)'}`,
        ),
      );
    }, timeoutMs);
    const check = (): void => {
      try {
        const value = read();
        if (value === undefined || value === false || value === null || value === '') return;
        stop();
        resolve(value);
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const unsubscribe = workspace.onChange(check);
    check();
  });
}

export function waitForWords(workspace: Workspace, words: string | RegExp, options: WaitOptions): Promise<string> {
  const readWords = (): string | undefined => {
    const text =
      options.channel === undefined
        ? everything(workspace)
        : readTranscript(workspace, options.channel, options.viewer);
    const isThere = typeof words === 'string' ? text.includes(words) : words.test(text);
    return isThere ? text : undefined;
  };
  return waitFor(
    workspace,
    `${String(words)}${options.channel === undefined ? '' : ` in ${options.channel}`}`,
    readWords,
    options.timeoutMs ?? usualTimeoutMs,
  );
}
