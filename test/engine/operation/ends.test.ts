import { expect, test } from 'vitest';
import type { StepState } from '../../../src/core/plan/operation.ts';
import type { Json } from '../../../src/core/text/json.ts';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { people } from '../../support/bot/fake-slack.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { decide, failing, moveRow, newest, sharedBot } from '../asked.ts';
import { sayAndSettle } from '../told.ts';

// The end of a request on its card, for each way in which its steps can end.

const minute = 60_000;
const paths: Partial<Record<StepState, readonly StepState[]>> = {
  done: ['running', 'verifying', 'done'],
  unverified: ['running', 'accepted', 'unverified'],
  failed: ['running', 'failed'],
  unknown: ['running', 'reading', 'unknown'],
  skipped: ['skipped'],
};

type Ended = readonly [state: StepState, note: string | null, data?: Json];

const shared = sharedBot();

/** The row of a request whose steps have ended this way, after its end is written. */
async function ended(line: string, steps: readonly Ended[], tookMs = 0) {
  const bot = shared();
  await sayAndSettle(bot, 'operator', line);
  const { id, wake, row } = await newest(bot);
  for (const [n, [state, note, data = null]] of steps.entries()) {
    let from: StepState = 'pending';
    for (const to of paths[state] ?? []) {
      const isAccepted = to === 'verifying' || to === 'accepted';
      const more = isAccepted ? { receipt: { text: 'Accepted.', data } } : {};
      await bot.store.steps.move(id, n, from, to, to === state ? { note } : more);
      from = to;
    }
  }
  const isUnknown = steps.some(([state]) => state === 'unknown');
  await moveRow(bot, id, 'approved', 'running', ...(isUnknown ? (['reading'] as const) : []));
  bot.skip(tookMs);
  wake();
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  expect(bot.log).toEqual([]);
  return row();
}

async function endOf(...given: Parameters<typeof ended>): Promise<string> {
  const row = await ended(...given);
  return `${row?.state}: ${row?.endText}`;
}

const one = 'restart web-1';
const three = 'restart web-1 web-2 db-1';
const title = 'Restart web-1, web-2 and db-1';
const done: Ended = ['done', 'the power is on'];
const skipped: Ended = ['skipped', 'tag:prod is frozen.'];

const lost = "the provider's response was lost, and reading does not show whether it was applied.";
const accepted = 'accepted by the provider, but not verified:';
const final = 'It was sent once and will not be retried.';
const noPower: Ended = ['unverified', 'no power'];
const noDisk: Ended = ['failed', 'No disk.'];
const noAnswer: Ended = ['unknown', 'no answer'];

test.each<[says: string, line: string, steps: readonly Ended[]]>([
  ['done: web-1 restarted; the power is on.', one, [done]],
  ['done: web-1 restarted.', one, [['done', null]]],
  ['done: web-1, web-2 and db-1 restarted.', three, [done, done, done]],
  [`unverified: Restart web-1: ${accepted} no power.`, one, [noPower]],
  [`unverified: Restart web-1: ${accepted} it could not be read.`, one, [['unverified', null]]],
  ['failed: No disk.', one, [noDisk]],
  ['failed: Restart web-1: the job ended in error.', one, [['failed', null]]],
  [`unknown: Restart web-1: ${lost} The power is on. ${final}`, one, [['unknown', 'the power is on']]],
  [`unknown: Restart web-1: ${lost} Nothing more could be read. ${final}`, one, [['unknown', null]]],
  [
    `stopped: ${title}: 1 of 3 done; not started: web-2 and db-1, because tag:prod is frozen.`,
    three,
    [done, skipped, skipped],
  ],
  ['refused: Not run: tag:prod is frozen. Nothing was done.', three, [skipped, skipped, skipped]],
  ['refused: Not run: it was left. Nothing was done.', one, [['skipped', null]]],
  [
    'failed: No disk. 1 of 3 done, 1 failed; not started: db-1, because tag:prod is frozen.',
    three,
    [done, noDisk, skipped],
  ],
  [`unverified: ${title}: ${accepted} no power. 2 of 3 done, 1 not verified.`, three, [done, noPower, done]],
  ['failed: No disk. 1 of 3 done, 1 not verified, 1 failed.', three, [noPower, noDisk, done]],
  [
    `unknown: ${title}: ${lost} No answer. ${final} 0 of 3 done, 1 not verified, 1 failed, 1 result unknown.`,
    three,
    [noDisk, noPower, noAnswer],
  ],
  // The other steps have not begun, and are skipped.
  [
    `unknown: ${title}: ${lost} No answer. ${final} 0 of 3 done, 1 result unknown; not started: web-2 and db-1.`,
    three,
    [noAnswer],
  ],
  ['failed: No disk. 0 of 3 done, 1 failed; not started: web-2 and db-1.', three, [noDisk]],
  [
    `unverified: ${title}: ${accepted} no power. 0 of 3 done, 1 not verified; not started: web-2 and db-1.`,
    three,
    [noPower],
  ],
  [
    `unknown: ${title}: ${lost} No answer. ${final} 0 of 3 done, 1 failed, 1 result unknown; not started: db-1.`,
    three,
    [noDisk, noAnswer],
  ],
])('the end of a request reads: %s', async (says, line, steps) => expect(await endOf(line, steps)).toBe(says));

