import { z } from 'zod';
import { patienceMs } from '../support/patience.ts';

/** The sandbox's page without a browser: the stream that a person sees, and acts in their name. */

const changes = z.object({
  clear: z.array(z.string()),
  drop: z.array(z.string()),
  set: z.array(z.tuple([z.string(), z.unknown()])),
});

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

export async function openPage(url: string, person: string) {
  const seen = new Map<string, unknown>();
  const stop = new AbortController();
  const response = await fetch(`${url}/live?as=${person}`, { signal: stop.signal });
  if (response.body === null) throw new Error(`no stream: ${response.status}`);
  const read = (async (stream: AsyncIterable<Uint8Array>) => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) take(event);
    }
  })(response.body).catch(() => undefined);

  function take(event: string): void {
    const [, data] = /^data: (.*)$/m.exec(event) ?? [];
    if (data === undefined) return;
    const { drop, set } = changes.parse(JSON.parse(data));
    for (const name of drop) seen.delete(name);
    for (const [name, value] of set) seen.set(name, value);
  }

  /** The words of a message, in the order in which they are read. */
  const wordsOf = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(wordsOf).join(' ');
    if (typeof value !== 'object' || value === null) return '';
    return Object.entries(value)
      .map(([name, inside]) => (name === 'text' && typeof inside === 'string' ? inside : wordsOf(inside)))
      .join(' ');
  };
  const messages = () =>
    [...seen].flatMap(([name, value]) =>
      name.startsWith('message/') ? [{ value, words: wordsOf(value).replaceAll(/\s+/g, ' ') }] : [],
    );

  async function act(name: string, input: object): Promise<void> {
    const answer = await fetch(`${url}/act/${name}?as=${person}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(input),
    });
    if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
  }

  async function until(words: RegExp, withinMs = patienceMs): Promise<unknown> {
    for (const end = performance.now() + withinMs; performance.now() < end; ) {
      const found = messages().find((one) => words.test(one.words));
      if (found !== undefined) return found.value;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(
      `waited in vain for ${words}:\n${messages()
        .map(({ words: said }) => said)
        .join('\n')}`,
    );
  }

  return {
    say: (channel: string, text: string) => act('say', { channel, text }),
    until,
    /** The button with this label on the message with these words. */
    click: async (words: RegExp, label: string) => {
      const { channel, ts, blocks } = message.parse(await until(words));
      const found = blocks.flatMap((block) =>
        block.elements.map((element) => ({ block: block.block_id, action: element.action_id, text: wordsOf(element) })),
      );
      const button = found.find(({ action, text }) => action !== undefined && text.trim() === label);
      if (button === undefined) throw new Error(`no button ${label}`);
      await act('click', { place: { channel, ts }, block: button.block, action: button.action });
    },
    close: async () => {
      stop.abort();
      await read;
    },
  };
}
