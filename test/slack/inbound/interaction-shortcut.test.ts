import { expect, it } from 'vitest';
import { readShortcut } from '../../../src/slack/inbound/interaction.ts';

/** Returns the text that "Act on this" reads in a message. */
function read(message: object): string {
  const payload = { type: 'message_action', user: { id: 'U1' }, trigger_id: 'T1', channel: { id: 'C1' } };
  const { request } = readShortcut({ ...payload, message: { ts: '1.1', ...message } }, 0);
  return request.ask.kind === 'about' ? request.ask.text : '';
}

it('the text of an alert without a text is read from its attachments', () => {
  const alertmanager = {
    text: '',
    attachments: [
      {
        fallback: '[FIRING:1] HostDown web-1',
        pretext: 'Production',
        title: '[FIRING:1] HostDown',
        text: 'Load &gt; 8 on <http://web-1.example.com|web-1.example.com>',
        fields: [{ title: 'instance', value: '192.0.2.10:9100', short: true }],
        color: 'danger',
      },
    ],
  };
  expect(read(alertmanager)).toBe(
    `Production
[FIRING:1] HostDown
Load > 8 on web-1.example.com
instance
192.0.2.10:9100
[FIRING:1] HostDown web-1`,
  );
});

it('the text of an alert is read from its blocks, at any depth', () => {
  const gatus = {
    attachments: [{ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*web-2* is down' } }] }],
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Gatus &amp; co' } },
      { type: 'section', fields: ['host', 'mail-1'].map((text) => ({ type: 'mrkdwn', text })) },
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'db-1' }] }] },
      { type: 'table', rows: [[{ type: 'raw_text', text: '192.0.2.11' }]] },
    ],
  };
  expect(read(gatus).split('\n')).toEqual(['*web-2* is down', 'Gatus & co', 'host', 'mail-1', 'db-1', '192.0.2.11']);
});

it('a repeated text is read once, and an unexpected value does not stop the reading', () => {
  const odd = {
    text: 'web-1',
    attachments: ['words', { text: 7, title: 'web-2', fields: 'none' }, { fallback: 'web-1' }],
    blocks: [null, { text: { text: 'web-3' } }, 5],
  };
  expect(read(odd).split('\n')).toEqual(['web-1', 'web-2', 'web-3']);
});

it('the reading of a message ends at a maximum of depth and of characters', () => {
  const deep = (depth: number): object => (depth === 0 ? { text: 'deep' } : { elements: [deep(depth - 1)] });
  expect(read({ blocks: [deep(500)] })).toBe('deep');
  expect(read({ blocks: [deep(1_500)] })).toBe('');
  const attachments = Array(200).fill({ text: 'y'.repeat(9_000) });
  expect(read({ text: 'x'.repeat(50_000), attachments })).toHaveLength(8_000);
  const wide = { elements: Array.from({ length: 100_000 }, (_, n) => ({ text: `word-${n}` })) };
  expect(read({ blocks: [wide] }).length).toBeLessThanOrEqual(8_000);
});
