import { asDicts, type Dict, isDict } from '../dict.ts';
import type { RuleName } from '../rules.ts';
import { block, cell, type FurtherCheck, tableLimits } from './block.ts';
import { anyText, imageSource, oneImageSource, plainText, type } from './composition.ts';
import { elementsFor } from './elements.ts';
import { richTextCell } from './rich-text.ts';
import {
  boolean,
  byType,
  integer,
  isRuleOn,
  list,
  oneOf,
  problem,
  type Report,
  type Surface,
  shape,
  string,
  url,
  type ValidationRule,
  whileOn,
} from './rule.ts';

/** Blocks of 2025 and 2026. Fields are those of @slack/types 3.2, surfaces those of docs.slack.dev/blocks.json. */

export interface BlockRow {
  surfaces: readonly Surface[];
  /** Surfaces that a disputed rule forbids. */
  limit?: { rule: RuleName; surfaces: readonly Surface[] };
  rule: ValidationRule;
}

const mrkdwn = (max: number): ValidationRule =>
  byType({ mrkdwn: shape({ type: type('mrkdwn'), text: string(max, 1) }, { verbatim: boolean }) }, ' here');

const image = shape({ type: type('image'), alt_text: string(2000, 1) }, imageSource, oneImageSource);

const inActions = elementsFor('actions');
const button: ValidationRule = (value, at, report) => {
  if (isDict(value) && value.type !== 'button') problem(report, `${at}/type`, 'only buttons stand in a card');
  else inActions(value, at, report);
};

const needsOneOf =
  (...names: string[]): FurtherCheck =>
  (value, at, report) => {
    if (!names.some((name) => name in value)) problem(report, at, `must define one of ${names.join(', ')}`);
  };

const card = block(
  'card',
  {},
  {
    hero_image: image,
    icon: image,
    title: mrkdwn(150),
    subtitle: mrkdwn(150),
    body: mrkdwn(200),
    actions: list(button, 3, 1),
  },
  needsOneOf('hero_image', 'title', 'actions', 'body'),
);

const headerRow: FurtherCheck = (value, at, report) => {
  tableLimits(value, at, report);
  const rows = Array.isArray(value.rows) ? value.rows : [];
  if (isRuleOn(report, 'data-table-101-rows') && rows.length > 101) {
    problem(report, `${at}/rows`, 'no more than 101 items allowed');
  }
  for (const [column, heading] of asDicts(rows[0]).entries()) {
    if (heading.type === 'rich_text') problem(report, `${at}/rows/0/${column}`, 'a header cell cannot be rich_text');
  }
};

const taskText = whileOn('task-texts-256', string(256, 1), string(3000, 1));
const taskRichText: ValidationRule = (value, at, report) => {
  richTextCell(value, at, report);
  if (isRuleOn(report, 'task-texts-256') && wordsOf(value).length > 256) {
    problem(report, at, 'must be less than 257 characters');
  }
};

/** The plain text of a rich text. */
function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join('');
  if (!isDict(value)) return '';
  return (typeof value.text === 'string' ? value.text : '') + wordsOf(value.elements ?? []);
}

const taskFields = {
  required: {
    task_id: string(255, 1),
    title: taskText,
    status: oneOf('pending', 'in_progress', 'complete', 'error'),
  },
  optional: {
    details: taskRichText,
    output: taskRichText,
    sources: list(shape({ type: type('url'), url: url(3000), text: string(3000, 1) }), 100),
  },
};
const task = block('task_card', taskFields.required, taskFields.optional);
/** Refuses a plan's tasks if Slack refuses task cards. */
const taskInPlan: ValidationRule = (value, at, report) => {
  if (report.context.faults.refusesBlock('task_card', report.way)) {
    problem(report, `${at}/type`, 'unsupported type: task_card');
  } else task(value, at, report);
};

