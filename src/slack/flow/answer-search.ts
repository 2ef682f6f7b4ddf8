import { within } from '../../core/async/within.ts';
import type { FormOption } from '../../core/view/form.ts';
import type { SuggestionQuery } from '../inbound/suggestion.ts';
import { groupSource, optionsWithin } from '../outbound/field.ts';
import { type Ack, answerWithinMs, type FlowContext } from './context.ts';

/** Search as you type. Slack shows nothing after three seconds, so what is late is an empty list. */
export async function suggest(context: FlowContext, query: SuggestionQuery, ack: Ack): Promise<void> {
  const { source } = query;
  const search = await within(
    source === groupSource ? groups(context, query.text) : context.engine.suggest(query),
    answerWithinMs,
  );
  if (search.kind === 'failed') context.log.warn({ err: search.error, source }, 'a search failed');
  if (search.kind === 'late') context.log.warn({ source }, 'a search took too long');
  await ack({ options: search.kind === 'done' ? optionsWithin(search.value, 100).options : [] });
}

async function groups(context: FlowContext, text: string): Promise<readonly FormOption[]> {
  const wanted = text.replace(/^@/, '').toLowerCase();
  return (await context.directory.groups()).filter(({ label, description }) =>
    `${label} ${description ?? ''}`.toLowerCase().includes(wanted),
  );
}
