import { z } from 'zod';
import { undoKeyboards } from '../../core/text/undo-typing.ts';
import type { Engine } from '../../engine/context/ports.ts';
import { findsPrefix } from '../outbound/actions.ts';
import { sourceOf } from '../outbound/field.ts';
import { id, person, placeOf, readPayload } from './read-payload.ts';

const suggestion = z.object({
  user: person,
  action_id: z.string(),
  value: z.string().default(''),
  channel: z.object({ id }).nullish(),
  view: z.object({ private_metadata: z.string().default('') }).optional(),
});

/**
 * Slack sends the typed text, but not the other fields' values: the `state` of a search is empty (bolt-js #1146, open).
 */
export type SuggestionQuery = Parameters<Engine['suggest']>[0];

export function readSuggestion(payload: unknown): SuggestionQuery {
  const { user, action_id, value, view, channel } = readPayload('search', suggestion, payload);
  const isOverAll = action_id.startsWith(findsPrefix);
  const at = channel?.id === undefined ? ({ channel: '', kind: 'home' } as const) : placeOf(channel.id);
  return {
    actor: user.id,
    form: view?.private_metadata ?? '',
    source: sourceOf(action_id) ?? '',
    text: undoKeyboards(value).trim(),
    ...(isOverAll ? { everythingAt: at } : {}),
  };
}
