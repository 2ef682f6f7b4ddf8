import { z } from 'zod';
import { wordSet } from '../../core/text/words.ts';
import { faultOf, SlackError } from '../faults.ts';

/** Slack's codes for refusing the blocks, not the message or its place. */
const ofDrawing = wordSet(
  'invalid_blocks invalid_blocks_format invalid_attachments only_one_table_allowed no_text invalid_arguments',
  'block_mismatch failed_for_some_blocks',
);
const ofSize = wordSet('msg_blocks_too_long msg_too_long view_too_large');

export type DrawingRefusal = NonNullable<ReturnType<typeof refusalOf>>;

interface Named {
  /** A type of block, or of an element that can be drawn differently; `accessory` is any element beside a section. */
  readonly type: string;
  /** True if Slack does not know or allow the type here, regardless of its content. */
  readonly isWholeKind: boolean;
}

/** The blocks that Slack names, if any, and its words, which contain paths but no contents. Undefined for any other error. */
export function refusalOf(error: unknown, sent: unknown) {
  const fault = faultOf(error);
  if (fault.kind !== 'refused') return undefined;
  const isTooLong = ofSize.has(fault.code);
  if (!isTooLong && !ofDrawing.has(fault.code)) return undefined;
  const words = error instanceof SlackError ? error.details.slice(0, 20) : [];
  const pointers = words.map((line) => ({ line, pointer: /json-pointer:\s*([^\]\s]+)/.exec(line)?.[1] }));
  const isElsewhere =
    // Slack refuses other arguments, such as a person's id, with this code too.
    fault.code === 'invalid_arguments' &&
    pointers.length > 0 &&
    pointers.every(({ pointer = '' }) => !/^\/?(blocks|view|text|attachments)(\/|$)/.test(pointer));
  if (isElsewhere) return undefined;
  const named = pointers.flatMap(({ line, pointer }) => nameOf(line, pointer ?? '', sent));
  return { code: fault.code, isTooLong, named, words };
}

export const typesIn = (sent: unknown): string[] => drawn.safeParse(sent).data?.blocks.map(({ type }) => type) ?? [];

const unsupported = /unsupported|not supported|not allowed|only_one_table|unknown (block|type)|invalid block type/i;

const menus = ['static_select', 'overflow'] as const;

/** Finds the block of a pointer such as `/blocks/3/elements/0/text` or `/view/blocks/3/…`. */
function nameOf(line: string, pointer: string, sent: unknown): Named[] {
  const [, at, inside = ''] = /^(?:\/view)?\/blocks\/(\d+)(\/.*)?$/.exec(pointer) ?? [];
  const block = drawn.safeParse(sent).data?.blocks[Number(at)];
  if (at === undefined || block === undefined) return [];
  if (inside.startsWith('/accessory')) {
    const isWholeKind = /^\/accessory(\/type)?$/.test(inside) || unsupported.test(line);
    return [{ type: 'accessory', isWholeKind }];
  }
  const element = block.elements[Number(/^\/elements\/(\d+)/.exec(inside)?.[1])];
  const menu = menus.find((type) => block.type === 'actions' && element?.type === type);
  const rest = menu !== undefined ? inside.replace(/^\/elements\/\d+/, '') : inside;
  const isWholeKind = rest === '' || rest === '/type' || unsupported.test(line);
  return [{ type: menu ?? block.type, isWholeKind }];
}

const typed = z.looseObject({ type: z.string().default('') });
const drawn = z.object({
  blocks: z.array(typed.extend({ elements: z.array(typed).catch([]).default([]) })),
});
