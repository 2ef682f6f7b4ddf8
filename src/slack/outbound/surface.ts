/** The places where Slack shows messages. Each accepts different blocks. */
export const surfaces = ['message', 'update', 'ephemeral', 'response_url', 'modal', 'home'] as const;
export type SlackSurface = (typeof surfaces)[number];

export const isView = (surface: SlackSurface): surface is 'modal' | 'home' => surface === 'modal' || surface === 'home';

/** All drawn block types. A test draws everything and compares. */
export const blockTypes = [
  'actions',
  'alert',
  'container',
  'context',
  'data_table',
  'header',
  'image',
  'input',
  'plan',
  'rich_text',
  'section',
  'task_card',
  'table',
] as const;

/** Blocks of 2026, which are left out first if Slack refuses a drawing without naming a block. */
export const newerBlocks: readonly string[] = [
  'container',
  'data_table',
  'plan',
  'task_card',
] satisfies (typeof blockTypes)[number][];
