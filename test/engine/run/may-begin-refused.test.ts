import { describe, expect } from 'vitest';
import { hour, minute } from '../../../src/core/text/words.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { startTestBot, type TestBot } from '../../support/bot/test-bot.ts';
import { asked, moveRow, moveThrough, newest, rules, test } from '../asked.ts';
import { idOf, passAndSettle, sayAndPress } from '../told.ts';

// Ends of a request between the decision and the first write, and the check of the process that resumes it.

const by = [`group:${opsGroup}`];
const orders = 'GET /orders/';
const none = { count: 0, next: null, previous: null, results: [] };
const restarted = 'POST /vps/34-12345/restart/';
const untilHeld = (bot: TestBot) => bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
/** The provider has no orders any more, or does not find them. */
const gone = (bot: TestBot) => bot.sim.fault({ kind: 'answer', match: orders, status: 200, body: none });
const notFound = (bot: TestBot) =>
  bot.sim.fault({ kind: 'answer', match: orders, status: 404, body: { detail: 'Not found.' } });

/** Confirmed and held by a paused bot, whose next process continues after this change. */
async function continuedAfter(bot: TestBot, change: () => Promise<unknown>): Promise<void> {
  await untilHeld(bot);
  const { row } = await newest(bot);
  await change();
  bot.pause(false);
  await bot.crash();
  await bot.press('operator', 'Continue');
  await bot.until(async () => (await row())?.state === 'refused', 'its end');
  expect(bot.writes()).toEqual([]);
}

async function endOf(bot: TestBot, id: string) {
  await bot.until(async () => (await bot.store.operations.find(id))?.endText !== null, 'its end');
  await bot.until(async () => (await bot.store.locks.list()).length === 0, 'the release of its locks');
  const row = await bot.store.operations.find(id);
  return [row?.state, row?.endReason, row?.endText];
}

test('a request does not run while another request has its server', async () => {
  const { bot, id } = await asked({ provider: { jobMs: minute } });
  await sayAndPress(bot, 'lead', 'restart web-1 web-2', 'Ask anyway');
  await bot.press('lead', 'Confirm');
  await bot.until(() => bot.writes().length === 1, 'the restart');
  await bot.press('operator', 'Confirm', { first: true });
  await bot.until(async () => (await bot.store.operations.find(id))?.state === 'refused', 'its end');
  const row = await bot.store.operations.find(id);
  expect(row?.endReason).toBe('locked');
  expect(row?.endText).toMatch(/^Not run: web-1 is locked by .*Restart web-1 and web-2.* Nothing was done\. Ask again/);
  expect(bot.writes()).toEqual([restarted]);
});

describe('beside a request whose process was killed before it announced the end', () => {
  /** A restart of web-1; the turn of the killed process is not over. */
  async function endedUnannounced() {
    const { bot, id } = await asked();
    const { store } = bot;
    await store.turns.claim(id, 'the killed process', 20_000);
    await moveThrough(bot, id, 'approved', 'running');
    const lock = { operationId: id, owner: idOf('operator'), reason: 'Restart web-1' };
    await store.locks.acquire(['order:34-12345'], lock);
    const endsIt = () => store.operations.move(id, 'running', 'done', { endText: 'web-1 restarted.' });
    return { bot, id, endsIt };
  }
  const expectInOrder = async (bot: TestBot, first: string, second: string) => {
    const rows = (await bot.store.audit.list({ limit: 50 })).toReversed();
    const lines = rows.map(({ kind, operationId }) => `${kind} ${operationId}`);
    expect(lines.filter((line) => line === first || line === second)).toEqual([first, second]);
  };

  test('another request for its server runs, after that end was announced', async () => {
    const { bot, id, endsIt } = await endedUnannounced();
    await endsIt();
    bot.store.locks.list = async () => [];
    await bot.say('lead', 'stop web-1');
    const stop = await newest(bot);
    await bot.press('lead', 'Confirm');
    await bot.until(async () => (await stop.row())?.state === 'done', 'the stop');
    expect(bot.writes()).toEqual(['POST /vps/34-12345/stop/']);
    expect(bot.posted.filter(({ key }) => key === `end:${id}`)).toHaveLength(1);
    await expectInOrder(bot, `ended ${id}`, `started ${stop.id}`);
  });

  test('another request for its server is planned, after that end was announced', async () => {
    const { bot, id, endsIt } = await endedUnannounced();
    await endsIt();
    await bot.say('lead', 'stop web-1');
    await bot.until(() => bot.story().includes('Stop web-1'), 'the card');
    const stop = await newest(bot);
    expect(await bot.store.locks.list()).toEqual([]);
    await expectInOrder(bot, `ended ${id}`, `asked ${stop.id}`);
  });

  test('a request for its server and for one that another request has is refused because of the other', async () => {
    const { bot, endsIt } = await endedUnannounced();
    await bot.say('operator', 'restart web-2');
    const { id: other } = await newest(bot);
    await moveThrough(bot, other, 'approved', 'running');
    await bot.store.turns.claim(other, 'the killed process', 20_000);
    const lock = { operationId: other, owner: idOf('operator'), reason: 'Restart web-2' };
    await bot.store.locks.acquire(['order:34-12399'], lock);
    await endsIt();
    await bot.say('operator', 'restart web-1 web-2');
    expect(bot.transcript()).toContain('Not now: "Restart web-2" is running on it.');
  });

  test('a request for a server whose state is read after a lost response is refused with the hour', async ({ bot }) => {
    bot.sim.fault({ kind: 'lose', match: 'POST /vps/{order_id}/restart/', times: 1 });
    await bot.press('operator', 'Confirm');
    await bot.until(() => bot.story().includes('Not retried; checking until about ‹date›.'), 'the lost response');
    await bot.say('lead', 'stop web-1');
    expect(bot.story()).toContain(
      'Not now: "Restart web-1" is running on it: the provider did not answer, and the bot checks until about ‹date›.',
    );
  });

  test('a lock of a request that is gone from the store holds nobody up', async ({ bot, id }) => {
    const lock = { operationId: 'gone', owner: idOf('lead'), reason: 'Stop web-1' };
    await bot.store.locks.acquire(['order:34-12345'], lock);
    await bot.press('operator', 'Confirm');
    expect((await endOf(bot, id))[0]).toBe('done');
  });
});

