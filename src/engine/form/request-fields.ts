import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { tooLongReason } from '../../core/grammar/cut-reason.ts';
import { takesTiming, timingKey, timingWord } from '../../core/grammar/timing-keys.ts';
import type { Policy } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { type PersonClock, readTime } from '../../core/time/moment.ts';
import { type Field, type FormValues, notChosen, reasonName, whenName } from '../../core/view/form.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** The hour and the reason in the form of an action; same as `at=`, `window=` and `because …` in a typed line. */

const windowName = timingKey('window');

/** An hour that is past stays in its field, which refuses it: left out, the request would begin at once. */
export function whenFields(
  command: AnyCommand,
  raw: RawArgs,
  policy: Policy | undefined,
  clock: PersonClock,
): readonly Field[] {
  if (!takesTiming(command)) return [];
  const initial = typedHour(raw, clock)?.at;
  const windows = Object.entries(policy?.windows ?? {});
  const when: Field = {
    name: whenName,
    label: command.args.when === undefined ? 'When' : 'Begin at',
    hint: 'In your time zone. Leave it empty to begin at once.',
    widget: 'moment',
    optional: true,
    ...defined({ initial }),
  };
  if (windows.length === 0) return [when];
  const options = windows.map(([value, description]) => ({ value, label: value, description }));
  return [
    when,
    {
      name: windowName,
      label: 'Maintenance window',
      hint: 'Instead of an hour: it begins when this opens next.',
      widget: 'choice',
      optional: false,
      options: [notChosen, ...options],
      initial: timingWord(raw, 'window') ?? notChosen.value,
    },
  ];
}

/** The typed hour that no field can show. */
export function unreadHour(raw: RawArgs, clock: PersonClock): string | undefined {
  const typed = typedHour(raw, clock);
  return typed?.at === undefined ? typed?.words : undefined;
}

/** `at` is undefined for words that are no time. */
function typedHour(raw: RawArgs, clock: PersonClock) {
  const words = timingWord(raw, 'at') ?? timingWord(raw, 'in');
  return words === undefined ? undefined : { words, at: readTime(words, clock) ?? readTime(`in ${words}`, clock) };
}

/** The hour of a submitted page, which replaces the one that the form was opened with. */
export function timingIn(raw: RawArgs, values: FormValues): RawArgs {
  const wordsOf = (name: string) =>
    [values[name] ?? []].flat().filter((word) => word !== '' && word !== notChosen.value);
  const isShown = (name: string) => values[name] !== undefined;
  const kept = Object.entries(raw).filter(
    ([name]) =>
      !(isShown(whenName) && [whenName, timingKey('in')].includes(name)) &&
      !(isShown(windowName) && name === windowName),
  );
  const chosen = [whenName, windowName].filter((name) => wordsOf(name).length > 0).map((name) => [name, wordsOf(name)]);
  return Object.fromEntries([...kept, ...chosen]);
}

/** False for commands with their own `reason` argument, such as a freeze. */
export function takesReason({ kind, risk, args }: AnyCommand): boolean {
  return kind === 'action' && args.reason === undefined && risk !== 'safe';
}

export function reasonField(reason: string | undefined): Field {
  return {
    name: reasonName,
    label: 'Reason',
    hint: 'The people who approve read it.',
    widget: 'text',
    optional: true,
    example: 'no ping since 4:20',
    ...(reason === undefined ? {} : { initial: reason }),
  };
}

export function reasonIn({ settings }: EngineContext, values: FormValues): string | undefined {
  const words = strikeSecrets(typedIn(values), settings.knownSecrets);
  return words === '' ? undefined : words;
}

function typedIn(values: FormValues): string {
  return [values[reasonName] ?? ''].flat().join(' ').trim();
}

/** The error of a reason that the card could not show whole. */
export function longReason(values: FormValues): Readonly<Record<string, string>> {
  const refusal = tooLongReason(typedIn(values));
  return refusal === undefined ? {} : { [reasonName]: `${refusal.message} ${refusal.hint}` };
}
