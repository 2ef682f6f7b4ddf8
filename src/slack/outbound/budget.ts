import type { KnownBlock } from '@slack/types';
import { countedLength } from './escape.ts';
import { isView, type SlackSurface } from './pen.ts';

/**
 * The remaining room of a message, modal or Home. Slack limits blocks everywhere, characters in messages and bytes in
 * views (250 kB). Each block is paid for before it is added, so any drawing is within the limits.
 *
 * Characters are counted as Slack does by measurement: escaped, and with about a hundred more for each header. Slack
 * refuses messages (`msg_blocks_too_long`) above a number that was measured between 11,300 and 13,200; the budget is
 * well below.
 */
export interface BlockBudget {
  blocks: number;
  characters: number;
  bytes: number;
}

/** `share` is less than 1 after Slack refused the drawing as too long. */
export function budgetOf(surface: SlackSurface, share = 1): BlockBudget {
  const whole = isView(surface)
    ? { blocks: 100, characters: 60_000, bytes: 200_000 }
    : { blocks: 50, characters: 10_000, bytes: 150_000 };
  return {
    blocks: whole.blocks,
    characters: Math.floor(whole.characters * share),
    bytes: Math.floor(whole.bytes * share),
  };
}

/** Pays for the blocks if all of them fit. */
export function pay(budget: BlockBudget, blocks: readonly KnownBlock[]): boolean {
  const characters = blocks.reduce((sum, block) => sum + costOf(block), 0);
  const bytes = Buffer.byteLength(JSON.stringify(blocks));
  if (blocks.length > budget.blocks || characters > budget.characters || bytes > budget.bytes) return false;
  budget.blocks -= blocks.length;
  budget.characters -= characters;
  budget.bytes -= bytes;
  return true;
}

const perBlock = 10;
const perHeader = 100;
/** The characters of a mention, which is sent as its id between signs. */
const perMention = 16;

function costOf(block: KnownBlock): number {
  return (block.type === 'header' ? perHeader : perBlock) + charactersOf(block);
}

/** Counts the visible strings. */
export function charactersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + charactersOf(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [name, item]) => {
    if (typeof item !== 'string') return sum + charactersOf(item);
    return sum + (readable.has(name) ? countedLength(item) : mentions.has(name) ? perMention : 0);
  }, 0);
}

const readable: ReadonlySet<string> = new Set(['text', 'fallback', 'format', 'alt_text', 'url', 'caption', 'title']);
const mentions: ReadonlySet<string> = new Set(['user_id', 'channel_id', 'usergroup_id']);
