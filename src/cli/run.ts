import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readCallerConfig } from '../config.ts';
import { type RunVerdict, stateWords } from '../core/plan/say-state.ts';
import { CliError } from '../core/view/errors.ts';
import { harmless } from '../slack/outbound/escape.ts';
import { type BotCalls, createCaller, type HeardAnswer, usualPatience } from './call-bot.ts';
import { type Cli, reasonOf } from './cli.ts';
import { type AskedRequest, sayEnd, sayProblem, sayRead, sayRequest } from './say-answer.ts';
import { usages } from './usages.ts';

/** The exit codes. A signal that stops the waiting gives 130, as in a shell. */
export const exits = {
  done: 0,
  notRun: 1,
  wrongUse: 2,
  unclear: 3,
  otherwise: 4,
  refused: 5,
  unreachable: 69,
  stopped: 130,
};
const ofVerdict: Readonly<Record<RunVerdict, number>> = {
  ran: exits.otherwise,
  'did not run': exits.notRun,
  'not known: do not repeat': exits.unclear,
};

const ofProcess = {
  note: (text: string): unknown => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  patience: usualPatience,
};

/** Asks a bot on another machine with a token, and may follow the request to its end. */
export async function runRun({ argv, print }: Cli, { note, isTerminal, patience } = ofProcess): Promise<number> {
  const { lines, dryRun, wait, json, key, config } = readWords(argv);
  const remark = (...words: readonly string[]) =>
    note(`${isTerminal ? '\r\u001b[K' : ''}${harmless(words.join('\n'))}\n`);
  const bot = createCaller(config, patience, (why) => remark(`${config.url}: ${why} Trying again.`));
  const asked = await bot.ask({ line: lines, key, dryRun });
  if ('why' in asked) {
    const words = `${config.url} cannot be reached. ${asked.why}\nThe same words with --key ${key} are the same request.`;
    throw new CliError(harmless(words), { exitCode: exits.unreachable });
  }
  const say = json ? () => {} : (words: readonly string[]) => print(harmless(words.join('\n')));
  const { answer } = asked;
  if (answer.kind !== 'request') {
    if (json) print(jsonOf(asked));
    else if (answer.kind === 'problem') remark(...sayProblem(answer));
    else say(sayRead(answer));
    return answer.kind === 'problem' ? exits.refused : exits.done;
  }
  say(sayRequest(answer));
  const progress = createProgress(harmless(answer.title), isTerminal, note);
  const start: Followed = { last: asked, latest: answer };
  const { last, latest, left } = wait ? await followRequest(bot, start, progress) : start;
  if (wait && isTerminal) note('\n');
  if (json) print(jsonOf(last));
  if (left === undefined) {
    if (latest.end !== undefined) say(sayEnd(latest.end, latest.next));
    return codeOfEnd(latest);
  }
  const isWaiting = latest.state === 'waiting';
  const goesOn = !left.isStopped ? 'has no known end' : isWaiting ? 'still waits for people' : 'may still run';
  remark(
    `${left.words} “${latest.title}” ${goesOn}: ${latest.card ?? latest.id}`,
    `The same words with --wait --key ${key} follow it again.`,
  );
  return left.isStopped ? exits.stopped : exits.unclear;
}

function codeOfEnd({ state, end }: AskedRequest): number {
  return state === 'done' || end === undefined ? exits.done : ofVerdict[end.verdict];
}

/** One line of JSON, in which control characters are escaped. */
function jsonOf({ body }: HeardAnswer): string {
  const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(body).replace(/[\p{Cc}\p{Bidi_Control}]/gu, escaped);
}

const options = {
  wait: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  key: { type: 'string' },
} as const;

function readWords(argv: readonly string[]) {
  try {
    const { values, positionals: lines } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const [first = ''] = lines;
    if (first.trim() === '') throw new Error(`Name a line, in quotes.\n${usages.run}`);
    if (lines.length > 1 && !first.trim().includes(' '))
      throw new Error(`Each argument is a line. Put the words of one into quotes: hostler run "${lines.join(' ')}"`);
    const { wait, json, 'dry-run': dryRun, key = randomUUID() } = values;
    return { lines, wait, json, dryRun, key, config: readCallerConfig(process.env) };
  } catch (error) {
    throw new CliError(reasonOf(error), { exitCode: exits.wrongUse });
  }
}

export interface Followed {
  readonly latest: AskedRequest;
  /** The last answer, which is a problem if the bot refused to say more. */
  readonly last: HeardAnswer;
  /** Missing at the end of the request. */
  readonly left?: { readonly isStopped: boolean; readonly words: string };
}

const signals = ['SIGINT', 'SIGTERM'] as const;

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
      onState(wordOf(latest.state));
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

function wordOf(state: string): string {
  return Object.entries<string>(stateWords).find(([name]) => name === state)?.[1] ?? state;
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
