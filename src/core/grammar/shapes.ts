/** The properties of an argument that the grammar needs. */
export interface ArgShape {
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
  readonly args: Readonly<Record<string, ArgShape>>;
  readonly needs?: readonly Need[];
  /** Other names that people use: never read as the command, only suggested. */
  readonly alsoCalled?: readonly string[];
  /** Of a read: who reads the answer. */
  readonly visibility?: string;
}

/** Words by argument, as typed; canonical when they come from `show`. */
export type RawArgs = Readonly<Record<string, readonly string[]>>;
