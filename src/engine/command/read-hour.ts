import { lineOf } from '../../core/grammar/parse.ts';
import { hasHour, timingKey, timingWord, withoutTiming } from '../../core/grammar/timing.ts';
import type { Timing } from '../../core/plan/timing.ts';
import { readWhen } from '../../core/time/read-when.ts';
import { Refusal } from '../../core/view/errors.ts';
import { whenName } from '../../core/view/form.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { graceMs } from '../context/time-limits.ts';
import type { Hour } from '../operation/create.ts';
import { timeZoneOf } from './channel-of-policy.ts';
import type { CommandRequest } from './command-request.ts';

/** Reads the hour of a request in the time zone of the requester; undefined if it begins at once. */
export async function readHour(
  context: Pick<EngineContext, 'directory'>,
  request: Pick<CommandRequest, 'actor' | 'at' | 'command' | 'raw'>,
): Promise<Hour | undefined> {
  const { raw, actor, at: now } = request;
  const ifFrozen = readIfFrozen(raw);
  if (!hasHour(raw)) {
    if (timingWord(raw, 'if-frozen') === undefined) return undefined;
    throw new Refusal('bad_value', '`if-frozen` is about a later hour, and this begins at once.', {
      hint: 'Add the hour, like at="sun 03:00".',
    });
  }
  const typed = typedHour(raw);
  const timeZone = await timeZoneOf(context, actor);
  const read = readWhen(typed, { now, timeZone });
  if (!read.ok) throw badHour(request, read);
  return { startsAt: read.at, timing: { words: typed, timeZone, graceMs, ifFrozen } };
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
  { command, raw }: Pick<CommandRequest, 'command' | 'raw'>,
  { why, instead }: { readonly why: string; readonly instead: readonly string[] },
): Refusal {
  const ifFrozen = timingWord(raw, 'if-frozen');
  const at = (words: string) => ({
    ...withoutTiming(raw),
    [timingKey('at')]: [words],
    ...(ifFrozen === undefined ? {} : { [timingKey('if-frozen')]: [ifFrozen] }),
  });
  return new Refusal('bad_value', why, {
    hint: 'Hours are read in your time zone.',
    field: whenName,
    suggestions: instead.map((words) => ({ label: `${words}…`, command: lineOf(command, at(words)), isForm: true })),
  });
}
