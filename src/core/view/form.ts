import type { Text, ViewPart } from './view.ts';

/** A modal, independent of Slack. Forms of commands are derived from their arguments (command-form.ts). */

export interface FormOption {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

interface FieldBase {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly optional: boolean;
}

export type Field =
  | (FieldBase & {
      readonly widget: 'text' | 'multiline' | 'number';
      readonly initial?: string;
      readonly example?: string;
    })
  | (FieldBase & { readonly widget: 'choice'; readonly options: readonly FormOption[]; readonly initial?: string })
  /** Search as you type; `source` names the source of the options. */
  | (FieldBase & {
      readonly widget: 'search';
      readonly source: string;
      readonly many: boolean;
      readonly initial?: readonly FormOption[];
    })
  | (FieldBase & { readonly widget: 'toggle'; readonly initial: boolean })
  /** A date with an hour, in the zone of the person; milliseconds. */
  | (FieldBase & { readonly widget: 'moment'; readonly initial?: number })
  | (FieldBase & {
      readonly widget: 'checks';
      readonly options: readonly FormOption[];
      readonly initial: readonly string[];
    })
  | (FieldBase & { readonly widget: 'people' | 'groups'; readonly initial: readonly string[] })
  | (FieldBase & { readonly widget: 'file'; readonly types: readonly string[] });

export interface Form {
  readonly title: string;
  readonly submit: string;
  /** Opaque: the store keeps the form's subject under this id; the modal does not contain it. */
  readonly id: string;
  readonly notes: readonly Text[];
  /** The facts to decide on, with buttons. */
  readonly about?: readonly ViewPart[];
  readonly fields: readonly Field[];
  /** Content of a form without fields, such as a revealed secret. */
  readonly code?: string;
}

export type UnopenedForm = Omit<Form, 'id'>;

/** The submitted values: strings as typed, an array for several values, the ids of uploaded files. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** For a field with several choices: the choices that a typed word stands for, and the word for one choice. */
export interface Choices {
  readonly of: (word: string) => readonly string[];
  readonly word: (choice: string) => string;
}

/** The maximum length of a Slack text field. */
export const typedMost = 3_000;

/** True if pasted text may have been cut, however Slack counts characters of two code units. */
export function isFull(value: string): boolean {
  return value.length === typedMost || [...value].length >= typedMost;
}

/** The first option of a choice that may stay open: Slack writes "(optional)" behind each field that may be empty. */
export const notChosen: FormOption = { value: '-', label: 'Not chosen' };

/** The field of the reason: no argument has this name. */
export const reasonName = '@reason';
/** The picker of the hour at which an action begins, and the field for its words. */
export const whenName = '@at';
export const whenWordsName = '@words';

/** A picker of an hour and a field for words, which holds the words that no picker can show. */
export function hourFields(initial: number | undefined, words = ''): readonly Field[] {
  return [
    {
      ...{ name: whenName, label: 'Day and hour', widget: 'moment', optional: true },
      ...(initial === undefined ? {} : { initial }),
    },
    {
      ...{ name: whenWordsName, label: 'Or in words', widget: 'text', optional: true, example: 'tomorrow 9am' },
      hint: 'In your time zone. What you write here counts, not the picker.',
      ...(initial === undefined && words !== '' ? { initial: words } : {}),
    },
  ];
}

/** The submitted hour and its field: the words, or else the picker. */
export function hourIn({ [whenName]: picked = '', [whenWordsName]: typed = '' }: FormValues) {
  const words = [typed].flat().join(' ').trim();
  return words === '' ? { name: whenName, words: [picked].flat().join(' ') } : { name: whenWordsName, words };
}
