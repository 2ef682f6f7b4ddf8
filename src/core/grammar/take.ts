import { hostIn } from '../account/host-in.ts';
import { recordTypes } from '../dns/record.ts';
import { wordSet } from '../text/words.ts';
import { saysOnlyTimes } from '../time/said-time.ts';
import type { ArgShape, CommandShape } from './command-shape.ts';
import { bareWord, isFiller, isNoFiller } from './polite.ts';
import { retype, type Token } from './tokens.ts';

/** Assigns words to arguments if their order alone is not enough. */

/** `www.example.com` → `example.com www`, for commands that take a domain and a host. */
export function splitNames(command: CommandShape, line: readonly Token[], domains: readonly string[]) {
  if (!takesNames(command)) return line;
  const lowerCase = domains.map((domain) => domain.toLowerCase());
  const tokens = domainFirst(line, lowerCase);
  const [first, ...rest] = tokens.slice(Math.max(0, tokens.findIndex(isNoFiller)));
  if (first === undefined) return tokens;
  const name = hostIn(first.text);
  const typed = name.toLowerCase().replace(/\.$/, '');
  if (lowerCase.includes(typed)) return [{ text: name, isQuoted: false }, ...rest];
  const above = lowerCase.filter((domain) => typed.endsWith(`.${domain}`)).sort((a, b) => b.length - a.length)[0];
  if (above === undefined) return tokens;
  const host = typed.slice(0, -above.length - 1);
  return [{ text: above, isQuoted: false }, { text: host, isQuoted: false }, ...rest];
}

/** `A test 192.0.2.1 example.com` → `example.com test A 192.0.2.1`: a line that begins with the type of the record. */
function domainFirst(tokens: readonly Token[], domains: readonly string[]): readonly Token[] {
  const [type, host, ...rest] = tokens;
  const last = rest.pop();
  if (type === undefined || host === undefined || last === undefined) return tokens;
  const isType = ({ text, isQuoted }: Token) => !isQuoted && recordTypes.some((each) => each === text.toUpperCase());
  const isDomain = ({ text }: Token) => domains.includes(text.toLowerCase());
  if (!isType(type) || isType(host) || !isDomain(last) || isDomain(host)) return tokens;
  return [last, host, type, ...(bareWord(rest.at(-1)) === 'to' ? rest.slice(0, -1) : rest)];
}

/** Whether the first argument is a domain, which people write together with a host of it. */
export function takesNames({ args }: CommandShape): boolean {
  return Object.values(args)[0]?.splits === true;
}

export function isByPosition({ place }: ArgShape): boolean {
  return place === 'word' || place === 'rest';
}

/** True if no positional argument could be politeness: names, choices and numbers, but no free text. */
export function hasNames({ args }: CommandShape): boolean {
  return Object.values(args).every((arg) => !isByPosition(arg) || arg.isName || arg.fits !== undefined);
}

/** Finds an argument by name, form label or synonym: `memory=4` is `ram=4`. Names are in lower case, with `_`. */
export function nameOf({ args }: CommandShape, key: string): string | undefined {
  const wanted = key.replaceAll('-', '_');
  if (Object.hasOwn(args, wanted)) return wanted;
  return Object.keys(args).find((candidate) => {
    const { label = '', alsoCalled = [] } = args[candidate] ?? {};
    return [label.toLowerCase().replaceAll(' ', '_'), ...alsoCalled].includes(wanted);
  });
}

/** Whether it reads a text, or another command, as typed. */
export function readsText({ path, args }: CommandShape): boolean {
  return path === 'help' || Object.values(args).some((arg) => arg.place === 'rest' && !arg.optional && !arg.isName);
}

export function isSeveralNames({ isName, many, place }: ArgShape): boolean {
  return isName === true && many === true && place === 'rest';
}

