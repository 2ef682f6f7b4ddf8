import { lineOf } from '../../core/grammar/parse.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import { NotOne } from '../../core/targets/not-one.ts';
import { Refusal, type Suggestion } from '../../core/view/errors.ts';
import type { CommandRequest } from './command-request.ts';

/** Turns candidates for one argument into complete lines for buttons, with the typed reason. */
export function withSuggestions(
  refusal: Refusal,
  request: Pick<CommandRequest, 'command' | 'raw' | 'reason'>,
): Refusal {
  const { field } = refusal;
  if (!(refusal instanceof NotOne) || field === undefined) return refusal;
  const isMany = request.command.args[field]?.many === true;
  const candidates = refusal.candidates.filter(({ isGroup }) => isMany || !isGroup);
  const lineWith = (values: readonly string[], others: RawArgs = {}) =>
    lineOf(request.command, { ...request.raw, ...others, [field]: values }, request.reason);
  const suggestions: Suggestion[] = candidates.map(({ label, values, others }) => ({
    label,
    command: lineWith(values, others),
  }));
  if (isMany && refusal.reason === 'ambiguous' && candidates.length > 1 && !candidates.some(({ isGroup }) => isGroup)) {
    const all = new Set(candidates.flatMap((candidate) => candidate.values));
    suggestions.push({ label: candidates.length === 2 ? 'both' : 'all of them', command: lineWith([...all]) });
  }
  return new Refusal(refusal.reason, refusal.text, {
    ...(refusal.hint ? { hint: refusal.hint } : {}),
    suggestions: [...suggestions, ...refusal.suggestions],
    field,
  });
}
