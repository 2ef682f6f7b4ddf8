import type { Risk } from '../policy/policy.ts';
import type { Refusal } from '../view/errors.ts';
import type { Token } from './tokens.ts';

export type Widget =
  | 'text'
  | 'multiline'
  | 'number'
  | 'choice'
  | 'search'
  | 'toggle'
  | 'file'
  | 'person'
  | 'subjects'
  | 'checks';

/** The properties of an argument that the grammar needs. */
export interface ArgShape {
  /** The label in the form, which may also be typed as a name. */
  readonly label?: string;
  /** Synonyms for typing: `memory=4`. */
  readonly alsoCalled?: readonly string[];
  /** The value names something in the account, so that `the server web-1, please` is `web-1`. */
  readonly isName?: boolean;
  /** The value if the word in its place belongs to the next argument: `@` before `MX`. */
  readonly standIn?: string;
  /** The value implied by the next word if it is omitted: `A` before `192.0.2.1`. */
  readonly impliedBy?: (word: string) => string | undefined;
  /** Words that introduce the value at any position: `until`, `because`. */
  readonly after?: readonly string[];
  /** Each quoted text is one value, and the unquoted text is another. */
  readonly keepsQuotes?: boolean;
  /** Lines of commands, behind which the hour and the reason of all may stand. */
  readonly isOfLines?: true;
  /** Free text that other people read. Secrets are removed from it before anything is stored. */
  readonly isForPeople?: true;
  /** `to` may precede the value: `rename web-1 to shop`. */
  readonly mayFollowTo?: boolean;
  /** The number of following words that belong to the value; by default one, or all for `rest`. */
  readonly takes?: (words: readonly string[]) => number;
  /** Whether these words may be the value at the end of a line without its name, as in `freeze here release 2h`. */
  readonly trails?: (words: readonly string[]) => boolean;
  /** `word`: positional; `rest`: all remaining words; `option`: `name=value` or `--name`; `form`: only in the form. */
  readonly place: 'word' | 'rest' | 'option' | 'form';
  readonly widget: string;
  readonly optional: boolean;
  /** Several values, for each of which the name may be repeated. */
  readonly many?: boolean;
  /** True for a word that only this argument takes, such as `on`, `24h` or `812`. */
  readonly fits?: (word: string) => boolean;
  /** A domain that may be typed with a host: `www.example.com` is `example.com www`. */
  readonly splits?: boolean;
  /** Takes the words that no other argument has a place for: `reinstall web-1 debian 12`. */
  readonly takesLeft?: true;
  /** People and groups only: the form has no box for everyone. */
  readonly excludesEveryone?: boolean;
  /** No field of a form and no part of the usage: buttons give it. */
  readonly isTypedOnly?: boolean;
}

/** Arguments of which at least one is required, although each is optional. */
export interface Need {
  readonly of: readonly string[];
  /** `template, app or snapshot` */
  readonly say: string;
}

export interface CommandShape {
  readonly path: string;
  /** Only a query runs when a synonym is typed; any other command is only suggested. */
  readonly kind?: 'query' | 'action';
  readonly risk?: Risk;
  readonly capability?: string;
  readonly args: Readonly<Record<string, ArgShape>>;
  readonly needs?: readonly Need[];
  /** Lines that work, the usual one first. */
  readonly examples?: readonly string[];
  /** The words by which people mean it, `verbs | things | questions` with dots between, as lexicon.ts reads them. */
  readonly words?: string;
  /** The read that the name alone runs: `freeze` lists the freezes. */
  readonly alone?: string;
  /** The command that its name means before such words: `mute 22:00-07:00` is `alerts quiet`. */
  readonly otherwise?: { readonly path: string; readonly before: RegExp };
  /** Words that people put around its names, and that change nothing: `is web-1 up`. */
  readonly alsoSays?: readonly string[];
  /** The readers of a query's response. */
  readonly visibility?: string;
}

/** Whether a command accepts the words after its name, with all required arguments or a part of them. */
export type Reads<C> = (command: C, rest: readonly Token[]) => 'whole' | 'part' | Refusal;

/** The command that a line names. */
export interface Understood<C> {
  readonly command: C;
  /** The words behind its name. */
  readonly rest: readonly Token[];
  /** Says how it was read, where the name of the command was not typed. */
  readonly note?: string;
  /** The line names the command in other words, so an action waits for a confirmation under every rule. */
  readonly isTaken?: true;
  /** The typed words for which the command has no use. */
  readonly left?: string;
}

/** Words by argument, as typed, or canonical if made by `show`. */
export type RawArgs = Readonly<Record<string, readonly string[]>>;

/** Whether it takes something away for good: then a line that names it in other words only suggests it. */
export function destroys({
  kind,
  risk = 'destructive',
  capability,
}: Pick<CommandShape, 'kind' | 'risk' | 'capability'>) {
  return kind !== 'query' && (risk === 'destructive' || capability === 'destroy');
}
