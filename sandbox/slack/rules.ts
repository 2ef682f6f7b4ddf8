/**
 * The real Slack's rules besides limits of single fields, with their evidence. The simulation applies all of them; a
 * rule with evidence to the contrary can be turned off by its name.
 */
export interface SlackRule {
  /** Slack's behavior, as a sentence. */
  readonly text: string;
  readonly source: string;
  /** A: official documentation or SDK. B: two reports that agree. C: one report. D: inference. */
  readonly strength: 'A' | 'B' | 'C' | 'D';
  /** Evidence to the contrary; only rules with such evidence can be turned off. */
  readonly against?: string;
}

export const slackRules = {
  'alert-only-in-modals': {
    text: 'Only modals accept an alert block; a message or a Home tab with one is refused.',
    source: 'docs.slack.dev/blocks.json; slackapi/node-slack-sdk#2567; slackapi/java-slack-sdk#1610',
    strength: 'A',
    against: 'slackapi/slack-skills-plugin, common-patterns.md, posts one in a message',
  },
  'alert-200': {
    text: 'The text of an alert has at most 200 characters.',
    source: 'docs.slack.dev, alert block, 2026',
    strength: 'A',
    against: 'an earlier version of the same page names no limit',
  },
  'blocks-budget': {
    text: 'All blocks of a message hold at most 11,000 characters: & counts five, < and > four, a header 100 more.',
    source: 'slackapi/bolt-js#2867 (11,341 refused); slackapi/bolt-js#2509; measurements of escaped texts and headers',
    strength: 'B',
    against: 'slackapi/bolt-js#2509: 13,297 taken in one markdown block; a response_url took 11,341',
  },
  'update-text-bytes': {
    text: 'A text of more than 4,000 bytes of UTF-8 is refused by chat.update with msg_too_long.',
    source: 'measured: 4,121 bytes in 1,993 characters refused, 3,971 bytes in 2,035 taken',
    strength: 'C',
    against: 'docs.slack.dev speaks of characters',
  },
  'empty-blocks-on-post': {
    text: 'An empty list of blocks is refused by chat.postMessage and chat.postEphemeral with invalid_blocks; chat.update takes it.',
    source: 'one report of invalid_blocks; chat.update: docs.slack.dev, slack-go/slack#1214',
    strength: 'C',
    against: 'docs.slack.dev names no least number of blocks',
  },
  'suggestion-without-state': {
    text: 'The view of a block_suggestion holds no entered values.',
    source: 'slackapi/bolt-js#1146, #660; slackapi/java-slack-sdk#1292; slackapi/bolt-python#336, #349',
    strength: 'B',
  },
  'missing-parent-at-root': {
    text: 'A reply to a message that is gone is posted at the root of the channel, without thread_ts in the answer.',
    source: 'slack-go/slack#1571; langchain-ai/open-swe#2753; PostHog/posthog#83601',
    strength: 'B',
  },
  'private-needs-reply': {
    text: 'A private message in a thread without a reply is shown to nobody, and the answer is ok all the same.',
    source: 'docs.slack.dev, chat.postEphemeral, thread_ts: "only shown if there is already an active thread"',
    strength: 'A',
  },
  'command-text-unescaped': {
    text: 'The text of a command has &, < and > unescaped.',
    source: 'a public app that depends on it',
    strength: 'C',
    against: 'docs.slack.dev: texts in payloads are escaped',
  },
  'command-groups-as-typed': {
    text: 'A group that was typed in a command arrives as @handle, not as its id.',
    source: 'docs.slack.dev: only people, channels and links are escaped in commands',
    strength: 'D',
  },
  'second-table-is-attachment-error': {
    text: 'A second table in a message is refused with invalid_attachments and only_one_table_allowed.',
    source: 'vercel/chat#194; openclaw/openclaw#57717',
    strength: 'B',
  },
  'table-only-in-messages': {
    text: 'Only messages accept a table block.',
    source: 'measured: a Home tab drops it (TightknitAI/slack-block-kit-validator)',
    strength: 'C',
    against: 'docs.slack.dev/blocks.json lists Home tabs',
  },
  'table-settings-are-objects': {
    text: 'Each entry of column_settings is an object.',
    source: 'docs.slack.dev, table block; @slack/types',
    strength: 'A',
    against: 'examples in circulation skip a column with null',
  },
  'data-table-101-rows': {
    text: 'A data_table has at most 101 rows, its header row among them.',
    source: 'docs.slack.dev, data table block',
    strength: 'A',
    against: 'slack-morphism 2.30 cites a later version of the page: 201 rows',
  },
  'card-not-in-modals': {
    text: 'A card block is refused in modals.',
    source: 'measured: TightknitAI/slack-block-kit-validator',
    strength: 'C',
    against: 'docs.slack.dev/blocks.json lists modals',
  },
  'container-without-rich-text': {
    text: 'A container holds no rich_text, input or file block.',
    source: 'measured against the live validator: slack-morphism 2.31, container block',
    strength: 'C',
    against: 'docs.slack.dev and @slack/types list them as child blocks',
  },
  'container-folds-without-divider': {
    text: 'A container that can be collapsed has no header divider.',
    source: 'slackapi/node-slack-sdk#2721: the API rejects both together',
    strength: 'A',
  },
  'one-plan-per-message': {
    text: 'A message holds at most one plan.',
    source: 'TightknitAI/slack-block-kit-validator, check-single-plan-block: "Cannot have more than 1 plan block"',
    strength: 'C',
  },
  'plan-50-tasks': {
    text: 'A plan has at most 50 tasks.',
    source: 'infograb/slack-blockkit-gateway, progress and streaming, citing docs.slack.dev',
    strength: 'C',
    against: 'docs.slack.dev, plan block, names no number',
  },
  'task-texts-256': {
    text: 'The title of a plan or a task, and the details and the output of a task, have at most 256 characters.',
    source: 'vellum-ai/vellum-assistant#37146: so in the chunks of a stream, from which Slack makes the same blocks',
    strength: 'D',
    against: 'docs.slack.dev, plan and task card block, names no limit',
  },
  'multi-select-not-in-actions': {
    text: 'A multi-select menu is refused in an actions block.',
    source: 'measured: infograb/slack-blockkit-gateway, T08',
    strength: 'C',
    against: 'docs.slack.dev lists actions blocks for multi-select menus',
  },
  'address-inputs-only-in-modals': {
    text: 'Only modals accept inputs for email and URL.',
    source: 'docs.slack.dev, email input, URL input',
    strength: 'A',
    against: 'measured: infograb/slack-blockkit-gateway posted them in messages',
  },
  'option-value-75': {
    text: 'The value of an option has at most 75 characters.',
    source: '@slack/types',
    strength: 'A',
    against: 'docs.slack.dev: 150',
  },
  'action-id-once-per-view': {
    text: 'An action_id is used once in a message or view.',
    source: 'docs.slack.dev, interactive elements',
    strength: 'A',
    against: 'docs.slack.dev elsewhere: once in a block',
  },
  'confirm-names-all-buttons': {
    text: 'A confirmation dialog names its title and both buttons.',
    source: 'docs.slack.dev, confirmation dialog object',
    strength: 'A',
    against: '@slack/types: all three are optional',
  },
  'response-url-ignores-thread': {
    text: 'A private answer to a response_url appears at the root of the channel; its thread_ts has no effect.',
    source: 'slackapi/bolt-js#963; slackapi/node-slack-sdk#674',
    strength: 'B',
  },
  'private-channel-id-changes': {
    text: 'A private channel that is shared with another organization gets another id, with channel_id_changed.',
    source: 'docs.slack.dev, channel_id_changed',
    strength: 'A',
  },
  'mention-in-direct-message': {
    text: 'A message in a direct message that mentions the bot arrives twice: as message.im and as app_mention.',
    source: 'openclaw/openclaw#32190; shomali11/slacker#83',
    strength: 'B',
    against: 'docs.slack.dev, app_mention: direct messages are not sent as app_mention',
  },
  'picture-of-the-app': {
    text: 'A block shows an uploaded picture only if the app has access to it; a file that is shared nowhere is its owner’s alone.',
    source: 'docs.slack.dev, Slack file object; slackapi/python-slack-sdk#1658',
    strength: 'A',
  },
  'picture-is-processed': {
    text: 'Just after its upload, a picture in a block can be refused as an invalid slack file.',
    source: 'slackapi/node-slack-sdk#1865; slackapi/python-slack-sdk#1521; slackapi/slack-github-action#413',
    strength: 'B',
  },
  'events-need-scopes': {
    text: 'An event is sent only to an app that subscribed to it and holds its scope.',
    source: 'docs.slack.dev, event reference',
    strength: 'A',
  },
} as const satisfies Record<string, SlackRule>;

export type RuleName = keyof typeof slackRules;

export const ruleNamed = (name: RuleName): SlackRule => slackRules[name];

export const isRuleName = (name: string): name is RuleName => Object.hasOwn(slackRules, name);

export const ruleNames: readonly RuleName[] = Object.keys(slackRules).filter(isRuleName);

export interface RuleSet {
  isOn(name: RuleName): boolean;
}

export interface RuleChoice {
  /** Rules to turn off. */
  readonly lenient?: readonly RuleName[] | undefined;
}

export function createRuleSet({ lenient = [] }: RuleChoice = {}): RuleSet {
  const off = new Set<RuleName>(lenient);
  return { isOn: (name) => !off.has(name) };
}