/** Drops the fillers of a command without free text. */
export function withoutFillers({ args, alsoSays = [] }: CommandShape, words: readonly Token[]): Token[] {
  const isMeant = (token: Token) => Object.values(args).some(({ fits }) => fits?.(token.text));
  return words.filter((token) => !(isFiller(token) || alsoSays.includes(bareWord(token))) || isMeant(token));
}

/** Of a read that takes text, the words at the end that belong to the question: `where does example.com point to`. */
export function withoutEnding({ kind, alsoSays = [] }: CommandShape, words: readonly Token[]): Token[] {
  const end = words.findLastIndex((token) => kind !== 'query' || !alsoSays.includes(bareWord(token)));
  return words.slice(0, end + 1);
}

/** `0 issue "a.example"` is two values, `v=spf1 -all` is one. */
export function quotedApart(tokens: readonly Token[], { isOfLines }: Pick<ArgShape, 'isOfLines'>): string[] {
  const values: string[] = [];
  let isOpen = false;
  for (const token of tokens) {
    const { isQuoted } = token;
    const text = isOfLines && !isQuoted ? retype(token) : token.text;
    if (isOpen && !isQuoted) values.push(`${values.pop() ?? ''} ${text}`);
    else values.push(text);
    isOpen = !isQuoted;
  }
  return values;
}

/** Assigns the words after an introducing word to its argument; returns the remaining words. */
export function takeIntroduced(command: CommandShape, words: Token[], raw: Record<string, string[]>): Token[] {
  const left = [...words];
  for (let at = 0; at < left.length; at++) {
    const word = bareWord(left[at]);
    const match = Object.entries(command.args).find(
      ([name, { after }]) => raw[name] === undefined && after?.includes(word),
    );
    if (match === undefined) continue;
    const [name, arg] = match;
    const from = 1 + ofAfter(left, at);
    const following = left.slice(at + from);
    const number = arg.takes?.(following.map(bareWord)) ?? (arg.place === 'rest' ? beforeTime(command, following) : 1);
    if (number === 0 || following.length === 0) continue;
    raw[name] = following.slice(0, number).map(({ text }) => text);
    left.splice(at, number + from);
    at -= 1;
  }
  return left;
}

/** The most words of a time. */
const mostTrailing = 5;
/** After one of these words, a time may be a start or one end of a range. */
const leading = wordSet('from to till until for every by and at on in next');

/** Assigns a time at the end of a line to its argument: `freeze here release 2h`. Returns the remaining words. */
export function takeTrailing(command: CommandShape, words: Token[], raw: Record<string, string[]>): Token[] {
  const trailing = Object.entries(command.args).filter(([, { trails }]) => trails !== undefined);
  if (trailing.some(([name]) => raw[name] !== undefined)) return words;
  const texts = words.map(bareWord);
  // The first word names the subject and is never part of the time.
  for (let at = Math.max(1, words.length - mostTrailing); at < words.length; at++) {
    const isElse = leading.has(texts[at] ?? '') || leading.has(texts[at - 1] ?? '');
    const match = isElse ? undefined : trailing.find(([, { trails }]) => trails?.(texts.slice(at)));
    if (match === undefined) continue;
    raw[match[0]] = texts.slice(at);
    return words.slice(0, at);
  }
  return words;
}

/** The length in words of a free text before a time for another argument: `because of the release until 18:00`. */
function beforeTime({ args }: CommandShape, words: readonly Token[]): number {
  const texts = words.map(bareWord);
  const introducing = Object.values(args).flatMap(({ takes, after = [] }) => (takes === undefined ? [] : after));
  const at = texts.findIndex(
    (word, index) => index > 0 && introducing.includes(word) && saysOnlyTimes(texts, index + 1),
  );
  return at < 0 ? words.length : at;
}

