import { Refusal } from '../view/errors.ts';
import type { CommandShape, RawArgs } from './command-shape.ts';
import { bareWord, longestOpening } from './polite.ts';
import { takesTiming, timingKey, timingWord } from './timing-keys.ts';
import type { Token } from './tokens.ts';

/** `break-glass restart web-1 because …` and `restart web-1 break-glass=yes because …` run without approvals. */

const openings = ['break-glass', 'breakglass', 'break glass', 'break the glass'].map((words) => words.split(' '));

export function cutGlass(tokens: readonly Token[]): { readonly tokens: readonly Token[]; readonly isGlass: boolean } {
  const count = longestOpening(tokens.map(bareWord), openings);
  return { tokens: tokens.slice(count), isGlass: count > 0 };
}

/** The arguments with the option, or a refusal for a command that needs no approval. */
export function withGlass(command: CommandShape, raw: RawArgs): RawArgs | Refusal {
  if (takesTiming(command)) return { ...raw, [timingKey('break-glass')]: ['yes'] };
  return new Refusal('impossible', `\`${command.path}\` needs no approval, so there is no glass to break.`);
}

export function wantsGlass(raw: RawArgs): boolean {
  const word = timingWord(raw, 'break-glass')?.toLowerCase();
  if (word === undefined || word === 'no') return false;
  if (word === 'yes') return true;
  throw new Refusal('bad_value', '`break-glass` is neither yes nor no.', {
    hint: '`yes` runs it without approvals, if the policy of the channel names you.',
  });
}
