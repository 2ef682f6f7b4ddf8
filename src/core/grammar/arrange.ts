import type { CommandShape } from './command-shape.ts';
import { type Explained, headOf, type Sentence } from './explain.ts';
import { exceptions, negations } from './lexicon.ts';
import type { Places } from './places.ts';
import { withoutMark } from './polite.ts';
import { isDomain, isPerson, type LineWord } from './recognize.ts';
import { takesTiming } from './timing-keys.ts';
import { type Token, tokenize } from './tokens.ts';

/** Arranges the words of a line as the arguments of a command. */

/** The positions of words, by their use for a command. */
export interface Sorted {
  /** Everything that no phrase explains. */
  readonly typed: readonly number[];
  /** The recognized words that the command can use. */
  readonly used: readonly number[];
  /** Words that mean something, but not for this command. */
  readonly left: readonly number[];
  /** Words that mean nothing. */
  readonly strange: readonly number[];
  readonly filled: number;
  /** As `filled`, but a domain counts twice for a command about domains. */
  readonly named: number;
  readonly hasUnwelcome: boolean;
}

export const isNumber = (word: string) => /^\d{1,4}$/.test(word);

export function sortWords(
  command: CommandShape,
  takes: Places,
  { words, end, lexicon }: Sentence<CommandShape>,
  { verb, question, own }: Explained<CommandShape>,
): Sorted {
  const isRead = command.kind === 'query';
  const explained = new Set(own);
  const heard = new Set([...(verb?.at ?? []), ...(question?.at ?? [])]);
  const last = Math.max(-1, ...explained);
  const hasZone = words.some(({ bare }) => isDomain(bare));
  const takesTime = takes.time || (!isRead && takesTiming(command));
  const [typed, used, left, strange]: [number[], number[], number[], number[]] = [[], [], [], []];
  let [filled, named, hasUnwelcome] = [0, 0, false];
  for (const [at, word] of words.entries()) {
    const { token, bare, stem } = word;
    const isPeople = takes.person && /^every(?:one|body)$/.test(bare);
    const isFiller = (word.isFiller && !isPeople) || (isRead && /^(?:all|any|every|more|another|new|list)$/.test(bare));
    const mayChoose = token.text !== 'a' && (!isFiller || /^(?:on|off|all)$/.test(bare)) && !(isRead && word.isJoint);
    const isChoice = mayChoose && takes.choices.some(({ fits }) => fits?.(token.text));
    const isExplained = explained.has(at) && !(isChoice && !heard.has(at));
    if (!isExplained && !(isFiller && (typed.length === 0 || at < last))) typed.push(at);
    if (!isRead && (at >= end || token.isQuoted)) used.push(at);
    else if (isExplained || (word.isTime && bare === 'this')) continue;
    else if (takes.isOption(token) || (isRead && takes.introducing.has(bare))) used.push(at);
    else if (word.isTime) (takesTime && !isBehindUntil(words, at) ? used : left).push(at);
    else if (isRead && word.isName && hasExceptionBefore(words, at)) left.push(at);
    else if (isPeople || (takes.record && (/\w=\w/.test(token.text) || isHost(words, at)))) used.push(at);
    else if (isChoice || word.isName || (word.isType && takes.record)) {
      const isWelcome =
        isChoice ||
        word.isType ||
        (takes.filter && !isPerson(bare) && command.path !== 'help') ||
        isPlaced(word, takes, hasZone);
      const isZone = (takes.domain || takes.isZone) && isDomain(bare);
      if (isWelcome && !word.isType) filled += 1;
      if (isWelcome) named += isZone ? 2 : 1;
      hasUnwelcome ||= !isWelcome;
      (isWelcome ? used : left).push(at);
    } else if (takes.names && /^(?:all|everything|every)$/.test(bare)) used.push(at);
    else if (isFiller) used.push(...(!isRead && word.isJoint ? [at] : []));
    else (lexicon.heavy.has(stem) || negations.has(stem) ? left : strange).push(at);
  }
  // A name without digits, of a server or of a host, or a word of a filter.
  const [only] = strange.map((at) => words[at]?.bare ?? '');
  const isOne = named === 0 && strange.length === 1 && left.length === 0 && !only?.startsWith('-');
  if ((takes.names || takes.list) && isOne) used.push(...strange.splice(0));
  return { typed, used: used.sort((a, b) => a - b), left, strange, filled, named, hasUnwelcome };
}

