import { type Dict, isDict } from '../dict.ts';
import { checkBlocks } from './blocks.ts';
import { plainText, type } from './composition.ts';
import {
  type BlockProblem,
  boolean,
  createReport,
  list,
  problem,
  sayProblem,
  shape,
  string,
  type ValidationContext,
  type ValidationRule,
} from './rule.ts';

const maxBytes = 250_000;

export interface ViewError {
  error: 'invalid_arguments' | 'view_too_large';
  problems: string[];
  blockProblems: BlockProblem[];
}

// Blocks are checked separately, so that one invalid block does not hide other problems.
const anything: ValidationRule = list(() => {}, Number.POSITIVE_INFINITY);

const common = { private_metadata: string(3000), callback_id: string(255), external_id: string(255) };

const surfaces = {
  modal: shape(
    { type: type('modal'), title: plainText(24), blocks: anything },
    {
      submit: plainText(24),
      close: plainText(24),
      clear_on_close: boolean,
      notify_on_close: boolean,
      ...common,
    },
  ),
  home: shape({ type: type('home'), blocks: anything }, common),
};

/** Slack's refusal of this view; undefined if it accepts the view. */
export function checkView(
  view: unknown,
  surface: 'modal' | 'home',
  isKnownImage: (file: Dict) => boolean,
  context?: ValidationContext,
): ViewError | undefined {
  const report = createReport(surface, isKnownImage, context);
  surfaces[surface](view, '/view', report);
  if (isDict(view) && Array.isArray(view.blocks)) {
    checkBlocks(view.blocks, '/view/blocks', report);
    if (surface === 'modal' && report.inputs > 0 && !('submit' in view)) {
      problem(report, '/view', 'must define `submit` to use an `input` block in modals');
    }
  }
  if (report.problems.length > 0) {
    return { error: 'invalid_arguments', problems: report.problems.map(sayProblem), blockProblems: report.problems };
  }
  if (Buffer.byteLength(JSON.stringify(view)) > maxBytes)
    return { error: 'view_too_large', problems: [], blockProblems: [] };
  return undefined;
}
