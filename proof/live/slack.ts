import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { LiveConfig } from '../../src/config.ts';
import { slackApi } from '../../src/slack/call.ts';
import { markdownTable } from '../../test/docs/markdown-table.ts';

/** Questions about Slack that public sources leave open, each with a way to answer it in a workspace. */

const slackAnswer = z.looseObject({
  ok: z.boolean(),
  error: z.string().default(''),
  response_metadata: z.looseObject({ messages: z.array(z.string()).default([]) }).optional(),
});
type SlackAnswer = z.infer<typeof slackAnswer>;

/** Calls a method of Slack's Web API and returns its response, even a refusal. */
type AskSlack = (method: string, args: Readonly<Record<string, unknown>>) => Promise<SlackAnswer>;

interface ProbeContext {
  readonly askSlack: AskSlack;
  /** The bot's conversation with the admin. */
  readonly channel: string;
  readonly user: string;
}

interface ProbeQuestion {
  readonly question: string;
  /** The method whose response answers the question. */
  readonly asks: string;
  readonly answer: (context: ProbeContext) => Promise<string>;
}

const plain = (text: string) => ({ type: 'plain_text', text });
const richText = (text: string, part = 'rich_text_section') => ({
  type: 'rich_text',
  elements: [{ type: part, elements: [{ type: 'text', text }] }],
});
const rawText = (text: string) => ({ type: 'raw_text', text });
const richCell = (element: object) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [element] }],
});
const table = { type: 'table', rows: [[rawText('Server')], [rawText('web-1')]] };
const actions = (element: object) => ({ type: 'actions', elements: [element] });
const alert = (length: number) => ({ type: 'alert', text: plain('a'.repeat(length)) });
const dataTable = (rows: number) => ({
  type: 'data_table',
  caption: 'Servers',
  rows: Array.from({ length: rows }, () => [rawText('web-1')]),
});
const container = { type: 'container', title: plain('More'), child_blocks: [richText('a')] };

const problems = z.array(z.looseObject({ message: z.string(), pointer: z.string() })).catch([]);

function outcome({ ok, error, errors, response_metadata }: SlackAnswer): string {
  if (ok) return 'taken';
  const [problem] = problems.parse(errors);
  const why = problem === undefined ? response_metadata?.messages[0] : `${problem.message} at ${problem.pointer}`;
  return `refused: ${error}${why === undefined ? '' : `, ${why}`}`;
}

const validated = (question: string, surface: 'message' | 'modal' | 'home', block: object): ProbeQuestion => ({
  question,
  asks: 'blocks.validate',
  answer: async ({ askSlack }) => {
    const payload =
      surface === 'message'
        ? { message: { blocks: [block] } }
        : { view: { type: surface, blocks: [block], ...(surface === 'modal' ? modalFrame : {}) } };
    return outcome(await askSlack('blocks.validate', payload));
  },
});
const modalFrame = { title: plain('Hostler'), submit: plain('Go') };

/** Posts a message, runs the work, and always deletes the message. */
async function posted(
  { askSlack, channel }: ProbeContext,
  args: Readonly<Record<string, unknown>>,
  then: (answer: SlackAnswer, ts: string) => Promise<string> | string = outcome,
): Promise<string> {
  const answer = await askSlack('chat.postMessage', { channel, text: 'Hostler measures Slack', ...args });
  const ts = String(answer.ts ?? '');
  try {
    return await then(answer, ts);
  } finally {
    if (answer.ok) await askSlack('chat.delete', { channel, ts });
  }
}

const messaged = (question: string, args: Readonly<Record<string, unknown>>): ProbeQuestion => ({
  question,
  asks: 'chat.postMessage',
  answer: (context) => posted(context, args),
});

const updated = (question: string, change: Readonly<Record<string, unknown>>): ProbeQuestion => ({
  question,
  asks: 'chat.update',
  answer: (context) =>
    posted(context, {}, async (_answer, ts) =>
      outcome(await context.askSlack('chat.update', { channel: context.channel, ts, text: 'updated', ...change })),
    ),
});

const headers = ['one', 'two', 'three'].map((text) => ({ type: 'header', text: plain(text) }));
const filled = (text: string) => [...headers, ...Array.from({ length: 5 }, () => richText(text))];

const deletedParent: ProbeQuestion = {
  question: 'A reply to a message that is deleted: in a thread, at the root, or refused?',
  asks: 'chat.postMessage',
  answer: async (context) => {
    const { askSlack, channel } = context;
    const parent = await askSlack('chat.postMessage', { channel, text: 'Hostler measures Slack' });
    await askSlack('chat.delete', { channel, ts: parent.ts });
    return posted(context, { thread_ts: parent.ts }, (answer) => {
      if (!answer.ok) return outcome(answer);
      return JSON.stringify(answer.message ?? {}).includes('"thread_ts"') ? 'in a thread' : 'at the root';
    });
  },
};

