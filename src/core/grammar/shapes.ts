import type { Risk } from '../policy/policy.ts';
export type Widget =
  | 'text'
  | 'multiline'
  | 'number'
  | 'choice'
  | 'search'
  | 'toggle'
  | 'file'
  | 'person'
  | 'channel'
  | 'subjects'
  | 'checks';

/** The properties of an argument that the grammar needs. */
export interface ArgShape {
  /** As the form calls it; typed as a name it means the same. */
  readonly label?: string;
  /** More names under which it may be typed: `memory=4`. */
  readonly alsoCalled?: readonly string[];
  /** Names something of the account, so that `the server web-1, please` is `web-1`. */
  readonly isName?: boolean;
  /** The value that it has when the word in its place belongs to the next argument: `@` before `MX`. */
  readonly standIn?: string;
  /** The value that it has when it is left out and the word in its place tells it: `A` before `192.0.2.1`. */
  readonly impliedBy?: (word: string) => string | undefined;
  /** Words that introduce it, wherever they stand: `until`, `because`. */
  readonly after?: readonly string[];
  /** Takes each quoted text as a value of its own, and what is not quoted as one. */
  readonly keepsQuotes?: boolean;
  /** `to` may stand in front of it: `rename web-1 to shop`. */
  readonly mayFollowTo?: boolean;
  /** How many of the words that follow belong to it; without it, one, or all that are left. */
  readonly takes?: (words: readonly string[]) => number;
  /** Of several words: whether they may stand at the end of a line without its name, as in `freeze here release 2h`. */
  readonly trails?: (words: readonly string[]) => boolean;
  /**
   * `word` takes its turn by position, `rest` all words that are left, `option` only `name=value` or `--name`; `form` is
   * given in the form only, and never typed.
   */
  readonly place: 'word' | 'rest' | 'option' | 'form';
  readonly widget: string;
  readonly optional: boolean;
  /** Takes several values: its name may be given again for each. */
  readonly many?: boolean;
  /** Whether a word is one of those that only this argument takes, such as `on`, `24h` or `812`. */
  readonly fits?: (word: string) => boolean;
  /** A domain that may be given with a name below it: `www.example.com` is `example.com www`. */
  readonly splits?: boolean;
  /** No field of a form and no part of the usage: buttons give it. */
  readonly isTypedOnly?: boolean;
}

/** Some of these arguments have to be given, although each of them may be left out. */
export interface Need {
  readonly of: readonly string[];
  /** `template, app or snapshot` */
  readonly say: string;
}

export interface CommandShape {
  readonly path: string;
  /** Only what reads is run for a word that is not its name. Without it, nothing is. */
  readonly kind?: 'query' | 'action';
  readonly risk?: Risk;
  readonly args: Readonly<Record<string, ArgShape>>;
  readonly needs?: readonly Need[];
  /** Other names that people use, of one word or several: what reads is read so, what changes something is only suggested. */
  readonly alsoCalled?: readonly string[];
  /** Words that people put around its names, and that change nothing: `is web-1 up`. */
  readonly alsoSays?: readonly string[];
  /** Of a read: who reads the answer. */
  readonly visibility?: string;
}

/** Words by argument, as typed; canonical when they come from `show`. */
export type RawArgs = Readonly<Record<string, readonly string[]>>;
