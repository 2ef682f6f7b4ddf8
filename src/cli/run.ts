import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readCallerConfig } from '../config.ts';
import type { RunVerdict } from '../core/plan/say-state.ts';
import { CliError } from '../core/view/errors.ts';
import { harmless } from '../slack/outbound/escape.ts';
import { createCaller, type HeardAnswer, usualPatience } from './call-bot.ts';
import { type Cli, reasonOf } from './cli.ts';
import { createProgress, type Followed, followRequest } from './follow-request.ts';
import { sayEnd, sayProblem, sayRead, sayRequest } from './say-answer.ts';
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
    return latest.state === 'done' || latest.end === undefined ? exits.done : ofVerdict[latest.end.verdict];
  }
  const isWaiting = latest.state === 'waiting';
  const goesOn = !left.isStopped ? 'has no known end' : isWaiting ? 'still waits for people' : 'may still run';
  remark(
    `${left.words} “${latest.title}” ${goesOn}: ${latest.card ?? latest.id}`,
    `The same words with --wait --key ${key} follow it again.`,
  );
  return left.isStopped ? exits.stopped : exits.unclear;
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