test('a request does not run when somebody stopped it before anything was sent', async () => {
  const { bot, id } = await asked({ config: { isPaused: true } });
  await bot.press('operator', 'Confirm');
  await untilHeld(bot);
  await bot.click('operator', { label: 'Stop', intent: { do: 'vote', operation: id, vote: 'stop' } });
  expect(await endOf(bot, id)).toEqual(['refused', 'closed', 'Not run: it was stopped. Nothing was done.']);
});

test('a request does not run when nobody continues it for a day', async () => {
  const { bot, id, wake } = await asked({ config: { isPaused: true } });
  await bot.press('operator', 'Confirm');
  await untilHeld(bot);
  bot.skip(23 * hour);
  wake();
  await bot.until(async () => (await bot.store.operations.find(id))?.turnOwner === null, 'its turn');
  expect((await bot.store.operations.find(id))?.state).toBe('approved');
  bot.skip(2 * hour);
  wake();
  expect(await endOf(bot, id)).toEqual([
    'refused',
    'closed',
    'Not run: it waited a day, and nobody clicked Continue. Nothing was done.',
  ]);
});

test.each([
  ['a confirmation is asked for now', rules('none'), rules('confirm'), 'one confirmation'],
  ['two approvals are asked for now', rules('none'), rules({ approve: 2, by }), '2 approvals'],
])('a request does not run when %s: a new card asks for it', async (_, before, after, says) => {
  const bot = await startTestBot({ config: { isPaused: true }, policy: before });
  await bot.say('operator', 'restart web-1');
  const { id } = await newest(bot);
  await continuedAfter(bot, () => bot.savePolicy(ops, after, 1));
  expect((await bot.store.operations.find(id))?.endText).toContain(
    `the rule of this channel changed since the request: ${says}`,
  );
  expect((await newest(bot)).id).not.toBe(id);
});

test('a request does not run when people may no longer approve their own requests', async () => {
  const own = rules({ approve: 1, by }, { solo: true });
  const { bot } = await asked({ config: { isPaused: true }, policy: own });
  await bot.press('operator', 'Approve');
  await continuedAfter(bot, () => bot.savePolicy(ops, rules({ approve: 1, by }), 1));
  await bot.press('operator', 'Approve');
  expect(bot.transcript()).toContain('you asked for this, so somebody else must approve');
  expect(bot.writes()).toEqual([]);
});

/** Lets the bot run a request: it is confirmed, or a process began it and was killed before the first write. */
const starts = {
  confirmed: (bot: TestBot, _: string) => bot.press('operator', 'Confirm'),
  killed: async (bot: TestBot, id: string) => {
    await moveRow(bot, id, 'approved', 'running');
    bot.replicas[0]?.wake(id);
  },
};
const powerOff = (bot: TestBot) => bot.sim.power({ order: '34-12345', state: 'off' });
const notThere =
  /^Not run: Checking it again before running: the provider answered 404: Not found\. It may have been removed meanwhile\. Nothing was (?:sent|done)\.$/;

type Row = readonly [what: string, line: string, happens: (bot: TestBot) => unknown, reason: string, says: RegExp];
const rows: readonly Row[] = [
  ['its server is not found, and the end quotes the provider', 'restart web-1', notFound, 'unavailable', notThere],
  ['its server is gone', 'restart web-1', gone, 'changed', /^Not run: There is no .* Nothing was done\.$/],
  ['its effect is there already', 'stop web-1', powerOff, 'changed', /^Not run: web-1 is already off\./],
];

test.each((['confirmed', 'killed'] as const).flatMap((how) => rows.map((row) => [how, ...row] as const)))(
  'a %s request does not run when %s, and no new card is posted',
  async (how, _, line, happens, reason, says) => {
    const { bot, id } = await asked({}, line);
    happens(bot);
    await starts[how](bot, id);
    const [state, why, text] = await endOf(bot, id);
    expect([state, why]).toEqual(['refused', how === 'killed' ? 'changed' : reason]);
    expect(text).toMatch(says);
    expect((await newest(bot)).id).toBe(id);
    expect(bot.writes()).toEqual([]);
  },
);

test('a killed request does not run when another server has its name', async ({ bot, id }) => {
  bot.sim.order({ order: '34-12345', name: 'web-9' });
  await starts.killed(bot, id);
  expect((await endOf(bot, id))[2]).toBe('Not run: web-1 is called web-9 now. Nothing was done.');
  expect(bot.writes()).toEqual([]);
});

test('a killed request is checked again while the provider is offline, and runs then', async ({ bot, id }) => {
  bot.sim.fault({ kind: 'answer', match: orders, status: 503, body: { detail: 'Maintenance.' } });
  await starts.killed(bot, id);
  await bot.until(() => bot.story().includes('Checking it again before running'), 'the card to say so');
  expect((await bot.store.operations.find(id))?.state).toBe('running');
  bot.sim.clearFaults();
  await passAndSettle(bot, 10_000);
  expect(bot.writes()).toEqual([restarted]);
  expect((await bot.store.operations.find(id))?.delayWhy).toBeNull();
});
