import type { Text, ViewPart } from './view.ts';

/** A modal, without a word about Slack. Forms of commands are derived from their arguments (command-form.ts). */

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
  /** Search as you type; `source` names who answers. */
  | (FieldBase & {
      readonly widget: 'search';
      readonly source: string;
      readonly many: boolean;
      readonly initial?: readonly FormOption[];
    })
  | (FieldBase & { readonly widget: 'toggle'; readonly initial: boolean })
  | (FieldBase & {
      readonly widget: 'checks';
      readonly options: readonly FormOption[];
      readonly initial: readonly string[];
    })
  | (FieldBase & { readonly widget: 'people' | 'groups' | 'channels'; readonly initial: readonly string[] })
  | (FieldBase & { readonly widget: 'file'; readonly types: readonly string[] });

export interface Form {
  readonly title: string;
  readonly submit: string;
  /** Opaque: what the form is about is kept in the store under this id, not in the modal. */
  readonly id: string;
  readonly notes: readonly Text[];
  /** The facts that are decided on, with buttons that open something else. */
  readonly about?: readonly ViewPart[];
  readonly fields: readonly Field[];
  /** Shown instead of fields when there is nothing to fill in, such as a revealed secret. */
  readonly code?: string;
}

/** The submitted values: strings as typed, an array for several values, the ids of uploaded files. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** Of a field in which several are chosen: the choices that a typed word stands for, and the word for one of them. */
export interface Choices {
  readonly of: (word: string) => readonly string[];
  readonly word: (choice: string) => string;
}

/** The most characters that a text field of Slack holds. */
export const typedMost = 3_000;

/** Whether more may have been pasted than the field holds, however Slack counts a character of two units. */
export function isFull(value: string): boolean {
  return value.length === typedMost || [...value].length >= typedMost;
}
