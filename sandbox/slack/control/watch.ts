import { channelOf } from '../channels.ts';
import { transcript } from '../reading/transcript.ts';
import { findPerson, type Workspace } from '../world.ts';

export interface WaitOptions {
  /** Whose transcript is looked at, when waiting for words. */
  channel?: string;
  viewer?: string;
  timeoutMs?: number;
}

/** Whoever waits in vain waits this long; on a busy machine everything else takes less. */
export const usualTimeoutMs = 10_000;

export function readTranscript(world: Workspace, ref: string, viewer?: string): string {
  const person = viewer === undefined ? undefined : findPerson(world.state, viewer);
  return transcript(channelOf(world, ref, person), { world, viewer: person });
}

/** Every channel that has something in it; what one sees when a wait was in vain. */
function everything(world: Workspace): string {
  return world.state.channels
    .map((channel) => [channel, transcript(channel, { world })] as const)
    .filter(([, text]) => text !== '')
    .map(([channel, text]) => `#${channel.name}:\n${text}`)
    .join('\n\n');
}

/** Looks again after every change; resolves with what it was waiting for. */
export function waitFor<T>(
  world: Workspace,
  what: string,
  look: () => T | undefined | false | null,
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
        new Error(`waited ${timeoutMs} ms for ${what}; this is what there is:\n${everything(world) || '(nothing)'}`),
      );
    }, timeoutMs);
    const check = (): void => {
      try {
        const found = look();
        if (found === undefined || found === false || found === null || found === '') return;
        stop();
        resolve(found);
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const unsubscribe = world.onChange(check);
    check();
  });
}

export function waitForWords(world: Workspace, words: string | RegExp, options: WaitOptions): Promise<string> {
  const look = (): string | undefined => {
    const text =
      options.channel === undefined ? everything(world) : readTranscript(world, options.channel, options.viewer);
    const isThere = typeof words === 'string' ? text.includes(words) : words.test(text);
    return isThere ? text : undefined;
  };
  return waitFor(
    world,
    `${String(words)}${options.channel === undefined ? '' : ` in ${options.channel}`}`,
    look,
    options.timeoutMs ?? usualTimeoutMs,
  );
}
