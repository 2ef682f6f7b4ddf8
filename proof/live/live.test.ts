import { describe, expect, onTestFinished, test } from 'vitest';
import { startProvider } from '../../sandbox/provider/server.ts';
import { ruleNamed, ruleNames } from '../../sandbox/slack/rules.ts';
import { type SimulatedSlack, type SlackOptions, startSlack } from '../../sandbox/slack/server.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { adminId } from '../../test/support/process/simulators.ts';
import { documented } from './documented.ts';
import { compareAnswers } from './provider.ts';
import { differencesOf, shapeOf } from './shape.ts';
import { probe } from './slack.ts';

async function openSlack(options: SlackOptions = {}) {
  const slack = await startSlack(options);
  onTestFinished(() => slack.close());
  return slack;
}

const settingsOf = ({ botToken, apiUrl }: SimulatedSlack) => ({ botToken, apiUrl });

test('the measurement finds out which of two rules Slack follows, and leaves no message behind', async () => {
  const disputed = ruleNames.filter((name) => ruleNamed(name).against !== undefined);
  const strict = await openSlack();
  const lenient = await openSlack({ lenient: [...disputed, 'missing-parent-at-root'] });
  const [first, second] = await Promise.all([strict, lenient].map((slack) => probe(settingsOf(slack), adminId)));
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
    | Does users.info of a member name enterprise_user.teams (Enterprise Grid)?   | users.info         | no                                                                                                     |"
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

test('the measurement reports a question that Slack does not answer, and asks the others', async () => {
  const slack = await openSlack();
  slack.sim.fault({ method: 'chat.update', status: 503 });
  slack.sim.fault({ method: 'users.info', errorCode: 'missing_scope' });
  const table = await probe(settingsOf(slack), adminId);
  expect(table).toContain('not answered: Slack answered 503 to chat.update');
  expect(table).toContain('refused: missing_scope');
  slack.sim.revokeToken();
  await expect(probe(settingsOf(slack), adminId)).rejects.toThrow(
    `Slack opens no conversation with ${adminId}: token_revoked`,
  );
});

describe('the comparison of shapes', () => {
  test('a shape has types and no values', () => {
    expect(shapeOf({ id: 7, tags: ['a', null], names: { '192.0.2.1': 'secret.example' } }, { id: 'x' })).toEqual({
      '': 'object',
      id: 'number | string',
      names: 'object',
      'names.*': 'string',
      tags: 'array',
      'tags[]': 'null | string',
    });
  });

  test.each([
    ['a new field', { id: 1, name: 'a', cost: 2 }, ['`cost` (number) is not documented']],
    ['a missing field', { id: 1 }, ['`name` is missing']],
    ['another type', { id: '1', name: 'a' }, ['`id` is string; documented: number']],
    ['the same', { id: 2, name: 'b' }, []],
  ])('the differences are found when a response has %s', (_, answer, differences) => {
    expect(differencesOf(shapeOf({ id: 1, name: 'a' }), shapeOf(answer))).toEqual(differences);
  });

  test('an empty list has no differences in its items', () => {
    expect(differencesOf(shapeOf({ results: [{ id: 1 }] }), shapeOf({ results: [] }))).toEqual([]);
    expect(differencesOf(shapeOf({ results: [] }), shapeOf({ results: [{ id: 1 }] }))).toEqual([]);
  });
});

describe('the documented shapes', () => {
  const pageOf = (item: unknown) => ({
    count: 30,
    next: 'https://hosting.example/page=2',
    previous: null,
    results: [item],
  });
  test.each([
    ['GET /project/', pageOf({ id: 1, name: 'a', logo: '' })],
    ['GET /ssh_keys/', [{ id: 1, user: 'a', key: 'ssh-rsa', title: 'b', date: '2026-01-01' }]],
    ['GET /tickets/webhook_info/', { last_error_date: '2026-01-01', last_error_message: 'refused' }],
  ] as const)('%s is accepted with values that the simulated provider does not show', (route, answer) => {
    expect(differencesOf(documented[route] ?? {}, shapeOf(answer))).toEqual([]);
  });
});

test('every response of the simulated provider is as documented, and another one is reported without a value', async () => {
  const provider = await startProvider();
  const transport = createTransport({ baseUrl: provider.url, apiKey: provider.key });
  onTestFinished(async () => {
    await transport.close();
    await provider.close();
  });
  const seen = new Set<string>();
  let changed = {};
  const asked: Pick<typeof transport, 'send'> = {
    send: async (request) => {
      const answer = await transport.send(request);
      seen.add(request.endpoint);
      return request.endpoint === 'GET /account/balance' ? { ...Object(answer), ...changed } : answer;
    },
  };
  const compare = async () => {
    const lines: string[] = [];
    const isSame = await compareAnswers(asked, (line) => lines.push(line));
    return { isSame, lines, differences: lines.filter((line) => line.startsWith('✕')) };
  };
  const { isSame, lines, differences } = await compare();
  expect({ isSame, differences }).toEqual({ isSame: true, differences: [] });
  // Some servers have no counter of traffic.
  expect(lines.filter((line) => line.startsWith('·') && !line.endsWith('not read (not_found)'))).toEqual([]);
  expect(Object.keys(documented).filter((route) => !seen.has(route))).toEqual([
    'GET /orders/ds/{order_id}/traffic_used/',
  ]);
  expect(provider.sim.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
  changed = { credit_limit: 'canary-5000' };
  expect(await compare()).toMatchObject({
    isSame: false,
    differences: ['✕ GET /account/balance: `credit_limit` (string) is not documented'],
  });
  const names = provider.sim.state().orders.map(({ name }) => name);
  const printed = (await compare()).lines.join('\n');
  expect(['canary', ...names].filter((name) => name !== '' && printed.includes(name))).toEqual([]);
});
