import { expect, test } from 'vitest';
import { openRoom } from '../support/room.ts';

// An approval holds for what was shown. What changed between the card and the click is said, and a new card asks.

test('refused: the power changed after it was confirmed; the difference is said and a new card asks again', async () => {
  const room = await openRoom();
  await room.say('operator', 'restart web-1');
  room.sim.power({ order: '34-12345', state: 'off' });
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [not run]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ! not run: web-1 changed after it was approved. power of web-1: on → off. I have posted a new card (‹id›) with the present state.
    · Asked and confirmed by @operator · ‹id›
        @operator not run: web-1 changed after it was approved. power of web-1: on → off. I have posted a new card (‹id›) with the present state.
    ## Restart web-1  [waiting for confirmation]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ○ off
    Effect: the server shuts down and starts again; expect one to three minutes away
    Depends: 3 DNS records point here: example.com A, www.example.com A and api.example.com A
    Paid: until ‹date› (‹n› days)
    · Asked by @operator · rule: disruptive → confirm · expires ‹date› · ‹id›
    [Confirm] [Cancel]"
  `);
  expect(room.sim.requests().filter((request) => request.path.endsWith('/restart/'))).toEqual([]);
});

test('refused: renamed after it was confirmed, and the difference is said', async () => {
  const room = await openRoom();
  await room.say('operator', 'restart web-1');
  room.sim.order({ order: '34-12345', name: 'web-old' });
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Restart web-1  [not run]
    web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    ! not run: web-1 changed after it was approved. name of 34-12345: web-1 → web-old. I have posted a new card (‹id›) with the present state.
    · Asked and confirmed by @operator · ‹id›
        @operator not run: web-1 changed after it was approved. name of 34-12345: web-1 → web-old. I have posted a new card (‹id›) with the present state.
    ## Restart web-old  [waiting for confirmation]
    web-old · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
    Effect: the server shuts down and starts again; expect one to three minutes away
    Depends: 3 DNS records point here: example.com A, www.example.com A and api.example.com A
    Paid: until ‹date› (‹n› days)
    · Asked by @operator · rule: disruptive → confirm · expires ‹date› · ‹id›
    [Confirm] [Cancel]"
  `);
  expect(room.sim.requests().filter((request) => request.method === 'POST')).toEqual([]);
});

test('refused: the record was edited by hand after it was confirmed, and the difference is said', async () => {
  const room = await openRoom();
  await room.say('operator', 'dns set example.com www A 192.0.2.20');
  const www = room.sim
    .state()
    .domains.find(({ name }) => name === 'example.com')
    ?.entries.find(({ host, type }) => host === 'www' && type === 'A');
  room.sim.records({ domain: 'example.com', set: [{ id: www?.id ?? 0, value: '192.0.2.99' }] });
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toMatchInlineSnapshot(`
    "## Change 1 record in example.com  [not run]
    example.com · 18 records · tags prod
    − www  A  192.0.2.10  ttl 300
    + www  A  192.0.2.20  ttl 300
    ! not run: example.com changed after it was approved. www A: #5 www A 192.0.2.10 ttl 300 → #5 www A 192.0.2.99 ttl 300. I have posted a new card (‹id›) with the present state.
    · Asked and confirmed by @operator · ‹id›
        @operator not run: example.com changed after it was approved. www A: #5 www A 192.0.2.10 ttl 300 → #5 www A 192.0.2.99 ttl 300. I have posted a new card (‹id›) with the present state.
    ## Change 1 record in example.com  [waiting for confirmation]
    example.com · 18 records · tags prod
    − www  A  192.0.2.99  ttl 300
    + www  A  192.0.2.20  ttl 300
    Effect: www.example.com A answers 192.0.2.20 instead of 192.0.2.99. The old answer stays cached up to 5 minutes.
    Servers: 192.0.2.20 is db-1
    Depends: no other record of this account leads here
    · Asked by @operator · rule: disruptive → confirm · expires ‹date› · ‹id›
    [Confirm] [Cancel]"
  `);
  expect(room.sim.requests().filter((request) => request.method !== 'GET')).toEqual([]);
});
