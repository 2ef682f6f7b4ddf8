import { nextWindow, readWindow } from '../time/weekly.ts';
import { type Policy, type Rule, sayUnnamed } from './policy.ts';

/** Maintenance windows of a channel: its policy names them, and requests and rules refer to the names. */

export interface NamedWindow {
  readonly name: string;
  /** `sun 02:00-05:00 Europe/Berlin` */
  readonly words: string;
}

type Windows = Pick<Policy, 'windows'> | undefined;

export function windowNames(policy: Windows): readonly string[] {
  return Object.keys(policy?.windows ?? {});
}

export function windowNamed(policy: Windows, name: string): NamedWindow | undefined {
  const windows = policy?.windows ?? {};
  const words = Object.hasOwn(windows, name) ? windows[name] : undefined;
  return words === undefined ? undefined : { name, words };
}

/** The maintenance window outside of which nothing under this rule begins. */
export function windowOfRule(policy: Windows, rule: Rule): NamedWindow | undefined {
  const name = typeof rule === 'object' ? rule.window : undefined;
  if (name === undefined) return undefined;
  const match = windowNamed(policy, name);
  if (match === undefined) throw new Error(sayUnnamed(name, policy?.windows ?? {}));
  return match;
}

/** The span that is open at an instant, or the next one; `to` is the first instant after it. */
export function spanAt({ words }: NamedWindow, at: number) {
  const read = readWindow(words);
  if (!read.ok) throw new Error(read.why);
  // The clock of a turn has fractions of a millisecond.
  return nextWindow(read.window, Math.floor(at));
}

export function isOpenAt(window: NamedWindow, at: number): boolean {
  return spanAt(window, at).from <= at;
}

/** The next spans that begin after an instant. */
export function spansAfter(window: NamedWindow, at: number, most: number) {
  const spans: ReturnType<typeof spanAt>[] = [];
  for (let from = at; spans.length < most; ) {
    const span = spanAt(window, from);
    if (span.from > at) spans.push(span);
    from = span.to;
  }
  return spans;
}
