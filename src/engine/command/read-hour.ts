import { lineOf } from '../../core/grammar/parse.ts';
import { hasHour, timingKey, timingWord, withoutTiming } from '../../core/grammar/timing.ts';
import type { StandingApproval, Timing } from '../../core/plan/timing.ts';
import type { Policy, Rule } from '../../core/policy/policy.ts';
import { isOpenAt, type NamedWindow, windowNamed, windowNames } from '../../core/policy/windows.ts';
import { defined } from '../../core/text/defined.ts';
import { nearest } from '../../core/text/nearest.ts';
import { readWhen } from '../../core/time/read-when.ts';
import { Refusal } from '../../core/view/errors.ts';
import { whenName } from '../../core/view/form.ts';
import {
  type Alternative,
  graceOf,
  hourIn,
  nextHours,
  onlyIn,
  requiredWindow,
  sayNext,
  timingAt,
} from '../approval/window-hour.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Hour } from '../operation/create.ts';
import { timeZoneOf } from './channel-of-policy.ts';
import type { CommandRequest } from './command-request.ts';
import { readEvery } from './read-every.ts';

type Asking = Pick<CommandRequest, 'at' | 'command' | 'raw'>;

/** The hour that a request names, before the rule that decides about it is known. */
export interface AskedHour {
  /** Undefined if the request names none. */
  readonly startsAt: number | undefined;
  readonly words: string;
  readonly timeZone: string | undefined;
  readonly ifFrozen: Timing['ifFrozen'];
  readonly window: NamedWindow | undefined;
  readonly every?: StandingApproval;
}

/** Reads the hour of a request in the time zone of the requester. */
export async function readHour(
  context: Pick<EngineContext, 'directory'>,
  request: Asking & Pick<CommandRequest, 'actor'>,
  policy: Policy | undefined,
): Promise<AskedHour> {
  const { raw, actor, at: now } = request;
  const timeZone = await timeZoneOf(context, actor);
  const window = readWindowName(request, policy);
  const asked = { timeZone, window, ifFrozen: readIfFrozen(raw) };
  const again = readEvery(request, timeZone);
  if (again !== undefined) return { ...asked, ...again };
  if (!hasHour(raw)) return { ...asked, startsAt: undefined, words: window?.name ?? '' };
  const words = typedHour(raw);
  const read = readWhen(words, { now, timeZone });
  if (!read.ok) throw badHour(request, read);
  return { ...asked, startsAt: read.at, words };
}

interface Deciding {
  readonly rule: Rule;
  readonly policy: Policy | undefined;
  readonly plan: Parameters<typeof requiredWindow>[1]['plan'];
}

/** The hour of a request under a rule, which may require a maintenance window; undefined if it begins at once. */
export function hourUnder(asked: AskedHour, request: Asking, { rule, policy, plan }: Deciding): Hour | undefined {
  const { startsAt, words, timeZone, ifFrozen, every } = asked;
  const required = requiredWindow(policy, { rule, plan });
  if (required !== undefined && asked.window !== undefined && asked.window.name !== required.name)
    throw notInWindow(request, required, []);
  const window = required ?? asked.window;
  if (startsAt === undefined && window !== undefined)
    return hourIn(window, request.at, { words, timeZone: timeZone ?? 'UTC', ifFrozen, rule });
  if (startsAt === undefined) {
    if (timingWord(request.raw, 'if-frozen') === undefined) return undefined;
    throw new Refusal('bad_value', '`if-frozen` is about a later hour, and this begins at once.', {
      hint: 'Add the hour, like at="sun 03:00".',
    });
  }
  const inWindow = window === undefined ? {} : timingAt(window, startsAt);
  if (window !== undefined && inWindow === undefined)
    throw notInWindow(request, window, nextHours(window, request.at, timeZone));
  return {
    startsAt,
    timing: {
      words,
      timeZone: timeZone ?? 'UTC',
      graceMs: graceOf(rule),
      ifFrozen,
      ...inWindow,
      ...defined({ every }),
    },
  };
}

/** True unless it waits for an hour or for its window. Refuses nothing: the risk of the plan may have another rule. */
export function beginsNow({ startsAt, window }: AskedHour, at: number, { rule, policy, plan }: Deciding): boolean {
  const waitsFor = requiredWindow(policy, { rule, plan }) ?? window;
  return startsAt === undefined && (waitsFor === undefined || isOpenAt(waitsFor, at));
}

function readWindowName({ command, raw }: Asking, policy: Policy | undefined): NamedWindow | undefined {
  const typed = timingWord(raw, 'window')?.toLowerCase();
  if (typed === undefined) return undefined;
  const match = windowNamed(policy, typed);
  if (match !== undefined) return match;
  const names = windowNames(policy);
  const near = nearest(typed, names);
  throw new Refusal('bad_value', `This channel has no maintenance window \`${typed.slice(0, 40)}\`.`, {
    hint:
      names.length === 0
        ? 'An admin names them in the policy of the channel, under `windows`.'
        : `It has ${names.join(', ')}.`,
    field: whenName,
    ...(near === undefined
      ? {}
      : { suggestions: [{ label: near, command: lineOf(command, { ...raw, [timingKey('window')]: [near] }) }] }),
  });
}

function typedHour(raw: CommandRequest['raw']): string {
  const [at, within] = [timingWord(raw, 'at'), timingWord(raw, 'in')];
  if (at !== undefined && within !== undefined)
    throw new Refusal('bad_value', '`at` and `in` are both given.', { hint: 'Give one of them.', field: whenName });
  return at ?? `in ${within?.replace(/^in /i, '')}`;
}

function readIfFrozen(raw: CommandRequest['raw']): Timing['ifFrozen'] {
  const word = timingWord(raw, 'if-frozen')?.toLowerCase() ?? 'refuse';
  if (word === 'refuse' || word === 'wait') return word;
  throw new Refusal('bad_value', '`if-frozen` is neither wait nor refuse.', {
    hint: '`wait` begins at the end of the freeze; without it, the request is not run.',
  });
}

/** Refuses an hour, with the same request at each of the hours that can be meant instead. */
function badHour(
  request: Asking,
  { why, instead }: { readonly why: string; readonly instead: readonly string[] },
): Refusal {
  return new Refusal('bad_value', why, {
    hint: 'Hours are read in your time zone.',
    field: whenName,
    // Slack shows no date in the label of a button; the form has it.
    suggestions: instead.map((words) =>
      atInstead(request, { label: words.replace(/^\d{4}-\d\d-\d\d[T ]/, ''), words }),
    ),
  });
}

function notInWindow(request: Asking, window: NamedWindow, hours: readonly Alternative[]): Refusal {
  return new Refusal('bad_value', onlyIn(window), {
    ...(hours.length === 0 ? {} : { hint: sayNext(hours) }),
    field: whenName,
    suggestions: hours.map((hour) => atInstead(request, hour)),
  });
}

function atInstead({ command, raw }: Asking, { label, words }: Alternative) {
  const kept = defined({ 'if-frozen': timingWord(raw, 'if-frozen'), window: timingWord(raw, 'window') });
  const options = Object.entries(kept).map(([name, word]) => [`@${name}`, [word]]);
  const line = lineOf(command, { ...withoutTiming(raw), ...Object.fromEntries(options), [timingKey('at')]: [words] });
  return { label: `${label}…`, command: line, isForm: true };
}
