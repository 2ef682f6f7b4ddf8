import { z } from 'zod';
import type { FormValues } from '../../core/form.ts';
import { undoKeyboards } from '../../core/grammar/typed.ts';
import { sourceOf } from '../outbound/field.ts';
import { person, readPayload } from './incoming.ts';
import { valuesOf, viewState } from './values.ts';

const suggestion = z.object({
  user: person,
  action_id: z.string(),
  value: z.string().default(''),
  view: z.object({ private_metadata: z.string().default(''), state: viewState }).optional(),
});

export interface SuggestionQuery {
  readonly actor: string;
  readonly form: string;
  readonly source: string;
  readonly text: string;
  /** What is filled in so far. */
  readonly given: FormValues;
}

export function readSuggestion(payload: unknown): SuggestionQuery {
  const { user, action_id, value, view } = readPayload('search', suggestion, payload);
  return {
    actor: user.id,
    form: view?.private_metadata ?? '',
    source: sourceOf(action_id) ?? '',
    text: undoKeyboards(value).trim(),
    given: view === undefined ? {} : valuesOf(view.state),
  };
}
