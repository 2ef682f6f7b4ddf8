import { recordTypes } from '../dns/record.ts';
import { phraseList, wordSet } from '../text/words.ts';
import type { CommandShape } from './command-shape.ts';
import { typedFor } from './phrases.ts';
import { bareWord, longestOpening } from './polite.ts';
import type { Token } from './tokens.ts';

/**
 * Reorders the words of a line into the order of commands: people type "add a dns record", "show me the balance" and
 * "web-1 restart".
 */

const articles = wordSet('a an the my our all any another new more some me us of');

const showing = phraseList(
  `show · show me · list · get · see · view · display · give me · tell me · print · what is · what's · whats ·
    what are · what was · where are`,
).map((phrase) => phrase.split(' '));

/** Synonyms of the nouns in commands. */
const otherNouns: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dns: 'dns record · dns records · dns entry · record · records · subdomain',
    'ssh-key': 'ssh key · ssh keys · key · keys',
    s3: 'bucket · buckets',
    ds: 'dedicated server · dedicated servers',
    net: 'private network · private networks · networks',
  }).flatMap(([noun, names]) => phraseList(names).map((name) => [name, noun] as const)),
);

const prepositions: ReadonlySet<string> = new Set(['from', 'on', 'for', 'in']);
/** Verbs that are `set` where the new value is behind `to`. */
const changing: ReadonlySet<string> = new Set(['change', 'update', 'modify', 'switch']);

/** Verbs whose second word comes behind what they are about. */
const verbsApart: ReadonlySet<string> = new Set(['turn', 'switch', 'power', 'shut', 'bring', 'take', 'network']);
const particles: ReadonlySet<string> = new Set(['on', 'off', 'up', 'down', 'back']);

/** Record types that are not also another word, as `a` is. */
const ownTypes: ReadonlySet<string> = new Set(
  recordTypes.filter((type) => type !== 'A').map((type) => type.toLowerCase()),
);

/** A line in another order. */
interface Turned {
  readonly tokens: readonly Token[];
  /** The least number of words that must name a command. */
  readonly least: number;
  /** The number of typed words that this order drops. */
  readonly spent: number;
  /** True for a line that began with "show me" or similar, which must not change anything. */
  readonly isShown: boolean;
}

/** All orders that may be meant. */
export function otherOrders(tokens: readonly Token[], commands: readonly CommandShape[]): readonly Turned[] {
  const names = commands.flatMap(({ path }) => [path, ...Object.keys(typedFor.get(path)?.phrases ?? {})]);
  const nouns = new Set(names.flatMap((name) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])));
  const { openingLength, tokens: shown } = withoutShowing(tokens);
  const isShown = openingLength > 0;
  const shownNoun = nounAsWritten(shown, nouns);
  return [
    { tokens: verbBehindNoun(tokens, nouns), least: 2, spent: 0, isShown: false },
    { tokens: shown, least: 1, spent: openingLength, isShown },
    { tokens: shownNoun.tokens, least: 2, spent: openingLength + shownNoun.spent, isShown },
    { tokens: nameBehindVerb(tokens), least: 1, spent: 0, isShown: false },
    { tokens: joinedVerb(tokens), least: 2, spent: 0, isShown: false },
    { tokens: rescueBehind(tokens), least: 1, spent: 0, isShown: false },
  ];
}

/** `add a dns record www.example.com A 192.0.2.1` → `dns add www.example.com A 192.0.2.1` */
function verbBehindNoun(tokens: readonly Token[], nouns: ReadonlySet<string>): readonly Token[] {
  const [verb, ...behind] = tokens;
  const rest = withoutArticles(behind);
  if (verb === undefined) return [];
  const record = typeBehindName(rest);
  if (record !== undefined) return [plain('dns'), verb, ...record];
  const noun = nounOf(rest, nouns);
  if (noun === undefined) return [];
  if (noun.path === 'ssh-key') return keyAndServers(verb, rest.slice(noun.count));
  if (noun.path === 'dns') {
    const words = withoutArticles(rest.slice(noun.count));
    const record = domainAtEnd(words);
    if (record !== undefined) return [plain('dns'), verb, ...record];
    // `change the record www.example.com to 192.0.2.11`
    if (changing.has(bareWord(verb)) && words.some((word) => bareWord(word) === 'to'))
      return [plain('dns'), plain('set'), ...words];
  }
  // `to` precedes the value of a record.
  const isBefore = (word: string) =>
    // The text of a ticket keeps its order.
    noun.path !== 'ticket' && (prepositions.has(word) || word === (noun.path === 'dns' ? 'of' : 'to'));
  return [plain(noun.path), verb, ...placeFirst(withoutArticles(rest.slice(noun.count)), isBefore)];
}

/** `www A 192.0.2.1 to example.com` → `example.com www A 192.0.2.1`: after a type, `to` precedes its value. */
function domainAtEnd(tokens: readonly Token[]): readonly Token[] | undefined {
  const words = tokens.map(bareWord);
  const at = words.length - 2;
  const isType = (word: string | undefined) => word === 'a' || ownTypes.has(word ?? '');
  // `test to example.com`: the host alone.
  const isHost = at === 1 && /\.\p{L}{2,}$/u.test(words[2] ?? '');
  if (words[at] !== 'to' || isType(words[at - 1]) || !(isHost || words.slice(0, at - 1).some(isType))) return undefined;
  return [...tokens.slice(at + 1), ...tokens.slice(0, at)];
}

