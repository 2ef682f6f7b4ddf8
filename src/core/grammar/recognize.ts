import { recordTypes } from '../dns/record.ts';
import { wordSet } from '../text/words.ts';
import { timeAt } from '../time/said-time.ts';
import type { CommandShape } from './command-shape.ts';
import { baseOf, fillers, type Lexicon, mistyped, negations, stem } from './lexicon.ts';
import { bareLoosely, type Names } from './loosely.ts';
import { bareWord } from './polite.ts';
import type { Token } from './tokens.ts';

/** Recognizes names, times and the words of commands in a line, wherever they stand. */

export interface LineWord {
  readonly token: Token;
  readonly bare: string;
  readonly stem: string;
  /** `restart` of `restarted`. */
  readonly base: string;
  readonly isName: boolean;
  readonly isTime: boolean;
  readonly isType: boolean;
  readonly isFiller: boolean;
  readonly isJoint: boolean;
  /** The word is mistyped. */
  readonly isSlip: boolean;
}

const types = new Set(recordTypes.map((type) => type.toLowerCase()).filter((type) => type !== 'a'));

/** `ci-1`, `192.0.2.1`, `@lena`, `tag:web`; a channel is no name. */
const looksLikeName = (word: string) =>
  /[\d.@]|^tag:|^#\d/.test(word) && /^[\p{L}\p{N}_.:@/#<>|*[\]-]+$/u.test(word) && !/^(?:#\p{L}|-)|\w@\w/u.test(word);

export const isDomain = (word: string) => /^[\w*-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i.test(word);
export const isPerson = (word: string) => /^<?@/.test(word);
const joints = /^(?:to|from|on|in|for|until|by)$/;

/** `reboot-instances` and `ps:restart` are two words, as both are known; `->` is `to`, and `web-1's` is `web-1`. */
function apart(token: Token, words: ReadonlySet<string>): readonly Token[] {
  if (token.isQuoted) return [token];
  const text = token.text.replace(/^tag=(?=\S)/, 'tag:').replace(/^(?:[-=]>|→)$/, 'to');
  const parts = /^\p{L}+(?:[-:]\p{L}+)+$/u.test(text) ? text.split(/[-:]/) : [];
  const isApart = parts.length > 0 && parts.every((word) => words.has(stem(word.toLowerCase(), words)));
  const plain = isApart ? parts : [/[\d.]/.test(text) ? text.replace(/['’]s$/, '') : text];
  return plain.length === 1 && plain[0] === token.text
    ? [token]
    : plain.map((each) => ({ text: each, isQuoted: false }));
}

/** `--name api` is `name=api`. */
function withValues(tokens: readonly Token[], keys: ReadonlySet<string>): readonly Token[] {
  return tokens.flatMap((token, at) => {
    const keyOf = (each: Token | undefined) => {
      const [, key = '', last = ''] =
        (each?.isQuoted === false && /^--([a-z]\w*(?:-\w+)*?(?:-(\w+))?)$/.exec(each.text)) || [];
      return [key.replaceAll('-', '_'), last].find((part) => keys.has(part));
    };
    const next = tokens[at + 1];
    const key = keyOf(token);
    if (keyOf(tokens[at - 1]) !== undefined && key === undefined) return [];
    const isValue = next !== undefined && (next.isQuoted || !next.text.startsWith('-'));
    return key === undefined || !isValue ? [token] : [{ text: `${key}=${next.text}`, isQuoted: false }];
  });
}

/** The most words that are compared with words of similar letters. */
const mostCompared = 12;

export function recognize(typed: readonly Token[], lexicon: Lexicon<CommandShape>, names: Names): readonly LineWord[] {
  const { words } = lexicon;
  const tokens = withValues(typed, lexicon.keys).flatMap((token) => apart(token, words));
  const bares = tokens.map(bareWord);
  const recognized: LineWord[] = [];
  let timeEnd = 0;
  let compared = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    const bare = bares[at] ?? '';
    if (token === undefined) break;
    if (at >= timeEnd) timeEnd = timeAt(bares, at)?.end ?? at;
    const isTime = at < timeEnd;
    const dictionary = stem(bare, words);
    const isFiller =
      !token.isQuoted && !isTime && (fillers.has(bare) || fillers.has(dictionary) || /^[?!.,;-]+$/.test(bare));
    const isKnown = words.has(dictionary) || isFiller || negations.has(dictionary) || types.has(bare);
    const named = token.isQuoted ? undefined : nameAt(tokens, at, names, isKnown);
    if (named !== undefined) {
      const text = named.count === 1 && !named.isShort ? token.text : named.name;
      const word = { bare: named.count === 1 ? bare : text.toLowerCase(), stem: '\0', base: '\0' };
      const is = { isName: true, isTime: false, isType: false, isFiller: false, isJoint: false, isSlip: false };
      recognized.push({ token: { text, isQuoted: false }, ...word, ...is });
      at += named.count - 1;
      continue;
    }
    const isName = !token.isQuoted && !isTime && looksLikeName(bare);
    const isStrange = !isKnown && !isTime && !isName && !token.isQuoted;
    const near = isStrange && compared++ < mostCompared ? mistyped(bare, at, lexicon) : undefined;
    const word = { bare, stem: near ?? dictionary, base: near ?? baseOf(bare, words) };
    const isType = !token.isQuoted && types.has(bare);
    recognized.push({
      token,
      ...word,
      isName,
      isTime,
      isType,
      isFiller,
      isJoint: joints.test(bare),
      isSlip: near !== undefined,
    });
  }
  return recognized;
}

/** Before `tag web`, these say that the tag changes. */
const tagging = wordSet('add remove put set delete take untag label');
const mostWordsOfName = 4;

/** The longest name that begins here, loosely typed. A word of a phrase is a name if it is typed with a capital letter. */
function nameAt(tokens: readonly Token[], at: number, names: Names, isKnown: boolean) {
  for (let count = Math.min(mostWordsOfName, tokens.length - at); count > 0; count--) {
    const typed = tokens.slice(at, at + count).map(bareWord);
    const loose = bareLoosely(typed.join(''));
    const name = names.get(loose);
    if (name === undefined) continue;
    const isTag = name.startsWith('tag:') && tagging.has(bareWord(tokens[at - 1]));
    const isMeant = name.startsWith('tag:') && count === 2 && !/^(?:tag|all|every)$/.test(typed[0] ?? '') && isKnown;
    if (isMeant) continue;
    const isTyped = count > 1 || !isKnown || (tokens[at]?.text === name && /^\p{Lu}/u.test(name));
    const isShort = bareLoosely(name) !== loose;
    const isOne = count === 1 || !isShort || name.startsWith('tag:') || /(?:server|machine|computer|box)$/.test(loose);
    if (isTyped && !isTag && isOne) return { name, count, isShort };
  }
  return undefined;
}
