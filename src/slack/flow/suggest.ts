import type { FormOption } from '../../core/form.ts';
import type { Query } from '../inbound/suggestion.ts';
import { groupSource, optionsWithin } from '../outbound/field.ts';
import { type Ack, answerWithinMs, type Kit, within } from './kit.ts';

/** Search as you type. Slack shows nothing after three seconds, so what is late is an empty list. */
export async function suggest(kit: Kit, query: Query, ack: Ack): Promise<void> {
  const found = await within(
    query.source === groupSource ? groups(kit, query.text) : kit.engine.suggest(query),
    answerWithinMs,
  );
  if (found.kind === 'failed') kit.log.warn({ err: found.error, source: query.source }, 'a search found nothing');
  if (found.kind === 'late') kit.log.warn({ source: query.source }, 'a search took too long');
  await ack({ options: found.kind === 'done' ? optionsWithin(found.value, 100).options : [] });
}

async function groups(kit: Kit, text: string): Promise<readonly FormOption[]> {
  const wanted = text.replace(/^@/, '').toLowerCase();
  return (await kit.directory.groups()).filter(({ label, description }) =>
    `${label} ${description ?? ''}`.toLowerCase().includes(wanted),
  );
}
