import { describe, expect, test } from 'vitest';
import type { StepState } from '../../../src/core/plan/operation.ts';
import type { Json } from '../../../src/core/text/json.ts';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { opsGroup, people } from '../../support/fake-slack.ts';
import { openOperations } from '../../support/open-operations.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';

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

/** A request whose steps have ended this way, before its end is written. */
async function ended(line: string, steps: readonly Ended[], tookMs = 0): Promise<TestBot> {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  await bot.say('operator', line);
  await bot.settle();
  const [row] = await openOperations(bot.store);
  const id = row?.id ?? '';
  for (const [n, [state, note, data = null]] of steps.entries()) {
    let from: StepState = 'pending';
    for (const to of paths[state] ?? []) {
      const isAccepted = to === 'verifying' || to === 'accepted';
      const more = isAccepted ? { receipt: { text: 'Accepted.', data } } : {};
      await bot.store.steps.move(id, n, from, to, to === state ? { note } : more);
      from = to;
    }
  }
  await bot.store.votes.cast({ operationId: id, userId: people.operator ?? '', vote: 'confirm' });
  await bot.store.operations.move(id, 'waiting', 'approved');
  await bot.store.operations.move(id, 'approved', 'running');
  if (steps.some(([state]) => state === 'unknown')) await bot.store.operations.move(id, 'running', 'reading');
  bot.skip(tookMs);
  bot.replicas[0]?.wake(id);
  await bot.settle();
  expect(bot.writes()).toEqual([]);
  expect(bot.log).toEqual([]);
  return bot;
}

async function endOf(bot: TestBot): Promise<string> {
  const [row] = await bot.store.operations.list({ limit: 1 });
  return `${row?.state}: ${row?.endText}`;
}

const one = 'restart web-1';
const three = 'restart web-1 web-2 db-1';
const title = 'Restart web-1, web-2 and db-1';
const done: Ended = ['done', 'the power is on'];
const skipped: Ended = ['skipped', 'tag:prod is frozen.'];

test.each<[says: string, line: string, steps: readonly Ended[]]>([
  ['done: web-1 restarted; the power is on.', one, [done]],
  ['done: web-1 restarted.', one, [['done', null]]],
  ['done: web-1, web-2 and db-1 restarted.', three, [done, done, done]],
  [
    'unverified: Restart web-1: accepted by the provider, but not verified: the power is unknown.',
    one,
    [['unverified', 'the power is unknown']],
  ],
  [
    'unverified: Restart web-1: accepted by the provider, but not verified: it could not be read.',
    one,
    [['unverified', null]],
  ],
  ['failed: Restart web-1: no disk.', one, [['failed', 'Restart web-1: no disk.']]],
  ['failed: Restart web-1: the job ended in error.', one, [['failed', null]]],
  [
    "unknown: Restart web-1: the provider's response was lost, and reading does not show whether it was applied. The power is on. It was sent once and will not be retried.",
    one,
    [['unknown', 'the power is on']],
  ],
  [
    "unknown: Restart web-1: the provider's response was lost, and reading does not show whether it was applied. Nothing more could be read. It was sent once and will not be retried.",
    one,
    [['unknown', null]],
  ],
  [
    `stopped: ${title}: 1 of 3 done; not started: web-2 and db-1, because tag:prod is frozen.`,
    three,
    [done, skipped, skipped],
  ],
  ['refused: Not run: tag:prod is frozen. Nothing was done.', three, [skipped, skipped, skipped]],
  ['refused: Not run: it was left. Nothing was done.', one, [['skipped', null]]],
  [
    'failed: Restart web-2: no disk. 1 of 3 done, 1 failed; not started: db-1, because tag:prod is frozen.',
    three,
    [done, ['failed', 'Restart web-2: no disk.'], skipped],
  ],
  [
    `unverified: ${title}: accepted by the provider, but not verified: no power. 2 of 3 done, 1 not verified.`,
    three,
    [done, ['unverified', 'no power'], done],
  ],
  [
    'failed: No disk. 1 of 3 done, 1 not verified, 1 failed.',
    three,
    [['unverified', 'no power'], ['failed', 'No disk.'], done],
  ],
  [
    `unknown: ${title}: the provider's response was lost, and reading does not show whether it was applied. No answer. It was sent once and will not be retried. 0 of 3 done, 1 not verified, 1 failed, 1 result unknown.`,
    three,
    [
      ['failed', 'No disk.'],
      ['unverified', 'no power'],
      ['unknown', 'no answer'],
    ],
  ],
  // The other steps have not begun, and are skipped.
  [
    `unknown: ${title}: the provider's response was lost, and reading does not show whether it was applied. No answer. It was sent once and will not be retried. 0 of 3 done, 1 result unknown; not started: web-2 and db-1.`,
    three,
    [['unknown', 'no answer']],
  ],
  ['failed: No disk. 0 of 3 done, 1 failed; not started: web-2 and db-1.', three, [['failed', 'No disk.']]],
])('the end of a request reads: %s', async (says, line, steps) =>
  expect(await endOf(await ended(line, steps))).toBe(says),
);

