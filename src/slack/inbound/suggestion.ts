import { z } from 'zod';
import { undoKeyboards } from '../../core/grammar/typed.ts';
import { sourceOf } from '../outbound/field.ts';
import { person, readPayload } from './incoming.ts';

const suggestion = z.object({
  user: person,
  action_id: z.string(),
  value: z.string().default(''),
  view: z.object({ private_metadata: z.string().default('') }).optional(),
});

/** Slack says what is typed, and not what else is filled in: the `state` of a search is empty (bolt-js #1146, open). */
export interface SuggestionQuery {
  readonly actor: string;
  readonly form: string;
  readonly source: string;
  readonly text: string;
}

export function readSuggestion(payload: unknown): SuggestionQuery {
  const { user, action_id, value, view } = readPayload('search', suggestion, payload);
  return {
    actor: user.id,
    form: view?.private_metadata ?? '',
    source: sourceOf(action_id) ?? '',
    text: undoKeyboards(value).trim(),
  };
}
