import { z } from 'zod';
import type { FormValues } from '../../core/view/form.ts';
import { fieldName } from '../outbound/field.ts';
import { id } from './incoming.ts';

/** The values that a person entered in a form, as Slack sends them with the submission. */

const option = z.object({ value: z.string() });

/** Slack's state of one element. Which fields it has depends on its kind. */
const elementState = z.object({
  type: z.string(),
  value: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
  selected_users: z.array(z.string()).nullish(),
  selected_conversations: z.array(z.string()).nullish(),
  selected_date_time: z.number().int().nullish(),
  files: z.array(z.object({ id })).nullish(),
});

export const viewState = z
  .object({ values: z.record(z.string(), z.record(z.string(), elementState)) })
  .default({ values: {} });

export function valuesOf({ values: state }: z.output<typeof viewState>): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const [blockId, elements] of Object.entries(state)) {
    const name = fieldName(blockId);
    const [element] = Object.values(elements);
    if (name === undefined || element === undefined) continue;
    values[name] = enteredIn(element);
  }
  return values satisfies FormValues;
}

const readers: Readonly<Record<string, (element: z.output<typeof elementState>) => string | string[]>> = {
  static_select: (element) => element.selected_option?.value ?? '',
  radio_buttons: (element) => element.selected_option?.value ?? '',
  checkboxes: (element) => chosen(element),
  external_select: (element) => element.selected_option?.value ?? '',
  multi_static_select: (element) => chosen(element),
  multi_external_select: (element) => chosen(element),
  multi_users_select: (element) => element.selected_users ?? [],
  multi_conversations_select: (element) => element.selected_conversations ?? [],
  datetimepicker: ({ selected_date_time: at }) => (at == null ? '' : new Date(at * 1_000).toISOString()),
  file_input: (element) => (element.files ?? []).map((file) => file.id),
};

function enteredIn(element: z.output<typeof elementState>): string | string[] {
  return readers[element.type]?.(element) ?? element.value ?? '';
}

function chosen(element: z.output<typeof elementState>): string[] {
  return (element.selected_options ?? []).map((each) => each.value);
}
