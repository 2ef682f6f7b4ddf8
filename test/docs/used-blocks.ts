import { type blockTypes, isView, type SlackSurface, surfaces } from '../../src/slack/outbound/pen.ts';

const everywhere = surfaces;
const inModals = ['modal'] as const;
const inMessages = surfaces.filter((surface) => !isView(surface));

/** A: Slack's documentation or SDK. B: two reports that agree. C: one report. D: inference. */
type Strength = 'A' | 'B' | 'C' | 'D';

export interface Use {
  readonly on: readonly SlackSurface[];
  /** The replacement if Slack refuses the block. */
  readonly instead: string;
  readonly source: string;
  readonly strength: Strength;
}

function use(instead: string, source: string, on: readonly SlackSurface[] = everywhere, strength: Strength = 'A'): Use {
  return { on, instead, source, strength };
}

const reference = (name: string) => `https://docs.slack.dev/reference/block-kit/blocks/${name}-block`;

/** For docs/slack.md: where each block is drawn, and the replacement. */
export const usedBlocks = {
  actions: use('`section` with the button beside it, one for each button', reference('actions')),
  alert: use(
    '`rich_text` with the tone as a bold word',
    `${reference('alert')}, slackapi/node-slack-sdk PR 2567: modals only, 200 characters`,
    inModals,
  ),
  container: use(
    '`rich_text` with the lines in the open, under their title',
    `${reference('container')}, docs.slack.dev/blocks.json: messages only; measured for chat.postMessage (infograb/slack-blockkit-gateway T30); \`rich_text\` in it refused (slack-morphism 2.31, C)`,
    inMessages,
  ),
  context: use('`rich_text`, `section`', reference('context')),
  data_table: use(
    '`table`',
    `${reference('data-table')}; measured for chat.postMessage (infograb/slack-blockkit-gateway T40d), the other ways inferred`,
    inMessages,
    'C',
  ),
  header: use('`rich_text` in bold, `section`, `context`', reference('header')),
  image: use(
    'the picture as a file: below the answer, or of a private one in the direct messages; the chart of `status` is left out',
    `${reference('image')}, https://docs.slack.dev/reference/block-kit/composition-objects/slack-file-object: the app must have access to the file; \`invalid slack file\` while Slack processes it (slackapi/node-slack-sdk #1865); in a private answer inferred`,
  ),
  input: use('a sentence that says to type the command', reference('input'), inModals),
  plan: use(
    '`rich_text` with a line for each task',
    `${reference('plan')}, docs.slack.dev/blocks.json: messages only; one in a message (slack-block-kit-validator, C); measured for chat.postMessage (infograb/slack-blockkit-gateway T35b)`,
    inMessages,
  ),
  rich_text: use('`section`, `context`', reference('rich-text')),
  section: use('`context`; it is drawn only where something else was refused', reference('section')),
  task_card: use(
    'as for `plan`, in which it stands',
    `${reference('task-card')}; measured (infograb/slack-blockkit-gateway T36b)`,
    inMessages,
  ),
  table: use(
    '`rich_text` with aligned lines',
    `${reference('table')}; measured for chat.postMessage (infograb/slack-blockkit-gateway T14), the other ways inferred`,
    inMessages,
  ),
} as const satisfies Record<(typeof blockTypes)[number], Use>;

const element = (name: string) => `https://docs.slack.dev/reference/block-kit/block-elements/${name}-element`;
const noForm = 'as for `input`';

/** All drawn elements that people press or fill in; the same test compares. */
export const usedElements = {
  button: use('what can be typed, as words', element('button')),
  checkboxes: use(noForm, element('checkboxes'), inModals),
  radio_buttons: use(noForm, element('radio-button-group'), inModals),
  external_select: use(
    'nothing: each thing can be named in a command; in a form as for `input`',
    element('select-menu'),
  ),
  file_input: use(noForm, element('file-input'), inModals),
  multi_external_select: use(noForm, element('multi-select-menu'), inModals),
  multi_static_select: use(
    noForm,
    `${element('multi-select-menu')}; in \`input\` only, in \`actions\` it was refused (infograb/slack-blockkit-gateway T08)`,
    inModals,
  ),
  multi_users_select: use(noForm, element('multi-select-menu'), inModals),
  number_input: use(noForm, element('number-input'), inModals),
  overflow: use('`static_select`', element('overflow-menu')),
  plain_text_input: use(noForm, element('plain-text-input'), inModals),
  static_select: use('a `button` for each option; in a form as for `input`', element('select-menu')),
} as const satisfies Record<string, Use>;
