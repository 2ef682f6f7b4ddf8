import type { RawArgs } from '../grammar/command-shape.ts';
import { splitLines } from '../grammar/plan-lines.ts';
import { defined } from '../text/defined.ts';
import { type Field, type FormValues, notChosen } from '../view/form.ts';
import type { Arg, ArgMap } from './args.ts';
import { isYes } from './switch-words.ts';

type Labels = (arg: string, value: string) => string;

/** The fields of a command's modal, with given values filled in. */
export function fieldsOf(args: ArgMap, raw: RawArgs, labels: Labels): Field[] {
  return Object.entries(args)
    .filter(([name, arg]) => !arg.isTypedOnly && (raw[name] !== undefined || (arg.isAsked?.(raw) ?? true)))
    .flatMap(([name, arg]) => fieldOf(name, arg, raw[name] ?? [], labels));
}

const groupsOf = (name: string) => `${name}.groups`;
const everyoneOf = (name: string) => `${name}.everyone`;

/** Slack has a picker for people, but none for user groups or everyone. */
function subjectFields(name: string, arg: Arg<unknown>, typed: readonly string[]): Field[] {
  const ids = typed.map(withoutSign);
  const isOf = (start: RegExp) => ids.filter((id) => start.test(id));
  return [
    {
      name,
      label: arg.label ?? titleCase(name),
      hint: arg.hint,
      optional: true,
      widget: 'people',
      initial: isOf(/^[UW][A-Z0-9]+$/),
    },
    { name: groupsOf(name), label: 'User groups', optional: true, widget: 'groups', initial: isOf(/^S[A-Z0-9]+$/) },
    ...(arg.excludesEveryone
      ? []
      : [
          {
            name: everyoneOf(name),
            label: 'Everyone in this channel',
            optional: false,
            widget: 'toggle',
            initial: ids.some((id) => id.toLowerCase() === 'everyone'),
          } as const,
        ]),
  ];
}

/** The three fields as one list of words; undefined if the form has none of them. */
function subjectsIn(name: string, values: FormValues): readonly string[] | undefined {
  const named = [values[name], values[groupsOf(name)]].filter((value) => value !== undefined).flat();
  const everyone = values[everyoneOf(name)];
  if (named.length === 0 && everyone === undefined) return undefined;
  return [
    ...named.filter((id) => id !== '').map((id) => `@${withoutSign(id)}`),
    ...(isYes([everyone].flat()[0] ?? '') ? ['everyone'] : []),
  ];
}

function fieldOf(name: string, arg: Arg<unknown>, words: readonly string[], labels: Labels): Field | Field[] {
  // Slack writes "(optional)" behind the label, which says nothing of a field that is filled in already.
  const isFilledIn =
    arg.widget === 'choice' || arg.widget === 'toggle' || (arg.widget === 'number' && (arg.preset ?? '') !== '');
  const base = { name, label: arg.label ?? titleCase(name), hint: arg.hint, optional: arg.optional && !isFilledIn };
  const initial = words.join(arg.many && arg.widget === 'multiline' ? '\n' : ' ');
  const asText = { ...base, ...(initial === '' ? {} : { initial }), ...defined({ example: arg.example }) };
  switch (arg.widget) {
    case 'choice': {
      const isOpen = arg.optional && (arg.preset ?? '') === '';
      const options = [...(isOpen ? [notChosen] : []), ...(arg.options ?? [])];
      // Uses the option's spelling: Slack rejects a modal with an unknown initial option.
      const typed = initial || (arg.preset ?? '');
      const wanted = (arg.fieldValue?.(typed) ?? typed).toLowerCase();
      const chosen =
        options.find((option) => option.value.toLowerCase() === wanted) ?? (isOpen ? notChosen : undefined);
      return { ...base, widget: 'choice', options, ...(chosen === undefined ? {} : { initial: chosen.value }) };
    }
    case 'checks': {
      const options = arg.options ?? [];
      const typed = words.flatMap((word) => word.toLowerCase().split(/[\s,]+/));
      const initial = options.filter(({ value }) => typed.includes(value.toLowerCase())).map(({ value }) => value);
      return { ...base, widget: 'checks', options, initial };
    }
    case 'search':
      return {
        ...base,
        widget: 'search',
        source: arg.source ?? '',
        many: arg.many,
        ...(words.length === 0
          ? {}
          : {
              initial: words
                .flatMap((word) => arg.choices?.of(word) ?? [word])
                .map((value) => ({ value, label: labels(name, value) })),
            }),
      };
    case 'toggle':
      return { ...base, widget: 'toggle', initial: isYes(initial) };
    case 'file':
      return { ...base, widget: 'file', types: (arg.options ?? []).map((option) => option.value) };
    case 'person':
      return { ...base, widget: 'people', initial: words.map(withoutSign) };
    case 'number': {
      const number = arg.fieldValue?.(initial) ?? initial;
      return { ...asText, ...(number || arg.preset ? { initial: number || arg.preset } : {}), widget: 'number' };
    }
    case 'subjects':
      return subjectFields(name, arg, words);
    case 'multiline':
    case 'text':
      return { ...asText, widget: arg.widget };
  }
}

/** The submitted values as if typed. */
export function rawOf(args: ArgMap, values: FormValues): RawArgs {
  const raw: Record<string, readonly string[]> = {};
  for (const [name, arg] of Object.entries(args)) {
    const value = arg.widget === 'subjects' ? subjectsIn(name, values) : values[name];
    if (value === undefined) continue;
    const { choices } = arg;
    const isList = arg.many && choices === undefined && arg.widget !== 'multiline';
    const sent = typeof value === 'string' ? (isList ? value.split(/[\s,]+/) : [value]) : value;
    const typed = arg.isOfLines ? sent.flatMap(splitLines) : sent;
    const isEmpty = (word: string) => word.trim() === '' || (arg.widget === 'choice' && word === notChosen.value);
    const chosen = typed.filter((word) => !isEmpty(word));
    const words = choices === undefined ? chosen : chosen.map(choices.word);
    if (words.length > 0) raw[name] = words;
  }
  return raw;
}

/** Pickers use bare ids; typed lines have `@U012AB3CD`. */
function withoutSign(word: string): string {
  return word.replace(/^@/, '');
}

function titleCase(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
