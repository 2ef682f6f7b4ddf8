import { expect } from 'vitest';
import { asText } from '../../../sandbox/slack/dict.ts';
import { hearCommands, openSlack, test } from './bolt.ts';

/** Typed text, as Slack's client reads it. */

test('a typed mention is found in any case by handle or display name; a longer name is not cut', async ({ slack }) => {
  await slack.sim.addPerson({ name: 'lena2', realName: 'Lena Lead Junior' });
  const read = async (text: string) => {
    const { ts } = await slack.sim.say('operator', '#ops', text);
    return slack.sim.messages('#ops').find((message) => message.ts === ts)?.text;
  };
  const junior = slack.sim.state().people.at(-1)?.id;
  for (const [typed, text] of [
    ['@Hostler status web-1', '<@U0HOSTLER1> status web-1'],
    ['@HOSTLER: hi', '<@U0HOSTLER1>: hi'],
    ['ask @LEAD', 'ask <@U0LEAD0001>'],
    ['ask @Lena Lead now', 'ask <@U0LEAD0001> now'],
    ['ask @lena lead, please', 'ask <@U0LEAD0001>, please'],
    ['ask @Lena Lead Junior now', `ask <@${junior}> now`],
    ['ask @Lena Leadership', 'ask @Lena Leadership'],
    ['@Ops and @Here', '<!subteam^S0OPS00001|@ops> and <!here>'],
    ['a@lead.example and @nobody', '<mailto:a@lead.example|a@lead.example> and @nobody'],
  ])
    expect(await read(typed ?? ''), typed).toBe(text);
});

test('Slack answers a mention of the bot in a channel without it, and the writer can invite it', async ({ slack }) => {
  await slack.sim.say('operator', '#random', '@Hostler status web-1');
  expect(slack.sim.ephemerals('operator').map(({ text }) => text)).toEqual([
    'You mentioned <@U0HOSTLER1>, but they’re not in this channel. To add them, type /invite @hostler.',
  ]);
  await slack.sim.say('operator', '#random', '/invite @Hostler');
  await slack.sim.say('operator', '#random', '@Hostler status web-1');
  expect(slack.sim.ephemerals('operator')).toHaveLength(1);
  expect(slack.sim.state().channels.find(({ name }) => name === 'random')?.members).toContain('U0HOSTLER1');
});

test('an unknown command is sent to nobody, and Slack says so', async ({ slack }) => {
  const texts = await hearCommands(slack);
  const outcome = await slack.sim.say('operator', '#ops', '/ho');
  expect(outcome).toMatchObject({ payloadId: null, error: 'unknown_command' });
  expect(slack.sim.ephemerals('operator').at(-1)?.text).toContain('/ho is not a valid command.');
  expect(texts).toEqual([]);
});

test('typed commands reach the app with Slack’s markup', async () => {
  const slack = await openSlack({ ackTimeoutMs: 10 });
  const typed: [string, string][] = [
    ['see https://example.com/a?b=1&c=2', 'see <https://example.com/a?b=1&amp;c=2>'],
    ['mail ops@example.com.', 'mail <mailto:ops@example.com|ops@example.com>.'],
    ['ns1.example.com. 192.0.2.1', '<http://ns1.example.com|ns1.example.com>. 192.0.2.1'],
    ['@ops @nobody #general #nowhere', '@ops @nobody <#C0GENERAL1|general> #nowhere'],
    ['@here <!channel> a<b', '<!here> <!channel> a<b'],
    ['why @Ravi Reader restart web-1', 'why <@U0READER01|reader> restart web-1'],
  ];
  for (const [text, arrives] of typed) {
    const outcome = await slack.sim.say('lead', '#general', `/host ${text}`);
    expect(asText(slack.sim.payload(outcome.payloadId ?? '')?.body.text)).toBe(arrives);
  }
});
