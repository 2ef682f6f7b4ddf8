import { type blockTypes, isView, type SlackSurface, surfaces } from '../../src/slack/outbound/surface.ts';

const everywhere = surfaces;
const inMessages = surfaces.filter((surface) => !isView(surface));

/** A: Slack's documentation or SDK. B: two reports that agree. C: one report. D: inference. */
type Strength = 'A' | 'B' | 'C' | 'D';

interface Use {
  readonly on: readonly SlackSurface[];
  /** The replacement if Slack refuses the block. */
  readonly instead: string;
  readonly source: string;
  readonly strength: Strength;
}

const reference = (name: string) => `https://docs.slack.dev/reference/block-kit/blocks/${name}-block`;

/** For docs/slack.md: where each block is drawn, and the replacement. */
export const usedBlocks = {
  actions: {
    on: everywhere,
    instead: '`section` with the button beside it, one for each button',
    source: reference('actions'),
    strength: 'A',
  },
  alert: {
    on: ['modal'],
    instead: '`rich_text` with the tone as a bold word',
    source: `${reference('alert')}, slackapi/node-slack-sdk PR 2567: modals only, 200 characters`,
    strength: 'A',
  },
  container: {
    on: inMessages,
    instead: '`rich_text` with the lines in the open, under their title',
    source: `${reference('container')}, docs.slack.dev/blocks.json: messages only; measured for chat.postMessage (infograb/slack-blockkit-gateway T30); \`rich_text\` in it refused (slack-morphism 2.31, C)`,
    strength: 'A',
  },
  context: { on: everywhere, instead: '`rich_text`, `section`', source: reference('context'), strength: 'A' },
  data_table: {
    on: inMessages,
    instead: '`table`',
    source: `${reference('data-table')}; measured for chat.postMessage (infograb/slack-blockkit-gateway T40d), the other ways inferred`,
    strength: 'C',
  },
  divider: { on: everywhere, instead: 'nothing', source: reference('divider'), strength: 'A' },
  header: {
    on: everywhere,
    instead: '`rich_text` in bold, `section`, `context`',
    source: reference('header'),
    strength: 'A',
  },
  image: {
    on: everywhere,
    instead:
      'the picture as a file: below the answer, or of a private one in the direct messages; the chart of `status` is left out',
    source: `${reference('image')}, https://docs.slack.dev/reference/block-kit/composition-objects/slack-file-object: the app must have access to the file; \`invalid slack file\` while Slack processes it (slackapi/node-slack-sdk #1865); in a private answer inferred`,
    strength: 'A',
  },
  input: {
    on: ['modal'],
    instead: 'a sentence that says to type the command',
    source: reference('input'),
    strength: 'A',
  },
  plan: {
    on: inMessages,
    instead: '`rich_text` with a line for each task',
    source: `${reference('plan')}, docs.slack.dev/blocks.json: messages only; one in a message (slack-block-kit-validator, C); measured for chat.postMessage (infograb/slack-blockkit-gateway T35b)`,
    strength: 'A',
  },
  rich_text: { on: everywhere, instead: '`section`, `context`', source: reference('rich-text'), strength: 'A' },
  section: {
    on: everywhere,
    instead: '`context`; it is drawn only where something else was refused',
    source: reference('section'),
    strength: 'A',
  },
  task_card: {
    on: inMessages,
    instead: 'as for `plan`, in which it stands',
    source: `${reference('task-card')}; measured (infograb/slack-blockkit-gateway T36b)`,
    strength: 'A',
  },
  table: {
    on: inMessages,
    instead: '`rich_text` with aligned lines',
    source: `${reference('table')}; measured for chat.postMessage (infograb/slack-blockkit-gateway T14), the other ways inferred`,
    strength: 'A',
  },
} as const satisfies Record<(typeof blockTypes)[number], Use>;

const element = (name: string) => `https://docs.slack.dev/reference/block-kit/block-elements/${name}-element`;
const inModals = ['modal'] as const;
const noForm = 'as for `input`';

/** All drawn elements that people press or fill in; the same test compares. */
export const usedElements = {
  button: {
    on: everywhere,
    instead: 'what can be typed, as words',
    source: element('button'),
    strength: 'A',
  },
  checkboxes: { on: inModals, instead: noForm, source: element('checkboxes'), strength: 'A' },
  radio_buttons: { on: inModals, instead: noForm, source: element('radio-button-group'), strength: 'A' },
  external_select: {
    on: everywhere,
    instead: 'nothing: each thing can be named in a command; in a form as for `input`',
    source: element('select-menu'),
    strength: 'A',
  },
  file_input: { on: inModals, instead: noForm, source: element('file-input'), strength: 'A' },
  multi_conversations_select: { on: inModals, instead: noForm, source: element('multi-select-menu'), strength: 'A' },
  multi_external_select: { on: inModals, instead: noForm, source: element('multi-select-menu'), strength: 'A' },
  multi_static_select: {
    on: inModals,
    instead: noForm,
    source: `${element('multi-select-menu')}; in \`input\` only, in \`actions\` it was refused (infograb/slack-blockkit-gateway T08)`,
    strength: 'A',
  },
  multi_users_select: { on: inModals, instead: noForm, source: element('multi-select-menu'), strength: 'A' },
  number_input: { on: inModals, instead: noForm, source: element('number-input'), strength: 'A' },
  overflow: {
    on: everywhere,
    instead: '`static_select`',
    source: element('overflow-menu'),
    strength: 'A',
  },
  plain_text_input: { on: inModals, instead: noForm, source: element('plain-text-input'), strength: 'A' },
  static_select: {
    on: everywhere,
    instead: 'a `button` for each option; in a form as for `input`',
    source: element('select-menu'),
    strength: 'A',
  },
} as const satisfies Record<string, Use>;
