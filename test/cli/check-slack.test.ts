import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ruleNamed, ruleNames } from '../../sandbox/slack/rules.ts';
import { type SlackOptions, startSlack } from '../../sandbox/slack/server.ts';
import { recordViews } from '../../sandbox/view-recorder.ts';
import { createAskSlack } from '../../src/cli/check/ask-slack.ts';
import { checkViews } from '../../src/cli/check/check-views.ts';
import { probe } from '../../src/cli/check/probe.ts';
import { root } from '../../src/root.ts';
import { adminId, openSimulators } from '../support/simulators.ts';

async function openSlack(options: SlackOptions = {}) {
  const slack = await startSlack(options);
  onTestFinished(() => slack.close());
  return slack;
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hostler-views-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const found = (apiUrl: string, folder?: string) => Array.fromAsync(checkViews(apiUrl, folder));

test('hostler check --views prints one green line when Slack accepts all views, those of the code and those of a folder', async () => {
  const slack = await openSlack();
  const folder = await emptyFolder();
  const record = recordViews(folder);
  record({ surface: 'message', command: '/host list', payload: { blocks: [section('web-1')] } });
  // The same shape: one file.
  record({ surface: 'message', command: '/host list', payload: { blocks: [section('db-1')] } });
  record({ surface: 'home', command: 'app_home_opened', payload: { type: 'home', blocks: [section('web-1')] } });
  slack.sim.fault({ method: 'blocks.validate', status: 429, retryAfterS: 1, count: 1 });
  expect(await found(slack.apiUrl, folder)).toEqual([
    {
      is: 'good',
      about: 'views',
      text: expect.stringMatching(/^Slack takes all: [2-9]\d\d views of the code and 2 views of /),
    },
  ]);
  const asked = slack.sim.requests('blocks.validate').filter(({ ok }) => ok);
  expect(asked.length).toBeGreaterThan(200);
  expect(
    new Set(asked.map(({ args }) => ('message' in args ? 'message' : JSON.parse(String(args.view)).type))),
  ).toEqual(new Set(['message', 'modal', 'home']));
});

test('a refused view is a red line with the surface, the request that draws it, and the place in the view', async () => {
  const slack = await openSlack();
  const folder = await emptyFolder();
  const payload = { blocks: [section('web-1'), { type: 'divider' }] };
  recordViews(folder)({ surface: 'message', command: '/host restart web-1 › confirm', payload });
  slack.sim.refuseBlocks({ type: 'divider', surface: 'message' });
  const lines = await found(slack.apiUrl, folder);
  expect(lines).toContainEqual({
    is: 'bad',
    about: 'message',
    text: '/host restart web-1 › confirm: /blocks/1/type unsupported type: divider (failed_constraint)',
  });
  expect(lines.at(-1)).toMatchObject({
    is: 'bad',
    about: 'views',
    text: expect.stringMatching(/^Slack refuses \d+ of \d+: /),
  });
  slack.sim.refuseBlocks({ type: 'input' });
  expect(await found(slack.apiUrl)).toContainEqual(
    expect.objectContaining({ about: 'modal', text: expect.stringMatching(/^\/host dns add: \/blocks\/\d+\/type /) }),
  );
});

test('a missing folder, or a file that is no view, is an error of one line', async () => {
  const slack = await openSlack();
  await expect(found(slack.apiUrl, '/nowhere/views')).rejects.toThrow('There is no folder /nowhere/views.');
  const folder = await emptyFolder();
  await writeFile(join(folder, 'a.json'), '{"blocks":');
  await expect(found(slack.apiUrl, folder)).rejects.toThrow(/a\.json is not a view from npm --prefix proof run views/);
  await slack.close();
  await expect(found(slack.apiUrl)).rejects.toThrow(/^asking http.*blocks\.validate: /);
});

test('hostler check --probe finds out which of two rules Slack follows, and leaves no message behind', async () => {
  const disputed = ruleNames.filter((name) => ruleNamed(name).against !== undefined);
  const strict = await openSlack();
  const lenient = await openSlack({ lenient: [...disputed, 'missing-parent-at-root'] });
  const [first, second] = await Promise.all(
    [strict, lenient].map((slack) => probe(createAskSlack(slack.apiUrl, slack.botToken), adminId)),
  );
  expect(first).toMatchInlineSnapshot(`
    "| Question                                                                    | Asked with         | Answer                                                                                                 |
    | --------------------------------------------------------------------------- | ------------------ | ------------------------------------------------------------------------------------------------------ |
    | An alert block in a message                                                 | blocks.validate    | refused: invalid_message, unsupported type: alert at /blocks/0/type                                    |
    | An alert block on a Home tab                                                | blocks.validate    | refused: invalid_view, unsupported type: alert at /blocks/0/type                                       |
    | An alert of 201 characters in a modal                                       | blocks.validate    | refused: invalid_view, must be less than 201 characters at /blocks/0/text/text                         |
    | A preformatted text of 9,000 characters                                     | blocks.validate    | taken                                                                                                  |
    | A date in a table cell                                                      | blocks.validate    | taken                                                                                                  |
    | A person in a table cell                                                    | blocks.validate    | taken                                                                                                  |
    | null among the column_settings of a table                                   | blocks.validate    | refused: invalid_message, must provide an object at /blocks/0/column_settings/0                        |
    | A table on a Home tab                                                       | blocks.validate    | refused: invalid_view, unsupported type: table at /blocks/0/type                                       |
    | rich_text in a context block                                                | blocks.validate    | refused: invalid_message, unsupported type: rich_text here at /blocks/0/elements/0/type                |
    | rich_text in a container                                                    | blocks.validate    | refused: invalid_message, unsupported type: rich_text in a container at /blocks/0/child_blocks/0/type  |
    | A data_table of 102 rows                                                    | blocks.validate    | refused: invalid_message, no more than 101 items allowed at /blocks/0/rows                             |
    | A data_table of 202 rows                                                    | blocks.validate    | refused: invalid_message, no more than 201 items allowed at /blocks/0/rows                             |
    | A card in a modal                                                           | blocks.validate    | refused: invalid_view, unsupported type: card at /blocks/0/type                                        |
    | A multi-select menu in an actions block                                     | blocks.validate    | refused: invalid_message, unsupported type: multi_users_select in actions at /blocks/0/elements/0/type |
    | An input for email in a message                                             | blocks.validate    | refused: invalid_message, unsupported type: email_text_input in input at /blocks/0/element/type        |
    | An option whose value has 150 characters                                    | blocks.validate    | refused: invalid_message, must be less than 76 characters at /blocks/0/elements/0/options/0/value      |
    | A confirmation dialog without title and buttons                             | blocks.validate    | refused: invalid_message, missing required field: title at /blocks/0/elements/0/confirm                |
    | An empty list of blocks in a new message                                    | chat.postMessage   | refused: invalid_blocks                                                                                |
    | 11,500 characters in five rich_text blocks, with three headers              | chat.postMessage   | refused: msg_blocks_too_long                                                                           |
    | 5,750 characters and 1,150 times &, with three headers                      | chat.postMessage   | refused: msg_blocks_too_long                                                                           |
    | Two tables in one message                                                   | chat.postMessage   | refused: invalid_attachments, [ERROR] only_one_table_allowed [json-pointer:/blocks/1]                  |
    | 4,000 characters of Cyrillic, 8,000 bytes, as the text of an update         | chat.update        | refused: msg_too_long                                                                                  |
    | An empty list of blocks in an update                                        | chat.update        | taken                                                                                                  |
    | A table in an update                                                        | chat.update        | taken                                                                                                  |
    | A table in a message that one person sees                                   | chat.postEphemeral | taken                                                                                                  |
    | A table in a thread                                                         | chat.postMessage   | taken                                                                                                  |
    | A reply to a message that is deleted: in a thread, at the root, or refused? | chat.postMessage   | at the root                                                                                            |
    | Does users.info of a member name enterprise_user.teams (Enterprise Grid)?   | users.info         | no                                                                                                     |

    Open until people try it:

    - whether a search in a form carries what is entered in its other fields
    - how a command arrives that was typed with &, <, > and @group
    - which thread a click on a private answer in a thread names
    - what a push notification shows of a mentioned group
    - how a menu behaves after its message was updated
    - which event a private channel sends when it is shared
    - whether unacknowledged commands are delivered again"
  `);
  const rows = (table = '') =>
    table
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .slice(1)
      .map((line) => line.split('|').map((cell) => cell.trim()));
  const differing = rows(second).filter((row, index) => row[3] !== rows(first)[index]?.[3]);
  expect(differing.map(([, question, , answer]) => `${question}: ${answer}`)).toMatchInlineSnapshot(`
    [
      "---------------------------------------------------------------------------: ---------------------------------------------------------------------------------------",
      "An alert block in a message: taken",
      "An alert block on a Home tab: taken",
      "An alert of 201 characters in a modal: taken",
      "null among the column_settings of a table: taken",
      "A table on a Home tab: taken",
      "rich_text in a container: taken",
      "A data_table of 102 rows: taken",
      "A card in a modal: taken",
      "A multi-select menu in an actions block: taken",
      "An input for email in a message: taken",
      "An option whose value has 150 characters: taken",
      "A confirmation dialog without title and buttons: taken",
      "An empty list of blocks in a new message: taken",
      "11,500 characters in five rich_text blocks, with three headers: taken",
      "5,750 characters and 1,150 times &, with three headers: taken",
      "4,000 characters of Cyrillic, 8,000 bytes, as the text of an update: taken",
      "A reply to a message that is deleted: in a thread, at the root, or refused?: refused: cannot_reply_to_message",
    ]
  `);
  for (const slack of [strict, lenient]) {
    const { id } = slack.sim.openDm('admin');
    expect(slack.sim.messages(id)).toEqual([]);
  }
});

test('hostler check --probe reports a question that Slack does not answer, and asks the others', async () => {
  const slack = await openSlack();
  slack.sim.fault({ method: 'chat.update', status: 503 });
  slack.sim.fault({ method: 'users.info', errorCode: 'missing_scope' });
  const table = await probe(createAskSlack(slack.apiUrl, slack.botToken), adminId);
  expect(table).toContain('not answered: Slack answered 503 to chat.update');
  expect(table).toContain('refused: missing_scope');
  slack.sim.revokeToken();
  await expect(probe(createAskSlack(slack.apiUrl, slack.botToken), adminId)).rejects.toThrow(
    `Slack opens no conversation with ${adminId}: token_revoked`,
  );
});

async function hostler(env: Record<string, string>, ...words: string[]) {
  const child = spawn(process.execPath, [join(root, 'dist/main.js'), ...words], {
    env: { PATH: process.env.PATH, ...env },
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

test('on the command line, --views works without settings, and --probe needs them', async () => {
  const { slack, settings } = await openSimulators();
  const views = await hostler({ SLACK_API_URL: slack.apiUrl }, 'check', '--views');
  expect(views).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Slack takes all') });
  slack.sim.refuseBlocks({ type: 'input' });
  expect(await hostler({ SLACK_API_URL: slack.apiUrl }, 'check', '--views')).toMatchObject({ code: 1 });
  const probed = await hostler(settings, 'check', '--probe');
  expect(probed).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\| Question +\| Asked with/) });
  const lost = await hostler({}, 'check', '--probe');
  expect(lost).toMatchObject({ code: 1, stderr: '--probe needs the settings of the bot: see hostler check.\n' });
  expect((await hostler({}, 'check', 'somewhere')).stderr).toMatch(/^hostler check /);
});