/** `shop in example.com` */
function isHost(words: readonly LineWord[], at: number): boolean {
  const [word, joint, zone] = words.slice(at, at + 3);
  const isBefore = /^(?:in|on|of|for|under)$/.test(joint?.bare ?? '') && isDomain(zone?.bare ?? '');
  return isBefore && word?.isFiller === false && /^[\w-]+$/.test(word.bare);
}

/** `until she is back on 14 dec`: the time is no begin. */
const isBehindUntil = (words: readonly LineWord[], at: number) =>
  words
    .slice(Math.max(0, at - mostBehindUntil), at)
    .some(({ bare, isTime }) => !isTime && /^(?:until|till?)$/.test(bare));
const mostBehindUntil = 5;

const hasExceptionBefore = (words: readonly LineWord[], at: number) =>
  words.slice(0, at).some(({ stem }) => exceptions.has(stem));

/** Whether the command has a place for this name. */
function isPlaced({ bare, stem }: LineWord, takes: Places, hasZone: boolean): boolean {
  if (isPerson(bare)) return takes.person;
  if (isNumber(bare)) return takes.key;
  if (bare.startsWith('tag:')) return takes.several;
  const isOfAccount = stem === '\0';
  if (takes.order) return takes.names && (isOfAccount || !isDomain(bare));
  // A server beside a domain is not its host.
  return takes.domain ? isDomain(bare) || !isOfAccount || !hasZone : takes.names;
}

/** So few words are read as they stand. */
const mostShort = 2;
/** A sentence about a record or about people has words that are no part of it. */
const mostStrange = 3;

export interface Rest {
  /** The words that are arguments. */
  readonly rest: readonly Token[];
  /** The words without a use. */
  readonly left: readonly LineWord[];
}

/** All words that no phrase explains, where they may be free text; and the recognized ones. */
export function restsOf(
  { path, kind }: CommandShape,
  takes: Places,
  { words, end, lexicon }: Sentence<CommandShape>,
  explained: Explained<CommandShape>,
  { typed, used, left, strange }: Sorted,
): readonly Rest[] {
  const parts = [explained.verb, explained.thing, explained.question].flatMap((part) => part ?? []);
  const phrased = parts.flatMap(({ phrase }) => phrase.adds ?? []).join(' ');
  const adds = tokenize(phrased === '' ? explained.adds : phrased);
  const tokensAt = (positions: readonly number[]) =>
    before(
      adds,
      positions.flatMap((at) => withKey(words[at], words[at - 1], takes.keys) ?? []),
    );
  const isPart = (at: number) => at >= end || words[at]?.isJoint !== true || words[at]?.isTime === true;
  const needed = used.filter((at, index) => isPart(at) || (index > 0 && used.includes(at + 1)));
  const unused = [...left, ...strange].sort((a, b) => a - b).flatMap((at) => words[at] ?? []);
  const ordered = takes.record ? inOrder(needed, words, end, takes).filter(isPart) : needed;
  const recognized: Rest = { rest: tokensAt(ordered).map(plainly), left: unused };
  const isHead = parts.some(({ at }) => headOf(at) > 0);
  const isShort = isHead && (unused.length === 0 || (!takes.names && typed.length <= mostShort));
  const mayBegin = takes.mayBegin(words[typed[0] ?? -1]?.token.text ?? '');
  const isAllTyped = kind === 'query' ? takes.text : isShort || (takes.free && mayBegin);
  if (!isAllTyped) return [recognized];
  if ((takes.domain || takes.person) && strange.length > mostStrange) return [recognized];
  if (kind === 'query') {
    const about = asked(typed, words, explained);
    const topic = words[about[0] ?? -1];
    const isTopic = path !== 'help' || topic?.token.isQuoted || lexicon.names.has(topic?.stem ?? '');
    return [...(isTopic ? [{ rest: tokensAt(about).map(plainly), left: [] }] : []), recognized];
  }
  const all: Rest = { rest: tokensAt(inOrder(typed, words, end, takes)), left: [] };
  // Of a sentence about a record, the recognized words are the record.
  return takes.record && strange.length > 1 ? [recognized, all] : [all, recognized];
}

