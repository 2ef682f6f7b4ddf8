import type { Json } from '../text/json.ts';
import type { Text, View, ViewPart } from './view.ts';

/** Words a text, with the names of people and channels. */
export type SayText = (text: Text) => Promise<string>;

type DrawData<Kind> = (part: Extract<ViewPart, { kind: Kind }>, say: SayText) => Promise<Json> | Json;

const sayText = async ({ text }: { readonly text: Text }, say: SayText) => ({ text: await say(text) });

/** Parts that say something. The others are buttons and pictures. */
const drawn: { readonly [Kind in ViewPart['kind']]?: DrawData<Kind> } = {
  heading: async ({ text }, say) => ({ heading: await say(text) }),
  text: sayText,
  notice: sayText,
  context: sayText,
  fields: async ({ fields }, say) => ({
    fields: Object.fromEntries(await Promise.all(fields.map(async ([label, value]) => [label, await say(value)]))),
  }),
  table: async ({ columns, rows }, say) => {
    const names = columns.map(({ name }) => name);
    const cells = rows.map((row) => Promise.all(row.map(async (cell, n) => [names[n] ?? '', await say(cell)])));
    return { rows: (await Promise.all(cells)).map((row) => Object.fromEntries(row)) };
  },
  tasks: ({ tasks }) => ({ steps: tasks.map(({ label, word, note = '' }) => ({ label, state: word, note })) }),
  code: ({ text }) => ({ code: text }),
  diff: ({ lines }) => ({ changes: lines.map(({ sign, text }) => `${sign} ${text}`) }),
};

const decoder = new TextDecoder();

/** The view as plain JSON, for machines: its words without markup, tables as objects, and no buttons. */
export async function asData(
  { summary, parts, files = [], more }: View,
  say: SayText,
): Promise<{ readonly [key: string]: Json }> {
  // A picture only shows what the words say.
  const texts = files.filter(({ name }) => !name.endsWith('.png'));
  const data = await Promise.all(
    parts.map((part) => {
      // Each drawer gets parts of one kind; the type of the lookup does not say so.
      const draw = drawn[part.kind] as DrawData<ViewPart['kind']> | undefined;
      return draw?.(part, say);
    }),
  );
  return {
    text: await say(summary),
    parts: data.filter((part) => part !== undefined),
    ...(texts.length === 0 ? {} : { files: texts.map(({ name, bytes }) => ({ name, text: decoder.decode(bytes) })) }),
    ...(more === undefined ? {} : { more }),
  };
}
