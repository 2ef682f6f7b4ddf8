import { expect, it } from 'vitest';
import type { View } from '../../../src/core/view/view.ts';
import { faultOfCode, SlackError } from '../../../src/slack/faults.ts';
import { drawMessage } from '../../../src/slack/outbound/draw.ts';
import { createLadder, type SlackRefusal } from '../../../src/slack/outbound/ladder.ts';
import { drawHome } from '../../../src/slack/outbound/modals.ts';
import type { SlackSurface } from '../../../src/slack/outbound/pen.ts';
import { createFakeLog } from '../support.ts';

const card: View = {
  summary: ['Restart web-1, asked by ', { user: 'U0OPERAT01' }],
  parts: [
    { kind: 'heading', text: 'Restart web-1', aside: 'waiting' },
    { kind: 'table', columns: [{ name: 'Name' }], rows: [['web-1'], ['web-2']] },
    { kind: 'fields', fields: [['Effect', 'it goes <away>']] },
    { kind: 'buttons', buttons: [{ label: 'Confirm', intent: { do: 'run', line: 'list' } }] },
    { kind: 'menu', label: 'Snooze', options: [{ label: '1 hour', intent: { do: 'run', line: 'jobs' } }] },
  ],
};

type Drawn = { readonly blocks: readonly ReturnType<typeof drawHome>['blocks'][number][]; readonly text?: string };
const types = ({ blocks }: Drawn) => blocks.map(({ type }) => type);
const refuse = (code: string, ...details: string[]) => {
  throw new SlackError(faultOfCode(code), details);
};

/** Sends the card to a Slack that answers as `take` does; returns the calls in order. */
async function sendTo(take: (drawn: Drawn, tries: number) => void, view = card) {
  const log = createFakeLog();
  const refusals: SlackRefusal[] = [];
  const ladder = createLadder(log, (refusal) => refusals.push(refusal));
  const sent: Drawn[] = [];
  const send = (surface: SlackSurface = 'message') =>
    ladder.send(
      surface,
      (attempt): Drawn => (surface === 'home' ? drawHome(view, attempt) : drawMessage(view, attempt)),
      async (drawn) => {
        sent.push(drawn);
        take(drawn, sent.length);
      },
    );
  return { log, refusals, sent, send };
}

/** Slack as it refuses a type of block: by pointer. */
const refusing =
  (...refused: string[]) =>
  ({ blocks }: Drawn) => {
    const lines = blocks.flatMap(({ type }, index) =>
      refused.includes(type) ? [`[ERROR] unsupported type: ${type} [json-pointer:/blocks/${index}/type]`] : [],
    );
    if (lines.length > 0) refuse('invalid_blocks', ...lines);
  };

it('a block that Slack refuses is drawn in another way, and the other blocks stay', async () => {
  const { sent, send, refusals, log } = await sendTo(refusing('table'));
  await send();
  expect(sent.map(types)).toEqual([
    ['header', 'table', 'rich_text', 'actions'],
    ['header', 'rich_text', 'rich_text', 'actions'],
  ]);
  expect(JSON.stringify(sent[1]?.blocks)).toContain('web-2');
  expect(refusals).toEqual([{ block: 'table', surface: 'message', error: 'invalid_blocks' }]);
  const problems = ['[ERROR] unsupported type: table [json-pointer:/blocks/1/type]'];
  const fields = { surface: 'message', block: 'table', code: 'invalid_blocks', problems };
  expect(log.lines).toMatchObject([{ level: 'error', fields }]);
});

it('a refused block of a view is found by its place in the view, and only that block is drawn in another way', async () => {
  const { sent, send } = await sendTo(({ blocks }) => {
    if (blocks[0]?.type === 'header')
      refuse('invalid_arguments', '[ERROR] unsupported type: header [json-pointer:/view/blocks/0/type]');
  });
  await send('modal');
  expect(sent).toHaveLength(2);
  expect(sent.slice(1).map(types)).toEqual([['rich_text', 'rich_text', 'rich_text', 'actions']]);
});

it('a block that a surface refused is not tried there again, and is tried on other surfaces', async () => {
  const { sent, send, log } = await sendTo(refusing('table'));
  await send();
  await send();
  expect(sent).toHaveLength(3);
  expect(types(sent[2] ?? drawMessage(card))).not.toContain('table');
  await send('ephemeral');
  expect(types(sent[3] ?? drawMessage(card))).toContain('table');
  // Logged once for each kind; another surface counts as another kind.
  expect(log.lines.map(({ fields }) => 'surface' in fields && fields.surface)).toEqual(['message', 'ephemeral']);
});

it('a block refused for its content is left out of that message only, logged once and counted each time', async () => {
  const { sent, send, log, refusals } = await sendTo((_, tries) => {
    if (tries % 2 === 1)
      refuse('invalid_blocks', '[ERROR] must be less than 151 characters [json-pointer:/blocks/0/text/text]');
  });
  await send();
  await send();
  expect(sent.map((drawn) => types(drawn).includes('header'))).toEqual([true, false, true, false]);
  expect(refusals).toHaveLength(2);
  expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
});