/** The words behind a question, such as the command of `who may`; or those before it. */
function asked(
  typed: readonly number[],
  words: readonly LineWord[],
  { question }: Explained<CommandShape>,
): readonly number[] {
  const telling = typed.filter((at) => !/^(?:the|our|my|an?|here)$/.test(words[at]?.bare ?? ''));
  const behind = telling.filter((at) => at > (question?.at[0] ?? -1));
  return behind.length > 0 ? behind : telling;
}

/** The words as a command takes them: a target first, without fillers around names. */
function inOrder(typed: readonly number[], words: readonly LineWord[], end: number, takes: Places): readonly number[] {
  const hasZone = words.some(({ bare }) => isDomain(bare));
  const isMeant = (at: number) =>
    at >= end ||
    !((takes.isPlain && words[at]?.isFiller && !words[at]?.isJoint) || (takes.record && !hasZone && words[at]?.isType));
  const isTarget = (at: number) => words[at]?.isName === true && (!takes.domain || isDomain(words[at]?.bare ?? ''));
  const meant = typed.filter(isMeant);
  const turned = takes.isTargetFirst ? targetFirst(meant, words, isTarget) : meant;
  // `CNAME to shop.example.com`
  const isBehindType = (index: number) => {
    const type = words[turned[index - 1] ?? -1];
    return takes.record && type?.isType === true && type.bare !== 'txt';
  };
  return turned.filter((at, index) => words[at]?.bare !== 'to' || !isBehindType(index));
}

/** `blue from web-1` → `web-1 blue`, `mx to example.com 10 mail` → `example.com mx 10 mail` */
function targetFirst(positions: readonly number[], words: readonly LineWord[], isTarget: (at: number) => boolean) {
  const at = positions.findIndex(isTarget);
  if (at <= 0) return positions;
  const isJoined = /^(?:to|from|on|in|for|of)$/.test(words[positions[at - 1] ?? -1]?.bare ?? '');
  if (!isJoined && at > 1) return positions;
  return [positions[at] ?? 0, ...positions.slice(0, isJoined ? at - 1 : at), ...positions.slice(at + 1)];
}

/** Drops punctuation behind a recognized word; in `1.12.`, the last dot says that it is a day. */
function plainly(token: Token): Token {
  return token.isQuoted || /^[\d.]+$/.test(token.text) ? token : { text: withoutMark(token.text), isQuoted: false };
}

/** `the project Website` is `project=Website` for a command with several names. */
function withKey(word: LineWord | undefined, noun: LineWord | undefined, keys: readonly string[]): Token | undefined {
  const key = keys.length > 1 && word?.isName ? keys.find((each) => each === noun?.stem) : undefined;
  return key === undefined ? word?.token : { text: `${key}=${word?.token.text}`, isQuoted: false };
}

/** `domain:` stands before the next word: `dns tag example.com` is `tag domain:example.com`. */
function before(more: readonly Token[], rest: readonly Token[]): readonly Token[] {
  const [prefix, [first, ...others]] = [more.at(-1), rest];
  if (prefix === undefined || first === undefined || !prefix.text.endsWith(':')) return [...more, ...rest];
  return [...more.slice(0, -1), { ...first, text: `${prefix.text}${first.text}` }, ...others];
}