/** `remove ssh key 2 from db-1` → `ssh-key unlink 2 db-1`: the key comes first, and it stays in the account. */
function keyAndServers(verb: Token, words: readonly Token[]): readonly Token[] {
  const at = words.findIndex((word, index) => index > 0 && ['from', 'to', 'on', 'for'].includes(bareWord(word)));
  if (at < 0) return [plain('ssh-key'), verb, ...withoutArticles(words)];
  const linking = ['add', 'put', 'link'].includes(bareWord(verb)) ? 'link' : undefined;
  const unlinking = ['remove', 'delete', 'unlink', 'take'].includes(bareWord(verb)) ? 'unlink' : undefined;
  return [
    plain('ssh-key'),
    plain(linking ?? unlinking ?? bareWord(verb)),
    ...words.slice(0, at),
    ...words.slice(at + 1),
  ];
}

/** `ssh keys` → `ssh-key list`, and `dns record add` → `dns add` */
function nounAsWritten(tokens: readonly Token[], nouns: ReadonlySet<string>): Pick<Turned, 'tokens' | 'spent'> {
  const noun = nounOf(tokens, nouns);
  const [first] = tokens;
  const isWritten = first !== undefined && noun?.count === 1 && noun.path === bareWord(first);
  if (noun === undefined || isWritten) return { tokens: [], spent: 0 };
  const rest = tokens.slice(noun.count);
  return { tokens: [plain(noun.path), ...(rest.length === 0 ? [plain('list')] : rest)], spent: noun.count - 1 };
}

/** The noun at the start of the tokens, in the command's spelling. */
function nounOf(
  tokens: readonly Token[],
  nouns: ReadonlySet<string>,
): { readonly path: string; readonly count: number } | undefined {
  const words = tokens.slice(0, 2).map(bareWord);
  for (const count of [2, 1]) {
    const phrase = words.slice(0, count).join(' ');
    const path = otherNouns.get(phrase) ?? [phrase, phrase.replace(/s$/, '')].find((candidate) => nouns.has(candidate));
    if (path !== undefined && words.length >= count) return { path, count };
  }
  return undefined;
}

/** `blue from web-1` → `web-1 blue`: commands name their target first. `isBefore`: words before the target. */
export function placeFirst(tokens: readonly Token[], isBefore: (word: string) => boolean): readonly Token[] {
  const at = tokens.findIndex((token) => isBefore(bareWord(token)));
  if (at < 1) return tokens;
  return [...tokens.slice(at + 1), ...tokens.slice(0, at)];
}

/** `mx record to example.com 10 mail` → `example.com mx 10 mail` */
function typeBehindName(tokens: readonly Token[]): readonly Token[] | undefined {
  const [type, ...behind] = tokens;
  if (type === undefined || !ownTypes.has(bareWord(type))) return undefined;
  const start = behind.findIndex((token) => !/^(?:records?|entry|to|from|for|of|in|on)$/.test(bareWord(token)));
  const [name, ...rest] = start < 0 ? [] : behind.slice(start);
  return name === undefined ? [] : [name, type, ...rest];
}

/** `show me the balance` → `balance` */
function withoutShowing(tokens: readonly Token[]): {
  readonly openingLength: number;
  readonly tokens: readonly Token[];
} {
  const openingLength = longestOpening(tokens.map(bareWord), showing);
  return { openingLength, tokens: withoutArticles(tokens.slice(openingLength)) };
}

/** `turn web-1 off` → `turn off web-1` */
function joinedVerb(tokens: readonly Token[]): readonly Token[] {
  const [verb, ...rest] = tokens;
  const last = rest.at(-1);
  const isApart =
    verb !== undefined && last !== undefined && verbsApart.has(bareWord(verb)) && particles.has(bareWord(last));
  const between = rest.slice(0, -1).filter((token) => bareWord(token) !== 'back');
  return isApart ? [verb, last, ...between] : [];
}

/** `put web-1 in rescue mode` → `rescue on web-1`, and `take web-1 out of rescue` → `rescue off web-1` */
function rescueBehind(tokens: readonly Token[]): readonly Token[] {
  const words = tokens.map(bareWord);
  const [, into, out] =
    /^(?:put|bring|boot|take|get) .+ (?:(in|into|to)|(out of|from)) (?:the )?rescue(?: mode| system)?$/.exec(
      words.join(' '),
    ) ?? [];
  const mode = into !== undefined ? 'on' : out !== undefined ? 'off' : undefined;
  const end = words.findLastIndex((word) => ['in', 'into', 'to', 'out', 'from'].includes(word));
  return mode === undefined ? [] : [plain('rescue'), plain(mode), ...tokens.slice(1, end)];
}

/** `web-1 restart` → `restart web-1` */
function nameBehindVerb(tokens: readonly Token[]): readonly Token[] {
  const [name, ...rest] = tokens;
  return name === undefined || !looksLikeName(name) ? [] : [...rest, name];
}

/**
 * True for a possible name: servers, domains and addresses have a digit or a dot. Of the words in commands, only `s3`
 * has one.
 */
export function looksLikeName(token: Token): boolean {
  const word = bareWord(token);
  return /^[\p{L}\p{N}_.:@/[\]-]+$/u.test(word) && /[\d.]/.test(word);
}

function withoutArticles(tokens: readonly Token[]): readonly Token[] {
  const start = tokens.findIndex((token) => !articles.has(bareWord(token)));
  return start < 0 ? [] : tokens.slice(start);
}

const plain = (text: string): Token => ({ text, isQuoted: false });
