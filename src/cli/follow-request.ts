import { stateWords } from '../core/plan/say-state.ts';
import type { BotCalls, HeardAnswer } from './call-bot.ts';
import type { AskedRequest } from './say-answer.ts';

export interface Followed {
  readonly latest: AskedRequest;
  /** The last answer, which is a problem if the bot refused to say more. */
  readonly last: HeardAnswer;
  /** Missing at the end of the request. */
  readonly left?: { readonly isStopped: boolean; readonly words: string };
}

const signals = ['SIGINT', 'SIGTERM'] as const;
const wordsOfStates = new Map(Object.entries<string>(stateWords));

/** Reads the request until it ends, the bot cannot be asked any further, or a signal stops the waiting. */
export async function followRequest(
  bot: Pick<BotCalls, 'follow'>,
  { last: first, latest: asked }: Followed,
  onState: (words: string) => void,
): Promise<Followed> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of signals) process.once(signal, onSignal);
  let [last, latest] = [first, asked];
  try {
    for (;;) {
      onState(wordsOfStates.get(latest.state) ?? latest.state);
      // A standing approval ends after weeks; each of its runs is another request.
      if (latest.end !== undefined || latest.state === 'standing') return { last, latest };
      const heard = await bot.follow(latest.id, stop.signal);
      if ('why' in heard) return { last, latest, left: { isStopped: false, words: heard.why } };
      last = heard;
      if (heard.answer.kind !== 'request') {
        const words = heard.answer.kind === 'problem' ? heard.answer.detail : 'It answers something else.';
        return { last, latest, left: { isStopped: false, words } };
      }
      latest = heard.answer;
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    return { last, latest, left: { isStopped: true, words: 'Stopped waiting.' } };
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

/** Shows states on a terminal all in one line, and in a log in a line each. */
export function createProgress(title: string, isTerminal: boolean, note: (text: string) => void) {
  const shown: string[] = [];
  return (word: string) => {
    if (shown.at(-1) === word) return;
    shown.push(word);
    note(isTerminal ? `\r\u001b[K${shown.slice(-4).join(' → ')}` : `${title}: ${word}\n`);
  };
}
