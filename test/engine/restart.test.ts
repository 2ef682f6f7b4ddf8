import { expect, test } from 'vitest';
import { openRoom } from '../support/room.ts';

test('a restart is confirmed, run, verified and told in the thread', async () => {
  const room = await openRoom();
  await room.say('operator', 'restart web-1');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [waiting for confirmation]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    Effect: the server shuts down and starts again; expect one to three minutes away
    Depends: 3 DNS records point here: example.com A, www.example.com A and api.example.com A
    Paid: until ‹date› (‹n› days)
    · Asked by @operator · rule: disruptive → confirm · expires ‹date› · ‹id›
    [Confirm] [Cancel]"
  `);
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [done in ‹time›]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ✓ web-1 restarted · power status: on.
    · Asked and confirmed by @operator · job 812 · ‹id›
        @operator web-1 restarted · power status: on."
  `);
  expect(room.log).toEqual([]);
});
