import { Refusal } from '../view/errors.ts';
import type { CommandShape, RawArgs } from './command-shape.ts';
import { quoteValue } from './tokens.ts';

/**
 * Options of every action, mostly for a later hour: `at="sun 03:00"`, `in=2h`, `window=maintenance`, `every="sun 03:00"`. A command
 * lists them nowhere. Raw arguments keep them under names that no argument has, so a line in a button never loses its hour.
 */

const timingNames = ['at', 'in', 'every', 'until', 'runs', 'window', 'if-frozen', 'break-glass', 'dry-run'] as const;
type TimingName = (typeof timingNames)[number];

export function timingKey(name: TimingName): string {
  return `@${name}`;
}

/** False for actions that take effect at once under every rule, such as stopping a request. */
export function takesTiming({ kind, risk }: Pick<CommandShape, 'kind' | 'risk'>): boolean {
  return kind === 'action' && risk !== 'safe';
}

/** The option with this name, unless the command has an argument of the name or an end that is not about runs. */
export function timingNamed(command: CommandShape, key: string): string | undefined {
  const name = timingNames.find((candidate) => candidate === key);
  if (name === 'dry-run' && command.kind === 'action') return timingKey(name);
  if (name === undefined || !takesTiming(command)) return undefined;
  return ofRuns.has(name) && Object.hasOwn(command.args, 'until') ? undefined : timingKey(name);
}

/** Options of runs again and again. */
const ofRuns: ReadonlySet<string> = new Set(['every', 'until', 'runs'] satisfies TimingName[]);

export function hasHour(raw: RawArgs): boolean {
  return (['at', 'in', 'every'] as const).some((name) => timingWord(raw, name) !== undefined);
}

export function timingWord(raw: RawArgs, name: TimingName): string | undefined {
  const typed = raw[timingKey(name)]?.join(' ').trim();
  return typed === '' ? undefined : typed;
}

/** `break-glass restart web-1` is `restart web-1 break-glass=yes`, which runs without approvals. */
export function withGlass(command: CommandShape, raw: RawArgs): RawArgs {
  if (takesTiming(command)) return { ...raw, [timingKey('break-glass')]: ['yes'] };
  throw new Refusal('impossible', `\`${command.path}\` needs no approval, so there is no glass to break.`);
}

const switchHints = {
  'break-glass': '`yes` runs it without approvals, if the policy of the channel names you.',
  'dry-run': '`yes` shows you what it would do, and asks for nothing.',
} as const;

export function isOn(raw: RawArgs, name: keyof typeof switchHints): boolean {
  const word = timingWord(raw, name)?.toLowerCase();
  if (word === undefined || word === 'no') return false;
  if (word === 'yes') return true;
  throw new Refusal('bad_value', `\`${name}\` is neither yes nor no.`, { hint: switchHints[name] });
}

/** The options as they are typed. */
export function timingOptions(raw: RawArgs): string[] {
  return timingNames.flatMap((name) => {
    const value = timingWord(raw, name);
    return value === undefined || (name === 'dry-run' && value === 'no') ? [] : [`${name}=${quoteValue(value)}`];
  });
}

/** The options alone. */
export function timingOf(raw: RawArgs): RawArgs {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => name.startsWith('@')));
}

export function withoutTiming(raw: RawArgs): RawArgs {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !name.startsWith('@')));
}
