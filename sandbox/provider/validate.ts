import { isIPv4 } from 'node:net';
import { ProviderApiError } from './answer.ts';
import { isFormData } from './form-data.ts';

/*
 * Validates like Django REST Framework, on which the provider's API is built. The bot must handle the framework's
 * tolerance (numbers as text, text for numbers), its order of checks and its messages.
 */

export type Problems = readonly string[] | readonly Problems[] | { readonly [key: string]: Problems };

class Invalid extends Error {
  override readonly name = 'Invalid';
  readonly problems: Problems;
  constructor(problems: Problems) {
    super(JSON.stringify(problems));
    this.problems = problems;
  }
}

export interface Check<T> {
  (input: unknown): T;
  /** The properties that a form needs: see form-data.ts. */
  readonly form?: 'list' | 'nullable';
}
export interface Slot<T> {
  readonly absent: () => T;
  readonly check: Check<T>;
}
type Checked<S> = { [K in keyof S]: S[K] extends Slot<infer T> ? T : never };

export const fail = (message: string): never => {
  throw new Invalid([message]);
};
export const invalid = (problems: Problems) => new ProviderApiError(400, problems);
export const wrongAsWhole = (message: string) => invalid({ non_field_errors: [message] });

export const required = <T>(check: Check<T>): Slot<T> => ({
  absent: () => fail('This field is required.'),
  check,
});
export const optional = <T>(check: Check<T>): Slot<T | undefined> => ({ absent: () => undefined, check });
export const withDefault = <T>(check: Check<T>, value: T): Slot<T> => ({ absent: () => value, check });
export const nullable = <T>(check: Check<T>): Check<T | null> =>
  Object.assign((input: unknown) => (input === null ? null : check(input)), { form: 'nullable' } as const);

/** Checks a request's data. Throws the 400 that lists the messages of all fields. */
export function validate<S extends Record<string, Slot<unknown>>>(data: unknown, slots: S): Checked<S> {
  try {
    return object(slots)(data);
  } catch (error) {
    if (error instanceof Invalid) throw invalid(error.problems);
    throw error;
  }
}