const two = 'dns apply example.com "www 300 A 192.0.2.77\napi 300 A 192.0.2.78" --keep';

test('each command describes its own end, from the responses and from what was read afterwards', async () => {
  const read: Ended = ['done', 'the zone has it'];
  expect(await endOf(two, [read, read])).toBe('done: example.com: 2 records changed, read back.');
  expect(await endOf(two, [read, ['done', null]])).toBe('done: example.com: 2 records changed.');
  const canceled: Ended = ['done', null, { status: 'canceled' }];
  expect(await endOf('cancel web-1', [canceled])).toBe('done: web-1 has ended.');
});

test('the row of a request that did nothing has the reason; other rows have no reason', async () => {
  expect(await ended(one, [skipped])).toMatchObject({ endReason: 'changed', undo: null });
  expect(await ended(one, [done])).toMatchObject({ endReason: null, undo: null });
});

test('the end of a long request says how long it took', async () => {
  const says = /^done: web-1, web-2 and db-1 restarted in 5 min( \d+ s)?\.$/;
  expect(await endOf(three, [done, done, done], 5 * minute)).toMatch(says);
});

const change = 'dns add example.com beta A 192.0.2.10';
const changed = async (bot: TestBot, line: string) => {
  await decide(bot, line);
  return (await newest(bot)).row();
};
/** A bot with a record that was added, and the undo of it. */
const added = async () => {
  const bot = await startTestBot();
  const first = await changed(bot, change);
  const id = first?.id ?? '';
  return { bot, id, first, undo: () => changed(bot, `dns undo ${id}`) };
};

test('a request that can be undone says so, and afterwards names the person who undid it', async () => {
  const { bot, id, first, undo } = await added();
  expect(first?.undo).toBe(`dns undo ${id}`);
  expect((await undo())?.state).toBe('done');
  expect(await bot.store.operations.find(id)).toMatchObject({ undoneBy: people.operator });
  await bot.until(() => bot.story().includes('Undone by @operator.'), 'the card of what was undone');
});

test('a request that was undone says so, although the database failed right after the undo had ended', async () => {
  const { bot, undo } = await added();
  const error = new StoreUnavailable('no answer');
  const patches = failing(bot.store.operations, 'patch', (_, { undoneBy }) => undoneBy !== undefined, { error });
  await undo();
  await bot.pass(10_000);
  await bot.until(() => bot.story().includes('Undone by @operator.'), 'the card to say so');
  expect(patches()).toBe(2);
});

test('an undo succeeds although the request that it undoes was deleted meanwhile', async () => {
  const { bot, id, undo } = await added();
  const { move } = bot.store.steps;
  bot.store.steps.move = async (...given) => {
    const isMoved = await move(...given);
    if (given[3] === 'done') {
      for (const place of ['steps where operation_id', 'votes where operation_id', 'operations where id'])
        await bot.database.run(`delete from ${place} = '${id}'`);
    }
    return isMoved;
  };
  expect(await undo()).toMatchObject({ state: 'done' });
  expect(bot.log).toEqual([]);
});

test('a request that could not be verified can be undone too', async () => {
  const row = await ended(change, [['unverified', 'the zone could not be read', { id: 7 }]]);
  expect(row).toMatchObject({ state: 'unverified', undo: `dns undo ${row?.id}` });
});

test('a request that did nothing cannot be undone, and a failed undo does not count', async () => {
  const { bot, id, undo } = await added();
  const match = 'DELETE /dns/domain/{name}/entry_set/{id}/';
  bot.sim.fault({ kind: 'answer', match, status: 409, body: { detail: 'Busy.' } });
  expect(await undo()).toMatchObject({ state: 'failed', undo: null });
  expect(await bot.store.operations.find(id)).toMatchObject({ undoneBy: null });
});