const person: ProbeQuestion = {
  question: 'Does users.info of a member name enterprise_user.teams (Enterprise Grid)?',
  asks: 'users.info',
  answer: async ({ askSlack, user }) => {
    const answer = await askSlack('users.info', { user });
    if (!answer.ok) return outcome(answer);
    return JSON.stringify(answer.user ?? {}).includes('"enterprise_user"') ? 'yes' : 'no';
  },
};

const ephemeralTable: ProbeQuestion = {
  question: 'A table in a message that one person sees',
  asks: 'chat.postEphemeral',
  answer: async ({ askSlack, channel, user }) =>
    outcome(await askSlack('chat.postEphemeral', { channel, user, text: 'Hostler measures Slack', blocks: [table] })),
};

const threadTable: ProbeQuestion = {
  question: 'A table in a thread',
  asks: 'chat.postMessage',
  answer: (context) => posted(context, {}, (_answer, ts) => posted(context, { thread_ts: ts, blocks: [table] })),
};

const questions: readonly ProbeQuestion[] = [
  validated('An alert block in a message', 'message', alert(10)),
  validated('An alert block on a Home tab', 'home', alert(10)),
  validated('An alert of 201 characters in a modal', 'modal', alert(201)),
  validated(
    'A preformatted text of 9,000 characters',
    'message',
    richText('a'.repeat(9_000), 'rich_text_preformatted'),
  ),
  validated('A date in a table cell', 'message', {
    ...table,
    rows: [[richCell({ type: 'date', timestamp: 1_700_000_000, format: '{date_short}', fallback: 'a day' })]],
  }),
  validated('A person in a table cell', 'message', {
    ...table,
    rows: [[richCell({ type: 'user', user_id: 'U012AB3CD' })]],
  }),
  validated('null among the column_settings of a table', 'message', { ...table, column_settings: [null] }),
  validated('A table on a Home tab', 'home', table),
  validated('rich_text in a context block', 'message', { type: 'context', elements: [richText('a')] }),
  validated('rich_text in a container', 'message', container),
  validated('A data_table of 102 rows', 'message', dataTable(102)),
  validated('A data_table of 202 rows', 'message', dataTable(202)),
  validated('A card in a modal', 'modal', { type: 'card', title: { type: 'mrkdwn', text: 'a' } }),
  validated('A multi-select menu in an actions block', 'message', actions({ type: 'multi_users_select' })),
  validated('An input for email in a message', 'message', {
    type: 'input',
    label: plain('Email'),
    element: { type: 'email_text_input' },
  }),
  validated(
    'An option whose value has 150 characters',
    'message',
    actions({ type: 'static_select', options: [{ text: plain('a'), value: 'v'.repeat(150) }] }),
  ),
  validated(
    'A confirmation dialog without title and buttons',
    'message',
    actions({ type: 'button', text: plain('a'), confirm: { text: plain('Sure?') } }),
  ),
  messaged('An empty list of blocks in a new message', { blocks: [] }),
  messaged('11,500 characters in five rich_text blocks, with three headers', { blocks: filled('a'.repeat(2_300)) }),
  messaged('5,750 characters and 1,150 times &, with three headers', {
    blocks: filled(`${'a'.repeat(1_150)}${'&'.repeat(230)}`),
  }),
  messaged('Two tables in one message', { blocks: [table, table] }),
  updated('4,000 characters of Cyrillic, 8,000 bytes, as the text of an update', { text: 'я'.repeat(4_000) }),
  updated('An empty list of blocks in an update', { blocks: [] }),
  updated('A table in an update', { blocks: [table] }),
  ephemeralTable,
  threadTable,
  deletedParent,
  person,
];

/** Answers the questions in the bot's conversation with this person. Returns a table to paste into an issue. */
export async function probe(
  { botToken, apiUrl }: Pick<LiveConfig['slack'], 'botToken' | 'apiUrl'>,
  user: string,
): Promise<string> {
  const askSlack: AskSlack = async (method, args) => {
    const fields = Object.entries(args).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    for (;;) {
      const response = await fetch(`${(apiUrl ?? slackApi).replace(/\/?$/, '/')}${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${botToken}` },
        body: new URLSearchParams(fields),
      });
      if (response.ok) return slackAnswer.parse(await response.json());
      if (response.status !== 429) throw new Error(`Slack answered ${response.status} to ${method}`);
      await sleep(1_000 * Math.max(1, Number(response.headers.get('retry-after'))));
    }
  };
  const { ok, error, channel } = await askSlack('conversations.open', { users: user });
  if (!ok) throw new Error(`Slack opens no conversation with ${user}: ${error}`);
  const context = { askSlack, user, channel: z.object({ id: z.string() }).parse(channel).id };
  const rows: string[][] = [];
  for (const { question, asks, answer } of questions) {
    // An error becomes the answer to its question; the others continue.
    const result = await answer(context).catch((error: unknown) => `not answered: ${reasonOf(error)}`);
    rows.push([question, asks, result]);
  }
  return markdownTable(['Question', 'Asked with', 'Answer'], rows);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'no answer');
