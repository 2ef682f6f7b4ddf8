import type { KnownBlock } from '@slack/types';

/**
 * How much a message, modal or Home may still hold. Slack counts blocks everywhere, characters in messages (about
 * 13,000 over all blocks, else `msg_blocks_too_long`) and bytes in views (250 kB). Every block is paid for here before
 * it is kept, so what goes out is inside the limits whatever came in.
 */
export interface Room {
  blocks: number;
  characters: number;
  bytes: number;
}

export const messageRoom = (): Room => ({ blocks: 50, characters: 12_000, bytes: 150_000 });
export const viewRoom = (): Room => ({ blocks: 100, characters: 60_000, bytes: 200_000 });

/** Takes the blocks if all of them fit. */
export function pay(room: Room, blocks: readonly KnownBlock[]): boolean {
  const characters = charactersOf(blocks);
  const bytes = Buffer.byteLength(JSON.stringify(blocks));
  if (blocks.length > room.blocks || characters > room.characters || bytes > room.bytes) return false;
  room.blocks -= blocks.length;
  room.characters -= characters;
  room.bytes -= bytes;
  return true;
}

/** Every string that is read, counted as it is sent (a quote is two), which is never less than Slack counts. */
function charactersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + charactersOf(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, item]) =>
      sum + (typeof item === 'string' && readable.has(name) ? JSON.stringify(item).length : charactersOf(item)),
    0,
  );
}

const readable: ReadonlySet<string> = new Set(['text', 'fallback', 'alt_text', 'url']);
