import { phraseList, withoutEnd, wordSet } from '../text/words.ts';
import type { Token } from './tokens.ts';

/** Fillers around a name: `the server web-1 now, please`. In quotes, they are ordinary words. */
const fillers = wordSet(
  'please pls plz kindly thanks thank you thx now immediately quickly asap again last past right ok okay the my our',
  'me of for from to into this server servers vps machine host domain zone project order',
);

/** Polite words and the names of other tools at the beginning of a line. */
const openings = phraseList(
  `hi · hello · hey · bot · ok · okay · so · please · pls · plz · kindly · hostler · @hostler · just · quickly · can you ·
    could you · would you · will you · can we · i want to · i need to · i would like to · i'd like to · i need ·
    i want · we need · we want · we need to · we want to · please to · make a · make the · do a · do the · let's ·
    lets · let us · good morning · thanks · thank you · thx · dear · there · and · also · /host · host · hcloud ·
    kubectl · doctl · compute · systemctl · aws · ec2 · route53 · gcloud · vultr-cli · linode-cli · heroku · gh · hostler · openstack · ugh · um · hmm · yo · well · oh ·
    may i ask · would it be possible to · i should like to · please be so kind as to · be so kind as to · dear bot · sorry`,
).map((phrase) => phrase.split(' '));

/** Drops the polite beginning of a line. */
export function withoutOpening(tokens: readonly Token[]): readonly Token[] {
  const words = tokens.map(bareWord);
  let start = 0;
  for (let count = 1; count > 0; start += count) count = longestOpening(words, openings, start);
  return tokens.slice(start);
}

const smallTalk =
  /^(?:very much|so much|wrong (?:channel|window|button)|how are you|are you (?:an? )?(?:real|robot|bot|human|person|there|ok)|good (?:night|bye)|bye|you are (?:an? )?(?:robot|bot)|(?:that|this) (?:was|is) (?:very |really )?(?:helpful|great|nice)|going (?:back )?(?:home|to (?:bed|sleep))$|nice|great|cool|well done|kk?|lol|wow)(?: |$)/;

const mostSmallTalk = 8;

/** Whether nothing is asked of the bot, as in `sorry, wrong channel`. */
export function isSmallTalk(tokens: readonly Token[]): boolean {
  return tokens.length <= mostSmallTalk && smallTalk.test(tokens.map(bareWord).join(' '));
}

/** The length in words of the longest phrase at the start. */
export function longestOpening(words: readonly string[], phrases: readonly (readonly string[])[], start = 0): number {
  const matches = phrases.filter((phrase) => phrase.every((word, index) => words[start + index] === word));
  return Math.max(0, ...matches.map(({ length }) => length));
}

export function isFiller(token: Token): boolean {
  return !token.isQuoted && (fillers.has(bareWord(token)) || /^[?!.,]+$/.test(token.text));
}

export const isNoFiller = (token: Token): boolean => !isFiller(token);

/** The word in lower case without trailing punctuation; no word, as quoted text, is a polite one. */
export function bareWord(token: Token | undefined): string {
  return token === undefined || token.isQuoted ? '\0' : withoutMark(token.text.toLowerCase().replaceAll('’', "'"));
}

export function withoutMark(word: string): string {
  return withoutEnd(word, '?!.,:;') || word;
}
