import type { Dict } from '../dict.ts';
import { checkBlocks } from './blocks.ts';
import { countedCharacters } from './budget.ts';
import {
  type BlockProblem,
  type BlockWay,
  createReport,
  isRuleOn,
  sayProblem,
  type ValidationContext,
} from './rule.ts';

const maxCharacters = { strict: 11_000, lenient: 13_000 };

export interface BlocksError {
  error: 'invalid_attachments' | 'invalid_blocks' | 'invalid_blocks_format' | 'msg_blocks_too_long';
  problems: string[];
  blockProblems: BlockProblem[];
}

/** Slack's refusal of these blocks in a message; undefined if it accepts them. */
export function checkMessageBlocks(
  blocks: unknown,
  isKnownImage: (file: Dict) => boolean,
  context?: ValidationContext,
  way: BlockWay = 'message',
): BlocksError | undefined {
  if (!Array.isArray(blocks)) return { error: 'invalid_blocks_format', problems: [], blockProblems: [] };
  const report = createReport('message', isKnownImage, context, way);
  checkBlocks(blocks, '/blocks', report);
  if (report.problems.length > 0) {
    const isTable = report.problems.every(({ what }) => what === 'only_one_table_allowed');
    const error =
      isTable && isRuleOn(report, 'second-table-is-attachment-error') ? 'invalid_attachments' : 'invalid_blocks';
    return { error, problems: report.problems.map(sayProblem), blockProblems: report.problems };
  }
  const isStrict = isRuleOn(report, 'blocks-budget');
  if (countedCharacters(blocks, isStrict) <= maxCharacters[isStrict ? 'strict' : 'lenient']) return undefined;
  return { error: 'msg_blocks_too_long', problems: [], blockProblems: [] };
}