/** Takes the words of the next argument from the remaining ones. */
export function takeNext(words: Token[], arg: ArgShape, later: readonly ArgShape[]): Token[] {
  const [next] = later;
  const [first, second] = words;
  const fits = (token: Token | undefined) => token !== undefined && next?.fits?.(token.text) === true;
  const implies = (token: Token | undefined, by: ArgShape | undefined) =>
    token === undefined || by?.fits?.(token.text) ? undefined : by?.impliedBy?.(token.text);
  // `example.com MX 10 mail`: the word is the type, so the host is the domain. `mx A 192.0.2.1` has both.
  if (arg.standIn !== undefined && first !== undefined && !fits(second)) {
    if (fits(first) || implies(first, next) !== undefined) return [{ text: arg.standIn, isQuoted: false }];
  }
  // `mail.example.com to 192.0.2.1`
  if (bareWord(first) === 'to' && implies(second, arg) !== undefined) words.shift();
  // `www.example.com to web-2`: nothing tells the type.
  if (arg.impliedBy !== undefined && words.length > 1 && bareWord(words[0]) === 'to' && !fits(words[1])) {
    words.shift();
    if (implies(words[0], arg) === undefined && !arg.fits?.(words[0]?.text ?? '')) return [];
  }
  const implied = implies(words[0], arg);
  if (implied !== undefined) return [{ text: implied, isQuoted: false }];
  if (arg.isName) {
    // Fillers stand before a name, or anywhere among several names.
    const isMeant = (token: Token) => isNoFiller(token) || [arg, ...later].some((other) => other.fits?.(token.text));
    const meant = arg.place === 'rest' ? words.filter(isMeant) : words.slice(Math.max(0, words.findIndex(isMeant)));
    words.splice(0, words.length, ...meant);
  }
  if (arg.place === 'rest') {
    // `rename web-1 to shop`
    if (arg.mayFollowTo && words.length > 1 && bareWord(words[0]) === 'to') words.shift();
    return words.splice(0);
  }
  const taken = takeWord(words, arg, later);
  // `tag web-1 and web-2 prod`, `tag web-1, web-2 prod`
  while (arg.isName && arg.many && words.length > 1 && (isAnd(words[0]) || taken.at(-1)?.text.endsWith(',')))
    taken.push(...words.splice(0, isAnd(words[0]) ? 2 : 1));
  return taken;
}

function isAnd(token: Token | undefined): boolean {
  return token !== undefined && !token.isQuoted && /^(and|&|\+)$/i.test(token.text);
}

/**
 * Takes the next word, or the first one that no later argument claims, as in `rescue web-1 on` and `stats web-1 24h`.
 * If a later argument takes all remaining words, only the order counts.
 */
function takeWord(words: Token[], arg: ArgShape, later: readonly ArgShape[]): Token[] {
  const [first] = words;
  if (first === undefined || later.some((other) => other.place === 'rest'))
    return words.splice(0, Math.max(1, takesAt(words, arg, 0)));
  if (arg.fits === undefined) {
    const unclaimed = words.findIndex((word) => !later.some((other) => other.fits?.(word.text)));
    return words.splice(Math.max(0, unclaimed), 1);
  }
  // `2 hours` is one span.
  const at = words.findIndex((word, index) => arg.fits?.(word.text) || takesAt(words, arg, index) > 0);
  if (at >= 0) return words.splice(at, Math.max(1, takesAt(words, arg, at)));
  const isForLater = arg.optional && later.some((other) => other.fits?.(first.text) || takesAt(words, other, 0) > 1);
  // `rescue web-1`: the only word names the server, and the choice is missing.
  const isNeeded = later.filter((other) => other.isName && !other.optional).length >= words.length;
  return isForLater || isNeeded ? [] : words.splice(0, 1);
}

function takesAt(words: readonly Token[], { takes }: ArgShape, at: number): number {
  return takes?.(words.slice(at).map(bareWord)) ?? 0;
}

/** 1 where `of` is behind `because`: `because of a leak` gives the reason `a leak`. */
export function ofAfter(tokens: readonly Token[], at: number): number {
  return bareWord(tokens[at]) === 'because' && bareWord(tokens[at + 1]) === 'of' && tokens.length > at + 2 ? 1 : 0;
}