it('a refused menu becomes buttons, and a refused row becomes sections with its controls', async () => {
  const menu = await sendTo(({ blocks }) => {
    const at = JSON.stringify(blocks).includes('static_select') ? blocks.length - 1 : -1;
    if (at >= 0) refuse('invalid_blocks', `[ERROR] unsupported element [json-pointer:/blocks/${at}/elements/1]`);
  });
  await menu.send();
  expect(menu.sent[1]?.blocks.at(-1)).toMatchObject({
    type: 'actions',
    elements: [{ text: { text: 'Confirm' } }, { text: { text: '1 hour' } }],
  });
  const row = await sendTo(refusing('actions'));
  await row.send();
  expect(row.sent[1]?.blocks.slice(-2)).toMatchObject([
    { type: 'section', accessory: { type: 'button', text: { text: 'Confirm' } } },
    { type: 'section', block_id: 'pick:1.0:{"do":"run","line":"jobs"}', accessory: { type: 'static_select' } },
  ]);
});

it('a refused message is drawn in plain sections, then in one text, then without blocks; the buttons are left out last', async () => {
  const { sent, send, refusals } = await sendTo(({ blocks }) => {
    if (blocks.length > 0) refuse('invalid_blocks');
  });
  await send();
  expect(sent.map(types)).toEqual([
    ['header', 'table', 'rich_text', 'actions'],
    ['section', 'section', 'section', 'actions'],
    ['section', 'section', 'section'],
    [],
  ]);
  for (const drawn of sent.slice(0, 3)) expect(JSON.stringify(drawn.blocks)).toContain('"Confirm"');
  expect(sent[3]?.text).toBe(
    'Restart web-1, asked by <@U0OPERAT01>\nRestart web-1 · waiting\nweb-1\nweb-2\nEffect: it goes &lt;away&gt;\nConfirm: /host list\nSnooze: 1 hour: /host jobs',
  );
  expect(refusals.every(({ block }) => block === 'unnamed')).toBe(true);
});

it('a message that is too long is drawn at half the size, with its buttons', async () => {
  const long: View = {
    ...card,
    parts: [...card.parts, { kind: 'code', text: 'a line of a log that is long enough\n'.repeat(400) }],
  };
  const { sent, send } = await sendTo(({ blocks }) => {
    if (JSON.stringify(blocks).length > 4_000) refuse('msg_blocks_too_long');
  }, long);
  await send();
  expect(sent.length).toBeGreaterThan(1);
  const last = sent.at(-1)?.blocks ?? [];
  expect(last.map(({ type }) => type)).toContain('header');
  expect(JSON.stringify(last)).toContain('"Confirm"');
  expect(JSON.stringify(last)).toMatch(/Not shown, because it is too much for one message: \d+ lines/);
});

const codes = ['no_text', 'invalid_attachments', 'only_one_table_allowed', 'invalid_blocks_format'];
it.each(codes)('the error %s means that the drawing was refused', async (code) => {
  const { sent, send } = await sendTo((_, tries) => {
    if (tries === 1) refuse(code);
  });
  await send();
  expect(sent).toHaveLength(2);
});

it('an error that is not about the drawing is thrown, and so is a refusal of the text without blocks', async () => {
  const away = await sendTo(() => refuse('internal_error'));
  await expect(away.send()).rejects.toThrow('internal_error');
  const gone = await sendTo(() => refuse('channel_not_found'));
  await expect(gone.send()).rejects.toThrow('channel_not_found');
  const person = await sendTo(() => refuse('invalid_arguments', '[ERROR] invalid user [json-pointer:/user]'));
  await expect(person.send()).rejects.toThrow('invalid_arguments');
  expect([...away.sent, ...gone.sent, ...person.sent]).toHaveLength(3);
  const stubborn = await sendTo(() => refuse('invalid_blocks'));
  await expect(stubborn.send()).rejects.toThrow('invalid_blocks');
  expect(stubborn.sent).toHaveLength(4);
});

it('a menu that Slack refuses beside a line is drawn below it', async () => {
  const home: View = {
    summary: 'Home',
    parts: [
      { kind: 'text', text: [{ bold: 'web-1' }, ' · on'] },
      { kind: 'menu', label: 'Actions', options: [{ label: 'Status', intent: { do: 'run', line: 'status web-1' } }] },
      { kind: 'text', text: 'Two of them' },
      {
        kind: 'buttons',
        buttons: [
          { label: 'List', intent: { do: 'run', line: 'list' } },
          { label: 'Jobs', intent: { do: 'run', line: 'jobs' } },
        ],
      },
    ],
  };
  const { sent, send } = await sendTo((_, tries) => {
    if (tries === 1)
      refuse('invalid_arguments', '[ERROR] unsupported element [json-pointer:/view/blocks/0/accessory/type]');
  }, home);
  await send('home');
  await send('home');
  const below = ['rich_text', 'actions', 'rich_text', 'actions'];
  expect(sent[0]?.blocks[0]).toMatchObject({ accessory: { type: 'static_select' } });
  expect(sent.map(types)).toEqual([['section', 'rich_text', 'actions'], below, below]);
});
