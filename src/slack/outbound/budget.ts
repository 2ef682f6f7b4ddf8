import type { KnownBlock } from '@slack/types';
import { countedLength } from './escape.ts';
import { type BlockBudget, isView, type SlackSurface } from './pen.ts';

/** `share` is less than 1 after Slack refused the drawing as too long. */
export function budgetOf(surface: SlackSurface, share = 1): BlockBudget {
  const { blocks, characters, bytes } = isView(surface)
    ? { blocks: 100, characters: 60_000, bytes: 200_000 }
    : { blocks: 50, characters: 10_000, bytes: 150_000 };
  return { blocks, characters: Math.floor(characters * share), bytes: Math.floor(bytes * share) };
}

export function pay(budget: BlockBudget, blocks: readonly KnownBlock[]): boolean {
  const characters = blocks.reduce(
    (sum, block) => sum + (block.type === 'header' ? perHeader : perBlock) + charactersOf(block),
    0,
  );
  const bytes = Buffer.byteLength(JSON.stringify(blocks));
  if (blocks.length > budget.blocks || characters > budget.characters || bytes > budget.bytes) return false;
  spend(budget, { blocks: blocks.length, characters, bytes });
  return true;
}

export function spend(budget: BlockBudget, { blocks, characters, bytes }: BlockBudget): void {
  budget.blocks -= blocks;
  budget.characters -= characters;
  budget.bytes -= bytes;
}

const perBlock = 10;
const perHeader = 100;
/** The characters of a mention, which is sent as its id between signs. */
const perMention = 16;

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
