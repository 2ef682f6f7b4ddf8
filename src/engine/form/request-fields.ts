import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { tooLongReason } from '../../core/grammar/cut-reason.ts';
import {
  hasHour,
  takesTiming,
  timingKey,
  timingNamed,
  timingOptions,
  timingWord,
} from '../../core/grammar/timing-keys.ts';
import { higherRisk, type Policy } from '../../core/policy/policy.ts';
import { windowNames } from '../../core/policy/windows.ts';
import { defined } from '../../core/text/defined.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { type PersonClock, readTime } from '../../core/time/moment.ts';
import {
  type Field,
  type FormValues,
  hourFields,
  hourIn,
  isFull,
  notChosen,
  reasonName,
  typedMost,
  whenName,
  whenWordsName,
} from '../../core/view/form.ts';
import { signs } from '../../core/view/signs.ts';
import { sayHours } from '../command/say-hours.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import { type EngineContext, timeZoneOf } from '../context/engine-context.ts';
import type { SubmitAnswer } from '../context/ports.ts';

/** The hour and the reason in the form of an action; same as `at=`, `every=`, `window=` and `because …` in a typed line. */

/** The ways to say when. The first field of each has to be filled in. */
const ways = {
  now: { label: 'Now', names: [] },
  at: { label: 'At an hour', names: [whenName, whenWordsName] },
  every: { label: 'Every day or week', names: (['every', 'until', 'runs'] as const).map(timingKey) },
  window: { label: 'In a maintenance window', names: [timingKey('window')] },
} satisfies Readonly<Record<string, { label: string; names: readonly string[] }>>;
export type Way = keyof typeof ways;
const wayName = '@when';

/** The fields at which a refusal of the hour can be shown. */
export const whenNames: readonly string[] = Object.values(ways).flatMap(({ names }) => names);

const usualEnd = 'in 30 days';

const isWay = (word: unknown): word is Way => typeof word === 'string' && Object.hasOwn(ways, word);

function wayOf(raw: RawArgs): Way {
  if (timingWord(raw, 'every') !== undefined) return 'every';
  if (hasHour(raw)) return 'at';
  return timingWord(raw, 'window') === undefined ? 'now' : 'window';
}

/** *When*, the fields of one way, and the hours that they mean. `chosen`: the way of a line that names no hour. */
export async function whenPage(
  context: EngineContext,
  asking: Parameters<typeof sayHours>[1],
  channel: string,
  chosen: Way,
) {
  const { actor, at: now, command, raw } = asking;
  if (!takesTiming(command)) return { hours: [], fields: [] };
  const policy = await context.policies.get(channel);
  const way = wayOf(raw) === 'now' ? chosen : wayOf(raw);
  const mayRepeat =
    timingNamed(command, 'every') !== undefined && higherRisk(command.risk, 'disruptive') === 'disruptive';
  const isOffered = { now: true, at: true, every: mayRepeat, window: windowNames(policy).length > 0 };
  const options = Object.entries(ways)
    .filter(([value]) => value === way || (isWay(value) && isOffered[value]))
    .map(([value, { label }]) => ({ value, label }));
  const label = command.args.when === undefined ? 'When' : 'Begin';
  const choice: Field = { name: wayName, label, widget: 'choice', optional: false, options, initial: way };
  const clock = { now, timeZone: await timeZoneOf(context, actor) };
  const usual = wayOf(raw) === 'every' ? { [timingKey('until')]: [usualEnd] } : {};
  const hours = await sayHours(context, { ...asking, raw: { ...usual, ...raw } }, channel);
  const fields = [choice, ...fieldsOf(way, raw, policy, clock)];
  if (hours === undefined) return { hours: [], fields };
  const words = typeof hours === 'object' ? `${signs.warning} ${hours.message}` : `${signs.waiting} ${hours}`;
  return { hours: [words], fields };
}

