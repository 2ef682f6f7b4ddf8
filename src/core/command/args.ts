import { z } from 'zod';
import type { Domain, Order, Project, Target } from '../account/account.ts';
import { domainTarget, orderTarget, projectTarget } from '../account/account.ts';
import type { ArgShape, RawArgs, Widget } from '../grammar/command-shape.ts';
import { resolveSeveral } from '../targets/several-orders.ts';
import type { OrderReading, Reading } from '../targets/targets.ts';
import { isAll, resolveDomain, resolveOrder, resolveProject } from '../targets/targets.ts';
import { defined } from '../text/defined.ts';
import { strikeSecrets } from '../text/strike-secrets.ts';
import { allNearest, lettersIn, list } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';
import type { Choices, FormOption } from '../view/form.ts';
import { isNo, isYes, switchWords } from './switch-words.ts';

/** An argument, declared once: grammar, usage line, help, field, search and the name in the audit follow from it. */
export interface Arg<T> extends ArgShape {
  readonly widget: Widget;
  readonly many: boolean;
  readonly hint: string;
  readonly example?: string;
  readonly options?: readonly FormOption[];
  /** Converts a typed word into the value of the form's field: an option or a number. */
  readonly fieldValue?: (word: string) => string | undefined;
  /** Absent if each word is one choice. */
  readonly choices?: Choices;
  /** The source of search-as-you-type: a row of commands/option-sources.ts. */
  readonly source?: string;
  /** The argument that the source depends on, on an earlier page: Slack sends no other fields with a search. */
  readonly dependsOn?: string;
  /** Whether a form with these values has its field without a value; by default it has. */
  readonly isAsked?: (raw: RawArgs) => boolean;
  /** The value that a form preselects: the default. */
  readonly preset?: string;
  readonly needsAccount: boolean;
  /** Throws a Refusal that states the correct form. */
  readonly read: (words: readonly string[], reading: Reading) => T;
  /** Canonical words: parsing them again gives the same value, even after a rename. */
  readonly show: (value: T) => readonly string[];
  readonly targets: (value: T) => readonly Target[];
}

// biome-ignore lint/suspicious/noExplicitAny: the map holds arguments of every type; ValuesOf gives each its own back.
export type ArgMap = Readonly<Record<string, Arg<any>>>;
export type ValuesOf<A extends ArgMap> = { readonly [K in keyof A]: A[K] extends Arg<infer T> ? T : never };

export interface CommonArg extends Pick<ArgShape, 'label' | 'alsoCalled' | 'after' | 'isForPeople'> {
  readonly hint: string;
  readonly example?: string;
  readonly place?: ArgShape['place'];
}

/** One value, typed as one or several words. */
export function scalar<T>(
  common: CommonArg,
  widget: Arg<T>['widget'],
  read: (words: readonly string[], reading: Reading) => T,
  show: (value: T) => string = String,
): Arg<T> {
  return {
    ...common,
    place: common.place ?? 'word',
    widget,
    optional: false,
    many: false,
    needsAccount: false,
    read,
    show: (value) => [show(value)],
    targets: () => [],
  };
}

/** Free text, checked by a schema whose message is shown to people. */
export function text(common: CommonArg & { schema?: z.ZodType<string, string>; multiline?: boolean }): Arg<string> {
  const { schema = z.string().min(1, 'a text that is not empty'), multiline, ...rest } = common;
  const fit = rest.isForPeople
    ? schema
        .refine((words) => lettersIn(words) > 0, 'a text with letters or digits')
        .transform((words) => strikeSecrets(words))
    : schema;
  return scalar(rest, multiline ? 'multiline' : 'text', (words) => check(fit, words.join(' ')));
}

/** Parses a word by a schema whose message is shown to people. */
export function check<T>(schema: z.ZodType<T, string>, word: string): T {
  const parsed = schema.safeParse(word);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map((issue) => issue.message).join('; ');
  throw unfit(word, wrong);
}

function unfit(word: string, form: string): Refusal {
  const because = word === '' ? 'It is empty.' : `\`${word.slice(0, 80)}\` does not fit.`;
  return new Refusal('bad_value', because, { hint: `It should be ${form}.` });
}

/** `unit`: an optional suffix, as in `4GB`. */
export function integer(common: CommonArg & { min: number; max: number; unit?: string }): Arg<number> {
  const { min, max, unit = '', ...rest } = common;
  const withoutUnit = (word: string) => {
    const typed = word.trim();
    const isWithUnit = unit !== '' && typed.toLowerCase().endsWith(unit.toLowerCase());
    return isWithUnit ? typed.slice(0, -unit.length).trim() : typed;
  };
  const read = ([word = '']: readonly string[]) => {
    const number = withoutUnit(word);
    const value = Number(number);
    if (/^[+-]?\d{1,15}$/.test(number) && value >= min && value <= max) return value;
    throw unfit(word, `a whole number from ${min} to ${max}`);
  };
  return {
    ...scalar<number>(rest, 'number', read),
    fieldValue: withoutUnit,
    fits: (word) => /^[+-]?\d{1,15}$/.test(word),
  };
}

export function choice<const V extends string>(
  common: CommonArg & {
    of: readonly V[];
    labels?: Partial<Record<V, string>>;
    /** Synonyms of the values. */
    also?: Readonly<Record<string, V>>;
  },
): Arg<V> {
  const { of, labels, also = {}, ...rest } = common;
  const options = of.map((value) => ({ value, label: labels?.[value] ?? value }));
  const spelled = [...switchWords(of), ...Object.entries(also), ...of.map((value) => [value, value] as const)];
  const byWord = new Map(spelled.map(([word, value]) => [word.toLowerCase(), value]));
  const fieldValue = (word: string) => byWord.get(word.toLowerCase());
  const read = ([word = '']: readonly string[]): V => {
    const value = fieldValue(word);
    if (value !== undefined) return value;
    const { words: near } = allNearest(word.toLowerCase(), of);
    throw new Refusal(
      'bad_value',
      word === '' ? `It is empty: choose one of ${of.join(', ')}.` : `\`${word}\` is not one of ${of.join(', ')}.`,
      near.length > 0 ? { hint: `Did you mean ${list(near, 'or')}?` } : {},
    );
  };
  const fits = (word: string) => fieldValue(word) !== undefined;
  return { ...scalar<V>(rest, 'choice', read), options, fieldValue, fits };
}