const onePlan: FurtherCheck = (_value, at, report) => {
  report.plans += 1;
  if (report.plans > 1 && isRuleOn(report, 'one-plan-per-message'))
    problem(report, at, 'Cannot have more than 1 plan block');
};

const iconButton = shape(
  { type: type('icon_button'), icon: oneOf('trash'), text: plainText(75) },
  { action_id: string(255, 1), value: string(2000), accessibility_label: string(75) },
);
const feedback = shape({ text: plainText(75), value: string(2000) }, { accessibility_label: string(75) });
const feedbackButtons = shape(
  { type: type('feedback_buttons'), positive_button: feedback, negative_button: feedback },
  { action_id: string(255, 1) },
);

/** The child blocks of a container; a disputed rule allows fewer than the documentation. */
function childBlock(child: ValidationRule): ValidationRule {
  const listed = 'actions context divider file header image input rich_text section table video'.split(' ');
  const measured = 'actions context divider header image section table video'.split(' ');
  return (value, at, report) => {
    const allowed = isRuleOn(report, 'container-without-rich-text') ? measured : listed;
    if (isDict(value) && !allowed.includes(String(value.type))) {
      const constraint = { type: 'enum', expected: allowed, got: value.type };
      problem(report, `${at}/type`, `unsupported type: ${String(value.type)} in a container`, constraint);
    } else child(value, at, report);
  };
}

const collapsing = (value: Dict, at: string, report: Report): void => {
  needsOneOf('title', 'rich_text_title')(value, at, report);
  if (value.default_collapsed === true && value.is_collapsible !== true) {
    problem(report, at, '`default_collapsed` requires `is_collapsible`');
  }
  const isBoth = value.has_header_divider === true && value.is_collapsible === true;
  if (isBoth && isRuleOn(report, 'container-folds-without-divider')) {
    problem(report, at, '`has_header_divider` is not allowed with `is_collapsible`');
  }
};

/** The rows of newer blocks; `child` checks the blocks in containers. */
export const newerBlocks = (child: ValidationRule): Record<string, BlockRow> => ({
  card: {
    surfaces: ['message', 'modal', 'home'],
    limit: { rule: 'card-not-in-modals', surfaces: ['modal'] },
    rule: card,
  },
  carousel: { surfaces: ['message', 'home'], rule: block('carousel', { elements: list(card, 10, 1) }) },
  container: {
    surfaces: ['message'],
    rule: block(
      'container',
      { child_blocks: list(childBlock(child), 10, 1) },
      {
        title: plainText(150),
        rich_text_title: richTextCell,
        subtitle: anyText(150),
        icon: image,
        width: oneOf('narrow', 'standard', 'wide', 'full'),
        is_collapsible: boolean,
        default_collapsed: boolean,
        has_header_divider: boolean,
      },
      collapsing,
    ),
  },
  context_actions: {
    surfaces: ['message'],
    rule: block('context_actions', {
      elements: list(byType({ feedback_buttons: feedbackButtons, icon_button: iconButton }, ' here'), 5, 1),
    }),
  },
  data_table: {
    surfaces: ['message', 'home'],
    rule: block(
      'data_table',
      { rows: list(list(cell, 20, 1), 201, 2), caption: string(3000, 1) },
      { page_size: integer(1, 100), row_header_column_index: integer(0, 19) },
      headerRow,
    ),
  },
  data_visualization: {
    surfaces: ['message'],
    rule: (_value, at, report) => problem(report, at, 'data_visualization is not known to @slack/types yet'),
  },
  plan: {
    surfaces: ['message'],
    rule: block(
      'plan',
      { title: taskText },
      { tasks: whileOn('plan-50-tasks', list(taskInPlan, 50), list(taskInPlan, 500)) },
      onePlan,
    ),
  },
  task_card: { surfaces: ['message'], rule: task },
  video: {
    surfaces: ['message', 'modal', 'home'],
    rule: (_value, at, report) => problem(report, at, 'video blocks need the scope links.embed:write'),
  },
});
