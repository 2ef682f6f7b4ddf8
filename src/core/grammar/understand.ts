import { risks } from '../policy/policy.ts';
import { defined } from '../text/defined.ts';
import { Refusal } from '../view/errors.ts';
import { type CommandShape, destroys, type Reads, type Understood } from './command-shape.ts';
import { guessing } from './did-you-mean.ts';
import { type Ranked, rank } from './rank.ts';
import { retype, shorten, type Token } from './tokens.ts';
import { negations } from './vocabulary.ts';

/** Reads a line that is not written as a command: as the command that explains most of its words. */

/** More words are not read as a sentence. */
const mostWords = 120;
/** Below this score, the words say too little. */
const least = 2;
/** A command is clear that explains more than the next one by this. */
const lead = 1;
const mostOffered = 3;

export function understand<C extends CommandShape>(
  tokens: readonly Token[],
  commands: readonly C[],
  reads: Reads<C>,
): Understood<C> | { readonly refusal: Refusal } | undefined {
  if (tokens.length > mostWords) return undefined;
  const possible = rank(tokens, commands).filter(
    ({ command, rest, score }) => score >= least && reads(command, rest) !== 'not',
  );
  const [first, second] = possible;
  if (first === undefined) return undefined;
  const { command, rest, left } = first;
  const line = shorten(tokens.map(({ text }) => text).join(' '));
  const isClear = second === undefined || first.score - second.score >= lead;
  const note = `Took “${line}” as \`${command.path}\`.`;
  if (isClear && command.kind === 'query') return { command, rest, note, isTaken: true };
  const negation = left.find(
    ({ text, isQuoted }) => !isQuoted && negations.has(text.toLowerCase().replaceAll("'", '')),
  );
  if (isClear && negation !== undefined)
    return {
      refusal: new Refusal('not_understood', `Nothing was done: the line says “${shorten(negation.text)}”.`, {
        hint: '`/host requests` shows what is asked, and `/host scheduled` what begins later.',
        suggestions: [
          { label: 'Requests', command: 'requests' },
          { label: 'Scheduled', command: 'scheduled' },
        ],
      }),
    };
  if (isClear && !destroys(command)) {
    const unused = left.length === 0 ? undefined : left.map(({ text }) => text).join(' ');
    return { command, rest, note, isTaken: true, ...defined({ left: unused }) };
  }
  const near = isClear ? [first] : possible.filter(({ score }) => first.score - score < lead);
  const mildest = Math.min(...near.map((each) => riskOf(each.command)));
  return {
    refusal: guessing(
      `\`${line}\` is not how a command is written.`,
      near
        .filter((each) => riskOf(each.command) === mildest)
        .slice(0, mostOffered)
        .map((each) => ({ path: each.command.path, line: lineFor(each) })),
    ),
  };
}

function lineFor({ command, rest }: Ranked<CommandShape>): string {
  return [command.path, ...rest.map(retype)].join(' ');
}

const riskOf = ({ risk = 'destructive' }: CommandShape) => risks.indexOf(risk);
