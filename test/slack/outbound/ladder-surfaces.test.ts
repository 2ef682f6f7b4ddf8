import { expect } from 'vitest';
import type { SimulatedSlack } from '../../../sandbox/slack/server.ts';
import type { View } from '../../../src/core/view/view.ts';
import { connected, delivered, emptyForm, test } from '../support.ts';

// The same ladder on every surface, over the wire: Slack refuses a type of block, and the buttons stay.

const ops = { channel: 'C0OPS00001', kind: 'channel' } as const;

const view: View = {
  summary: 'Restart web-1',
  parts: [
    { kind: 'heading', text: 'Restart web-1' },
    { kind: 'notice', tone: 'warning', text: `It serves ${'a long list of names, '.repeat(20)}and more.` },
    { kind: 'notice', tone: 'error', text: ['Asked by ', { user: 'U0LEAD0001' }] },
    { kind: 'tasks', title: 'Steps: 0 of 1 done', tasks: [{ label: 'web-1', status: 'running', word: 'accepted' }] },
    { kind: 'code', text: 'one line\nanother line', folded: 'Text: 2 lines' },
    { kind: 'context', text: 'rule: confirm' },
    { kind: 'buttons', buttons: [{ label: 'Confirm', intent: { do: 'run', line: 'list' } }] },
  ],
};
const inner = ['alert', 'context', 'header', 'rich_text', 'section', 'plan', 'task_card', 'container'] as const;
const types = ['actions', ...inner, '*'] as const;
/** Without any block only text is left, which says what to type. */
const buttonIn = (text: string, type: string) =>
  type === '*' ? text.includes('Confirm: /host list') : text.includes('[Confirm]');

/** Sends the view as a message, an edit, a private answer and an answer over a response_url. */
async function sendEverywhere(refused: Parameters<SimulatedSlack['sim']['refuseBlocks']>[0]) {
  const { slack, side, outbox } = await connected({
    engine: ({ messenger }) => ({ handle: ({ place, actor }) => messenger.postEphemeral(place, actor, view) }),
  });
  slack.sim.refuseBlocks(refused);
  await delivered(outbox, 'card', ops.channel, view);
  const posted = JSON.stringify(slack.sim.messages('#ops').at(-1)?.blocks);
  await delivered(outbox, 'card', ops.channel, { ...view, summary: 'Restarted' });
  await side.messenger.postEphemeral(ops, 'U0LEAD0001', view);
  // The bot is no member there.
  await slack.sim.say('operator', '#random', '/host restart');
  await slack.sim.waitFor((sim) => sim.ephemerals('operator').length > 0 || undefined);
  const said = [...slack.sim.messages('#ops'), ...slack.sim.ephemerals('lead'), ...slack.sim.ephemerals('operator')];
  expect(said).toHaveLength(3);
  return { slack, posted, said };
}

test.each(types)('where Slack refuses %s, messages, edits and both kinds of private answers are sent', async (type) => {
  const { slack, said } = await sendEverywhere({ type });
  for (const words of said.map((message) => slack.sim.plainText(message))) {
    expect(buttonIn(words, type), words).toBe(true);
    for (const part of ['a long list of names', 'web-1 · accepted', 'another line']) expect(words).toContain(part);
  }
});

const cases = ['message', 'update', 'ephemeral', 'response_url'] as const;
test.each(cases)('a block that only %s refuses is drawn unchanged on other surfaces', async (surface) => {
  const { posted, said } = await sendEverywhere({ type: 'header', surface });
  const [message, update, ephemeral, response_url] = [posted, ...said.map(({ blocks }) => JSON.stringify(blocks))].map(
    (blocks) => blocks?.includes('"type":"header"'),
  );
  const seen = { message, update, ephemeral, response_url };
  expect(seen).toEqual({ ...{ message: true, update: true, ephemeral: true, response_url: true }, [surface]: false });
});

test.each(types.slice(0, -1))('when Slack refuses %s, a dialog and Home are shown', async (type) => {
  const { slack } = await connected({
    engine: () => ({ acknowledge: () => 'with-form', form: async () => ({ view }), home: async () => view }),
  });
  slack.sim.refuseBlocks({ type });
  await slack.sim.say('operator', '#ops', '/host restart');
  await slack.sim.waitFor((sim) => sim.viewText('operator').includes('[Confirm]') || undefined);
  await slack.sim.openHome('operator');
  await slack.sim.waitFor((sim) => sim.homeText('operator').includes('[Confirm]') || undefined);
});

test('when Slack refuses the fields of a form, the form says to type the command', async () => {
  const { slack } = await connected({
    engine: () => ({
      acknowledge: () => 'with-form',
      form: async () => ({
        form: { ...emptyForm, fields: [{ widget: 'text', name: 'host', label: 'Host', optional: false }] },
      }),
    }),
  });
  slack.sim.refuseBlocks({ type: 'input' });
  await slack.sim.say('operator', '#ops', '/host dns add');
  await slack.sim.waitFor((sim) => sim.viewText('operator').includes('Type the command') || undefined);
});

test('a block that was refused once is not tried again in the next message', async ({ slack, outbox }) => {
  slack.sim.refuseBlocks({ type: 'header' });
  for (const key of ['one', 'two', 'three']) await delivered(outbox, key, ops.channel, view);
  const errors = slack.sim.requests('chat.postMessage').map(({ error }) => error);
  expect(errors).toEqual(['invalid_blocks', null, null, null]);
});
