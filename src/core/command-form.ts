import { type Arg, type ArgMap, isYes } from './args.ts';
import { defined } from './defined.ts';
import type { Field, FormValues } from './form.ts';
import type { RawArgs } from './grammar/shapes.ts';

/** A command's modal, from its arguments: what is already given is filled in. */
export function fieldsOf(args: ArgMap, given: RawArgs, labels: (arg: string, value: string) => string): Field[] {
  return Object.entries(args)
    .filter(([, arg]) => !arg.isTypedOnly)
    .map(([name, arg]) => fieldOf(name, arg, given[name] ?? [], labels));
}

function fieldOf(
  name: string,
  arg: Arg<unknown>,
  given: readonly string[],
  labels: (arg: string, value: string) => string,
): Field {
  const base = { name, label: arg.label ?? titleCase(name), hint: arg.hint, optional: arg.optional };
  const initial = given.join(' ');
  const asText = {
    ...base,
    ...(initial === '' ? {} : { initial }),
    ...defined({ example: arg.example }),
  };
  switch (arg.widget) {
    case 'choice': {
      const options = arg.options ?? [];
      // As the option spells it: a choice that is none of the options would refuse the whole modal.
      const wanted = (initial || (arg.preset ?? '')).toLowerCase();
      const chosen = options.find((option) => option.value.toLowerCase() === wanted);
      return { ...base, widget: 'choice', options, ...(chosen === undefined ? {} : { initial: chosen.value }) };
    }
    case 'search':
      return {
        ...base,
        widget: 'search',
        source: arg.source ?? '',
        many: arg.many,
        ...(given.length === 0 ? {} : { initial: given.map((value) => ({ value, label: labels(name, value) })) }),
      };
    case 'toggle':
      return { ...base, widget: 'toggle', initial: isYes(initial) };
    case 'file':
      return { ...base, widget: 'file', types: (arg.options ?? []).map((option) => option.value) };
    case 'person':
      return { ...base, widget: 'people', initial: given.map(withoutSign) };
    case 'channel':
      return { ...base, widget: 'channels', initial: given.map(withoutSign) };
    case 'number':
      return { ...asText, ...(initial === '' && arg.preset ? { initial: arg.preset } : {}), widget: 'number' };
    case 'multiline':
      return { ...asText, widget: 'multiline' };
    case 'text':
      return { ...asText, widget: 'text' };
  }
}

/** The values that came back from the modal, as if they had been typed. */
export function rawOf(args: ArgMap, values: FormValues): RawArgs {
  const raw: Record<string, readonly string[]> = {};
  for (const [name, arg] of Object.entries(args)) {
    const value = values[name];
    if (value === undefined) continue;
    const given = typeof value === 'string' ? (arg.many ? value.split(/[\s,]+/) : [value]) : value;
    const words = given.filter((word) => word.trim() !== '');
    if (words.length > 0) raw[name] = words;
  }
  return raw;
}

/** `@U012AB3CD` and `#C012AB3CD` are how people write what a picker knows by the bare id. */
function withoutSign(word: string): string {
  return word.replace(/^[@#]/, '');
}

function titleCase(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