/** A past hour stays in its field, which refuses it: left out, the request would begin at once. */
function fieldsOf(way: Way, raw: RawArgs, policy: Policy | undefined, clock: PersonClock): readonly Field[] {
  const words = timingWord(raw, 'at') ?? timingWord(raw, 'in') ?? '';
  if (way === 'at') return hourFields(readTime(words, clock) ?? readTime(`in ${words}`, clock), words);
  if (way === 'now') return [];
  const text = (name: 'every' | 'until' | 'runs', label: string, hint: string, usual?: string): Field => {
    const initial = timingWord(raw, name) ?? usual;
    return { name: timingKey(name), label, hint, widget: 'text', optional: true, ...defined({ initial }) };
  };
  if (way === 'every')
    return [
      text('every', 'Days and hour', 'In your time zone, like mon 04:00, every weekday 8:30, daily 3am.'),
      text('until', 'Until', 'At most 90 days from now.', usualEnd),
      text('runs', 'Most runs', 'Without it: each such hour until the end.'),
    ];
  const field = { name: timingKey('window'), label: 'Maintenance window', widget: 'choice', optional: false } as const;
  const options = Object.entries(policy?.windows ?? {}).map(([value, description]) => {
    return { value, label: value, description };
  });
  const hint = 'It begins when this opens next, or at once while it is open.';
  const initial = timingWord(raw, 'window')?.toLowerCase() ?? options[0]?.value;
  return [{ ...field, hint, options, ...defined({ initial }) }];
}

/** The hour of a submitted page, which replaces the one that the form was opened with. */
export function timingIn(raw: RawArgs, values: FormValues): RawArgs {
  const shown = whenNames.filter((name) => values[name] !== undefined);
  if (shown.length === 0 && values[wayName] === undefined) return raw;
  const entered: FormValues = { ...values, [whenName]: hourIn(values).words, [whenWordsName]: '' };
  const wordsOf = (name: string) =>
    [entered[name] ?? []].flat().filter((word) => word !== '' && word !== notChosen.value);
  const filled = Object.fromEntries(
    whenNames.filter((name) => wordsOf(name).length > 0).map((name) => [name, wordsOf(name)]),
  );
  // A form of an earlier version has no choice, and a window beside the hour.
  const way = isWay(values[wayName]) ? values[wayName] : wayOf(filled);
  const names = way === 'at' ? [whenName, timingKey('window')] : ways[way].names;
  // An end without runs is that of a request that is taken back.
  const others = whenNames.filter((name) => name !== timingKey('until') || wayOf(raw) === 'every');
  const left = [timingKey('in'), ...shown, ...(wayOf(raw) === way ? [] : others)];
  return Object.fromEntries([
    ...Object.entries(raw).filter(([name]) => !left.includes(name)),
    ...Object.entries(filled).filter(([name]) => names.includes(name)),
  ]);
}

/** The chosen way, if the page has none of its fields, or the error of its empty field. */
export function wayIn(raw: RawArgs, values: FormValues) {
  const way = values[wayName];
  if (!isWay(way) || way === 'now' || wayOf(raw) === way) return undefined;
  const [name = wayName] = ways[way].names;
  return values[name] === undefined
    ? { way }
    : { wrong: { kind: 'errors', errors: { [name]: 'Fill this in, or choose another “When”.' } } as const };
}

/** True if the page did not show the hours that these words mean. A picker shows its hour itself. */
export function isUnseenHour(shown: RawArgs, raw: RawArgs, values: FormValues): boolean {
  const isPicked = wayOf(raw) === 'at' && hourIn(values).name === whenName;
  return !isPicked && timingOptions(shown).join(' ') !== timingOptions(raw).join(' ');
}

/** The field of the page at which a refusal is shown. */
export function refusedAt(field: string, values: FormValues): string {
  if (!whenNames.includes(field)) return field;
  return values[field] === undefined ? wayName : field === whenName ? hourIn(values).name : field;
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

/** Refuses text that fills a field completely, since Slack silently cuts pasted text at the limit, and a long reason. */
export function fullFields({ args }: AnyCommand, values: FormValues): SubmitAnswer | undefined {
  const most = typedMost.toLocaleString('en');
  const other = Object.values(args).some(({ widget }) => widget === 'file') ? 'Give it as a file.' : 'Shorten it.';
  const words = `It fills the field, which holds ${most} characters, so its end may be cut off. ${other}`;
  const full = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    const isTyped = args[name]?.widget === 'text' || args[name]?.widget === 'multiline';
    return isTyped && typeof value === 'string' && isFull(value) ? [[name, words]] : [];
  });
  const refusal = tooLongReason(typedIn(values));
  const all = { ...Object.fromEntries(full), ...(refusal && { [reasonName]: `${refusal.message} ${refusal.hint}` }) };
  return Object.keys(all).length === 0 ? undefined : { kind: 'errors', errors: all };
}
