import { z } from 'zod';
import { act, listen } from '../sandbox/page-server/open.ts';
import { patienceMs } from '../support/suite/patience.ts';

/** The sandbox's page without a browser: the stream that the operator sees, and acts in their name. */

const message = z.object({
  channel: z.string(),
  ts: z.string(),
  blocks: z.array(
    z.looseObject({
      block_id: z.string(),
      elements: z.array(z.looseObject({ action_id: z.string().optional(), text: z.unknown().optional() })).default([]),
    }),
  ),
});

/** The words of a message, in the order in which they are read. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(' ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, inside]) => (name === 'text' && typeof inside === 'string' ? inside : wordsOf(inside)))
    .join(' ');
}

export async function openPage(url: string) {
  const stream = await listen(url, 'operator');
  const seen = new Map<string, unknown>();

  async function send(name: string, input: object): Promise<void> {
    const { status, body } = await act(url, name, 'operator', input);
    if (status !== 200) throw new Error(`${name}: ${status} ${body}`);
  }

  /** The message with these words, as soon as the page has it. */
  async function until(words: RegExp): Promise<unknown> {
    const limit = setTimeout(stream.stop, patienceMs);
    for (;;) {
      const messages = [...seen].filter(([name]) => name.startsWith('message/'));
      const said = messages.map(([, value]) => ({ value, words: wordsOf(value).replaceAll(/\s+/g, ' ') }));
      const found = said.find((one) => words.test(one.words));
      if (found !== undefined) {
        clearTimeout(limit);
        return found.value;
      }
      const { drop, set } = await stream.next().catch(() => {
        throw new Error(`waited in vain for ${words}:\n${said.map((one) => one.words).join('\n')}`);
      });
      for (const name of drop) seen.delete(name);
      for (const [name, value] of set) seen.set(name, value);
    }
  }

  return {
    say: (channel: string, text: string) => send('say', { channel, text }),
    until,
    /** The button with this label on the message with these words. */
    click: async (words: RegExp, label: string) => {
      const { channel, ts, blocks } = message.parse(await until(words));
      const found = blocks.flatMap((block) =>
        block.elements.map((element) => ({ block: block.block_id, action: element.action_id, text: wordsOf(element) })),
      );
      const button = found.find(({ action, text }) => action !== undefined && text.trim() === label);
      if (button === undefined) throw new Error(`no button ${label}`);
      await send('click', { place: { channel, ts }, block: button.block, action: button.action });
    },
  };
}
