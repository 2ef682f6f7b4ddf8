import { within } from '../../core/async/within.ts';
import type { FormOption } from '../../core/view/form.ts';
import type { SuggestionQuery } from '../inbound/suggestion.ts';
import { groupSource, optionsWithin } from '../outbound/field.ts';
import { type Ack, answerWithinMs, type FlowContext } from './context.ts';

/** Search as you type. Slack shows nothing after three seconds, so what is late is an empty list. */
export async function suggest(context: FlowContext, query: SuggestionQuery, ack: Ack): Promise<void> {
  const { source } = query;
  const found = await within(
    source === groupSource ? groups(context, query.text) : context.engine.suggest(query),
    answerWithinMs,
  );
  if (found.kind === 'failed') context.log.warn({ err: found.error, source }, 'a search found nothing');
  if (found.kind === 'late') context.log.warn({ source }, 'a search took too long');
  await ack({ options: found.kind === 'done' ? optionsWithin(found.value, 100).options : [] });
}

async function groups(context: FlowContext, text: string): Promise<readonly FormOption[]> {
  const wanted = text.replace(/^@/, '').toLowerCase();
  return (await context.directory.groups()).filter(({ label, description }) =>
    `${label} ${description ?? ''}`.toLowerCase().includes(wanted),
  );
}