const two = 'dns apply example.com "www 300 A 192.0.2.77\napi 300 A 192.0.2.78" --keep';

test('each command describes its own end, from the responses and from what was read afterwards', async () => {
  const checked = await ended(two, [
    ['done', 'the zone has it'],
    ['done', 'the zone has it'],
  ]);
  expect(await endOf(checked)).toBe('done: example.com: 2 records changed, read back.');
  const partly = await ended(two, [
    ['done', 'the zone has it'],
    ['done', null],
  ]);
  expect(await endOf(partly)).toBe('done: example.com: 2 records changed.');
  const canceled = await ended('cancel web-1', [['done', null, { status: 'canceled' }]]);
  expect(await endOf(canceled)).toBe('done: web-1 has ended.');
});

test('the row of a request that did nothing has the reason; other rows have no reason', async () => {
  const rowOf = async (bot: TestBot) => (await bot.store.operations.list({ limit: 1 }))[0];
  expect(await rowOf(await ended(one, [skipped]))).toMatchObject({ endReason: 'changed', undo: null });
  expect(await rowOf(await ended(one, [done]))).toMatchObject({ endReason: null, undo: null });
});

test('the end of a long request says how long it took', async () => {
  expect(await endOf(await ended(three, [done, done, done], 5 * minute))).toMatch(
    /^done: web-1, web-2 and db-1 restarted in 5 min( \d+ s)?\.$/,
  );
});

describe('a request that can be undone', () => {
  const change = 'dns add example.com beta A 192.0.2.10';
  const policy = usualPolicy(opsGroup);
  const changed = async (bot: TestBot, line: string) => {
    await bot.say('operator', line);
    await bot.press('operator', 'Confirm');
    await bot.settle();
    const [row] = await bot.store.operations.list({ limit: 1 });
    return row;
  };

  test('a request that can be undone says so, and afterwards names the person who undid it', async () => {
    const bot = await startTestBot({ replicas: 1, engine: 'sqlite', policy });
    const first = await changed(bot, change);
    expect(first?.undo).toBe(`dns undo ${first?.id}`);
    const undone = await changed(bot, `dns undo ${first?.id}`);
    expect(undone?.state).toBe('done');
    expect(await bot.store.operations.find(first?.id ?? '')).toMatchObject({ undoneBy: people.operator });
    await bot.until(() => bot.story().includes('Undone by @operator.'), 'the card of what was undone');
  });

  test('a request that was undone says so, although the database failed right after the undo had ended', async () => {
    const bot = await startTestBot({ replicas: 1, engine: 'sqlite', policy });
    const first = await changed(bot, change);
    const { patch } = bot.store.operations;
    let failures = 0;
    bot.store.operations.patch = async (id, fields) => {
      if (fields.undoneBy !== undefined && failures++ === 0) throw new StoreUnavailable('no answer');
      return patch(id, fields);
    };
    await changed(bot, `dns undo ${first?.id}`);
    await bot.pass(10_000);
    await bot.until(() => bot.story().includes('Undone by @operator.'), 'the card to say so');
    expect(failures).toBe(2);
  });

  test('an undo succeeds although the request that it undoes was deleted meanwhile', async () => {
    const bot = await startTestBot({ replicas: 1, engine: 'sqlite', policy });
    const first = await changed(bot, change);
    const { move } = bot.store.steps;
    bot.store.steps.move = async (...given) => {
      const isMoved = await move(...given);
      if (given[3] === 'done') {
        for (const [table, column] of [
          ['steps', 'operation_id'],
          ['votes', 'operation_id'],
          ['operations', 'id'],
        ])
          await bot.database.run(`delete from ${table} where ${column} = '${first?.id}'`);
      }
      return isMoved;
    };
    expect(await changed(bot, `dns undo ${first?.id}`)).toMatchObject({ state: 'done' });
    expect(bot.log).toEqual([]);
  });

  test('a request that could not be verified can be undone too', async () => {
    const bot = await ended(change, [['unverified', 'the zone could not be read', { id: 7 }]]);
    const [row] = await bot.store.operations.list({ limit: 1 });
    expect(row).toMatchObject({ state: 'unverified', undo: `dns undo ${row?.id}` });
  });

  test('a request that did nothing cannot be undone, and a failed undo does not count', async () => {
    const bot = await startTestBot({ replicas: 1, engine: 'sqlite', policy });
    const first = await changed(bot, change);
    bot.sim.fault({
      kind: 'answer',
      match: 'DELETE /dns/domain/{name}/entry_set/{id}/',
      status: 409,
      body: { detail: 'Busy.' },
    });
    const failed = await changed(bot, `dns undo ${first?.id}`);
    expect(failed).toMatchObject({ state: 'failed', undo: null });
    expect(await bot.store.operations.find(first?.id ?? '')).toMatchObject({ undoneBy: null });
  });
});
