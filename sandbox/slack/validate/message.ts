import type { Dict } from '../dict.ts';
import { characterCount, checkBlocks } from './blocks.ts';
import { createReport } from './rule.ts';

/** About 13,000 by observation; Slack publishes no number. */
const maxCharacters = 13_000;

export interface BlocksError {
  error: 'invalid_blocks' | 'invalid_blocks_format' | 'msg_blocks_too_long';
  problems: string[];
}

const phrase = ({ at, what }: { at: string; what: string }): string => `${what} [json-pointer:${at}]`;

/** Slack's refusal of these blocks in a message; undefined when it would post them. */
export function checkMessageBlocks(blocks: unknown, isKnownImage: (file: Dict) => boolean): BlocksError | undefined {
  if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format', problems: [] };
  const report = createReport('message', isKnownImage);
  checkBlocks(blocks, '/blocks', report);
  if (report.problems.length > 0) return { error: 'invalid_blocks', problems: report.problems.map(phrase) };
  if (characterCount(blocks) > maxCharacters) return { error: 'msg_blocks_too_long', problems: [] };
  return undefined;
}