export function flag(common: Omit<CommonArg, 'place'>): Arg<boolean> {
  const read = ([word = '']: readonly string[]) => {
    if (isYes(word)) return true;
    if (isNo(word)) return false;
    throw new Refusal('bad_value', `\`${word}\` is neither yes nor no.`);
  };
  const arg = scalar<boolean>({ ...common, place: 'option' }, 'toggle', read, (value) => (value ? 'yes' : 'no'));
  return withDefault(arg, false);
}

/** The kinds are servers (vps) by default. */
type OrderArg = CommonArg & Partial<Pick<OrderReading, 'kinds' | 'onDedicated'>>;

const sources: Readonly<Record<string, string>> = { vps: 'servers', ds: 'dedicated', 'vps ds': 'any-servers' };

export function order(common: OrderArg): Arg<Order> {
  const { kinds = ['vps'], onDedicated, ...rest } = common;
  return inAccount<Order>(rest, sources[kinds.join(' ')] ?? 'orders', orderTarget, {
    read: (words, reading) => resolveOrder(words.join(' '), { ...reading, kinds, onDedicated }),
    show: (value) => value.id,
  });
}

/** The name of one thing of the account. */
export function inAccount<T>(
  common: CommonArg,
  source: string,
  targetOf: (value: T) => Target,
  { read, show }: { readonly read: Arg<T>['read']; readonly show: (value: T) => string },
): Arg<T> {
  const targets = (value: T) => [targetOf(value)];
  return { ...scalar<T>(common, 'search', read, show), source, isName: true, needsAccount: true, targets };
}

/** Several orders by name, id or `tag:web`, which is resolved as the line is read: the card lists exactly these. */
export function orders(common: OrderArg): Arg<readonly Order[]> {
  const { kinds = ['vps'], onDedicated, ...rest } = common;
  const single = order({ ...rest, kinds });
  return {
    ...single,
    place: rest.place ?? 'rest',
    many: true,
    read: (words, reading) => resolveSeveral(words, { ...reading, kinds, onDedicated }),
    show: (values) => values.map((value) => value.id),
    targets: (values) => values.map(orderTarget),
  };
}

/** `splits`: the next argument is a host below the domain, and both may be typed as one word: `www.example.com`. */
export function domain({ splits = false, ...common }: CommonArg & { splits?: boolean }): Arg<Domain> {
  return {
    splits,
    ...inAccount<Domain>(common, 'domains', domainTarget, {
      read: ([word = ''], reading) => resolveDomain(word, reading, splits),
      show: (value) => value.name,
    }),
  };
}

export function project(common: CommonArg): Arg<Project> {
  return inAccount<Project>(common, 'projects', projectTarget, {
    read: (words, reading) => resolveProject(words.join(' '), reading),
    show: (value) => String(value.id),
  });
}

/** A value that only the provider can list, such as a template; the plan reads it. */
export function searched(common: CommonArg & { source: string; dependsOn?: string }): Arg<string> {
  const { source, dependsOn, ...rest } = common;
  return { ...text(rest), widget: 'search', source, ...defined({ dependsOn }) };
}

type Words = CommonArg & { schema: z.ZodType<string, string>; most: number; apart?: (word: string) => string[] };

/** Several words; `apart` splits one word into its values. */
export function words({ schema, most, apart = (word) => word.split(','), ...rest }: Words): Arg<readonly string[]> {
  const read = (typed: readonly string[]) => {
    const all = [...new Set(typed.flatMap(apart).filter((word) => word !== ''))];
    if (all.length === 0) throw new Refusal('bad_value', 'It is empty.', { hint: 'Give at least one.' });
    if (all.length > most)
      throw new Refusal('bad_value', `That is ${all.length} at once.`, { hint: `At most ${most} fit.` });
    return all.map((word) => check(schema, word));
  };
  const single = scalar<string>(rest, 'text', () => '');
  return { ...single, place: rest.place ?? 'rest', many: true, read, show: (values) => values, targets: () => [] };
}

export function optional<T>(arg: Arg<T>): Arg<T | undefined> {
  return {
    ...arg,
    optional: true,
    read: (typed, reading) => (typed.length === 0 ? undefined : arg.read(typed, reading)),
    show: (value) => (value === undefined ? [] : arg.show(value)),
    targets: (value) => (value === undefined ? [] : arg.targets(value)),
  };
}

/** An optional argument that is typed with its name. */
export function option<T>(arg: Arg<T>): Arg<T | undefined> {
  return optional({ ...arg, place: 'option' });
}

/** For arguments of reads: `all` equals an omitted value. */
export function orAll<T>(arg: Arg<T>): Arg<T | undefined> {
  const inner = optional(arg);
  return { ...inner, read: (typed, reading) => (isAll(typed.join(' ')) ? undefined : inner.read(typed, reading)) };
}

export function withDefault<T>(arg: Arg<T>, value: T): Arg<T> {
  const [preset] = arg.many ? [] : arg.show(value);
  return {
    ...arg,
    ...defined({ preset }),
    optional: true,
    read: (typed, reading) => (typed.length === 0 ? value : arg.read(typed, reading)),
  };
}
