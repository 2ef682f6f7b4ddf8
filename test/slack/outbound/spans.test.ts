import { expect, test } from 'vitest';
import { sayDay } from '../../../src/core/view/days.ts';
import { says, text } from '../../../src/core/view/view.ts';
import { drawMessage } from '../../../src/slack/outbound/draw.ts';

test('a day is the same words for every reader, and a moment is in the time of each', () => {
  const view = says(text('Ends on ', sayDay('2026-12-02T00:30:00+02:00'), ', asked ', [{ date: 0, style: 'full' }]));
  const drawn = JSON.stringify(drawMessage(view));
  expect(drawn).toContain('Ends on Dec 2, 2026, asked');
  expect(drawn).toContain('Jan 1, 1970 00:00 UTC');
  const moments = [...drawn.matchAll(/<!date\^(\d+)|"timestamp":(\d+)/g)].map(([, mrkdwn, rich]) => mrkdwn ?? rich);
  expect([...new Set(moments)]).toEqual(['0']);
});