export function object<S extends Record<string, Slot<unknown>>>(slots: S): Check<Checked<S>> {
  return (input) => {
    notNull(input);
    if (typeof input !== 'object' || Array.isArray(input) || input === null) {
      throw new Invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${pythonType(input)}.`] });
    }
    const data = new Map(Object.entries(input));
    const values: Record<string, unknown> = {};
    const problems: Record<string, Problems> = {};
    for (const [name, slot] of Object.entries(slots)) {
      const value = isFormData(input) ? fromForm(slot.check, data.get(name)) : data.get(name);
      const result = attempt(() => (data.has(name) ? slot.check(value) : slot.absent()));
      if ('problems' in result) problems[name] = result.problems;
      else values[name] = result.value;
    }
    if (Object.keys(problems).length > 0) throw new Invalid(problems);
    // The loop filled each key of S by its own slot, which the compiler cannot follow.
    return values as Checked<S>;
  };
}

function fromForm(check: Check<unknown>, value: unknown): unknown {
  if (check.form === 'list') return typeof value === 'string' ? [value] : value;
  if (check.form === 'nullable' && value === '') return null;
  // The last value of a repeated name counts.
  return Array.isArray(value) ? value.at(-1) : value;
}

export function text(limits: { min?: number; max?: number; mayBeBlank?: boolean } = {}): Check<string> {
  return (input) => {
    notNull(input);
    if (typeof input !== 'string' && typeof input !== 'number') return fail('Not a valid string.');
    const value = String(input).trim();
    if (value === '') return limits.mayBeBlank ? '' : fail('This field may not be blank.');
    if (value.includes('\0')) return fail('Null characters are not allowed.');
    if (limits.max !== undefined && value.length > limits.max) {
      return fail(`Ensure this field has no more than ${limits.max} characters.`);
    }
    if (limits.min !== undefined && value.length < limits.min) {
      return fail(`Ensure this field has at least ${limits.min} characters.`);
    }
    return value;
  };
}

export function integer(limits: { min?: number; max?: number } = {}): Check<number> {
  return (input) => {
    notNull(input);
    const isIntegral = typeof input === 'number' ? Number.isInteger(input) : /^\s*-?\d+(\.0+)?\s*$/.test(asText(input));
    return isIntegral ? within(Number(input), limits) : fail('A valid integer is required.');
  };
}

export function decimal(limits: { min?: number; max?: number } = {}): Check<number | string> {
  return (input) => {
    notNull(input);
    if (!/^\s*-?\d+(\.\d+)?\s*$/.test(asText(input))) return fail('A valid number is required.');
    within(Number(input), limits);
    return typeof input === 'number' ? input : asText(input).trim();
  };
}

const truths = new Set(['t', 'T', 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON', '1']);
const lies = new Set(['f', 'F', 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF', '0']);

export const flag: Check<boolean> = (input) => {
  notNull(input);
  const value = asText(input);
  if (truths.has(value)) return true;
  return lies.has(value) ? false : fail('Must be a valid boolean.');
};

export function choice<const T extends string | number>(choices: readonly T[]): Check<T> {
  const byText = new Map(choices.map((value) => [String(value), value]));
  return (input) => {
    notNull(input);
    return byText.get(asText(input)) ?? fail(`"${asText(input)}" is not a valid choice.`);
  };
}

export function primaryKey(exists: (id: number) => boolean): Check<number> {
  return (input) => {
    notNull(input);
    if (!/^-?\d+$/.test(asText(input)))
      return fail(`Incorrect type. Expected pk value, received ${pythonType(input)}.`);
    const id = Number(input);
    return exists(id) ? id : fail(`Invalid pk "${id}" - object does not exist.`);
  };
}

/** Checks a list; messages name invalid items by position. */
export function list<T>(item: Check<T>): Check<T[]> {
  const check = (input: unknown) => {
    notNull(input);
    if (!Array.isArray(input)) return fail(`Expected a list of items but got type "${pythonType(input)}".`);
    const problems: Record<string, Problems> = {};
    const values = input.flatMap((element, index) => {
      const result = attempt(() => item(element));
      if ('value' in result) return [result.value];
      problems[String(index)] = result.problems;
      return [];
    });
    if (Object.keys(problems).length > 0) throw new Invalid(problems);
    return values;
  };
  return Object.assign(check, { form: 'list' } as const);
}

/** Checks a list of objects; messages are a list with one entry per item, `{}` for valid items. */
export function objects<T>(item: Check<T>): Check<T[]> {
  const check = (input: unknown) => {
    notNull(input);
    if (!Array.isArray(input)) {
      throw new Invalid({ non_field_errors: [`Expected a list of items but got type "${pythonType(input)}".`] });
    }
    const results = input.map((element) => attempt(() => item(element)));
    if (results.some((result) => 'problems' in result)) {
      throw new Invalid(results.map((result): Problems => ('problems' in result ? result.problems : {})));
    }
    return results.flatMap((result) => ('value' in result ? [result.value] : []));
  };
  return Object.assign(check, { form: 'list' } as const);
}

export const ipv4: Check<string> = (input) => {
  const value = text()(input);
  return isIPv4(value) ? value : fail('Enter a valid IPv4 address.');
};

export function webAddress(limits: { max: number }): Check<string> {
  const check = text(limits);
  return (input) => {
    const value = check(input);
    return URL.canParse(value) && /^https?:\/\//i.test(value) ? value : fail('Enter a valid URL.');
  };
}

function attempt<T>(work: () => T): { value: T } | { problems: Problems } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof Invalid) return { problems: error.problems };
    throw error;
  }
}

function notNull(input: unknown): void {
  if (input === null) fail('This field may not be null.');
}

function within(value: number, limits: { min?: number; max?: number }): number {
  if (limits.max !== undefined && value > limits.max) {
    return fail(`Ensure this value is less than or equal to ${limits.max}.`);
  }
  if (limits.min !== undefined && value < limits.min) {
    return fail(`Ensure this value is greater than or equal to ${limits.min}.`);
  }
  return value;
}

const asText = (input: unknown) =>
  typeof input === 'object'
    ? JSON.stringify(input)
    : typeof input === 'boolean'
      ? input
        ? 'True'
        : 'False'
      : String(input);

function pythonType(input: unknown): string {
  if (Array.isArray(input)) return 'list';
  if (input === null) return 'NoneType';
  if (typeof input === 'number') return Number.isInteger(input) ? 'int' : 'float';
  return { string: 'str', boolean: 'bool', object: 'dict' }[String(typeof input)] ?? 'str';
}
