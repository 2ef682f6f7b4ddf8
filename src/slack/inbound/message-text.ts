import { z } from 'zod';
import { undoSlack } from '../../core/text/undo-typing.ts';

/**
 * Reads the text of a message as people see it. Monitoring (Alertmanager, VictoriaMetrics, Gatus) leaves `text` empty
 * and uses attachments or blocks.
 */

const mostCharacters = 8_000;
/** Slack allows 50 blocks and 100 attachments; an app's message may nest blocks. */
const mostParts = 2_000;

const words = z.string().catch('');
const parts = z.array(z.unknown()).catch([]);

/** An attachment. Fields that differ from this schema are dropped, the others stay. */
const attachment = z
  .object({
    pretext: words,
    title: words,
    text: words,
    fallback: words,
    fields: z.array(z.object({ title: words, value: words }).catch({ title: '', value: '' })).catch([]),
    blocks: parts,
  })
  .catch({ pretext: '', title: '', text: '', fallback: '', fields: [], blocks: [] });

export const messageWords = z.object({
  text: words.default(''),
  attachments: parts.default([]),
  blocks: parts.default([]),
});

export function textOfMessage({ text, attachments, blocks }: z.output<typeof messageWords>): string {
  const attached = attachments.slice(0, 100).flatMap((raw) => {
    const { pretext, title, text: body, fallback, fields, blocks: inside } = attachment.parse(raw);
    const values = fields.slice(0, 100).flatMap((field) => [field.title, field.value]);
    return [pretext, title, body, ...values, ...wordsIn(inside), fallback];
  });
  // Slack escapes every text that it sends, other apps' texts too (bolt-python #513).
  return [...new Set([text, ...attached, ...wordsIn(blocks)])]
    .map((each) => undoSlack(each.slice(0, mostCharacters)).trim())
    .filter((each) => each !== '')
    .join('\n')
    .slice(0, mostCharacters);
}

/** All `text` fields of all kinds of blocks, in order. */
function wordsIn(blocks: readonly unknown[]): string[] {
  const texts: string[] = [];
  const pending: unknown[] = blocks.toReversed();
  for (let visited = 0; pending.length > 0 && visited < mostParts; visited++) {
    const part = pending.pop();
    if (typeof part !== 'object' || part === null) continue;
    if ('text' in part && typeof part.text === 'string') texts.push(part.text);
    const inside = Object.values(part).filter((value) => typeof value === 'object' && value !== null);
    pending.push(...inside.slice(0, mostParts).toReversed());
  }
  return texts;
}
