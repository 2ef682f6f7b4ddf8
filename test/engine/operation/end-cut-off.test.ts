import { describe, expect } from 'vitest';
import { isEnd } from '../../../src/core/plan/operation.ts';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { operationId } from '../../../src/engine/context/request.ts';
import { replacementSeed } from '../../../src/engine/operation/end.ts';
import { ops, people } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { startTestBot, type TestBot, test } from '../../support/bot/test-bot.ts';
import { asked as askedFor, failing, onceApproved } from '../asked.ts';

// A process is killed after the audit entry of a request, and before its operation exists. In the audit the request has
// one end in every case.

const minute = 60_000;

/** The process hangs before it stores an operation, and is killed; `meanwhile` happens before the kill. */
async function killBeforeTheRow(bot: TestBot, act: () => unknown, meanwhile: () => unknown): Promise<void> {
  const { audit, operations } = bot.store;
  const { insert } = operations;
  const isThere = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<never>();
  killed.promise.catch(() => {});
  operations.insert = () => {
    operations.insert = insert;
    isThere.resolve();
    return killed.promise;
  };
  const acting = act();
  await isThere.promise;
  await meanwhile();
  audit.append = () => killed.promise;
  const crashing = bot.crash();
  killed.reject(new Error('killed'));
  await Promise.allSettled([acting, crashing]);
}

const killBeforeTheCard = (bot: TestBot, meanwhile: () => unknown = () => {}) =>
  killBeforeTheRow(bot, () => bot.say('operator', 'stop web-1'), meanwhile);

const isAllTakenIn = (bot: TestBot) => async () => (await bot.store.inbox.unfinished(1, 60 * minute)).length === 0;

/** The audit entries of the first request. */
async function linesOf({ store }: TestBot): Promise<string[]> {
  const lines = (await store.audit.list({ limit: 100 })).toReversed();
  const asked = lines.find(({ kind }) => kind === 'asked');
  const own = lines.filter(({ operationId }) => operationId === asked?.operationId);
  return own.map(({ kind, data }) => `${kind}: ${(data as { text: string }).text}`);
}

const asked = 'asked: Stop web-1: The server shuts down and stays off until it is started. You continue to be billed.';
const failed = `failed: ${asked.slice('asked: '.length)} The bot could not make its card. Nothing was done.`;

test('a request whose process ended twice is given up and ends as failed', async ({ bot }) => {
  const looks = () => bot.sim.requests().filter(({ path }) => path.endsWith('/status/')).length;
  let before = 0;
  await killBeforeTheCard(bot, () => {
    before = looks();
    bot.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 600_000 });
  });
  await bot.until(() => looks() > before, 'the second process to begin it');
  await bot.crash();
  await bot.until(isAllTakenIn(bot));
  expect(await linesOf(bot)).toEqual([asked, failed]);
});

const isMade = [asked];
const hasFailed = [asked, failed];
test.each<[what: string, meanwhile: (bot: TestBot) => unknown, open: number, lines: string[]]>([
  ['a request that the next process resumes is made once', () => {}, 1, isMade],
  ['a request that no process resumes for ten minutes fails', (bot) => bot.skip(11 * minute), 0, hasFailed],
  ['a resumed request fails when the same one was made', (bot) => bot.say('lead', 'stop web-1'), 1, hasFailed],
  [
    'a resumed request fails when there is nothing left to do',
    (bot) => bot.sim.power({ order: '34-12345', state: 'off' }),
    0,
    hasFailed,
  ],
])('%s, and the audit says so once', async (_, meanwhile, open, lines) => {
  const bot = await startTestBot();
  await killBeforeTheCard(bot, () => meanwhile(bot));
  await bot.until(isAllTakenIn(bot));
  expect(await openOperations(bot.store)).toHaveLength(open);
  expect(await linesOf(bot)).toEqual(lines);
});

test('an end that cannot be stored is stored later, and the request does not begin again', async ({ bot }) => {
  await killBeforeTheCard(bot, () => bot.say('lead', 'stop web-1'));
  const error = new StoreUnavailable('the database is away');
  const ends = failing(bot.store.audit, 'append', ({ kind }) => kind === 'failed', { error });
  await bot.until(() => ends() === 1, 'the end to fail');
  expect(await isAllTakenIn(bot)()).toBe(false);
  await bot.until(isAllTakenIn(bot));
  expect(bot.transcript()).not.toContain('A request of yours failed');
  expect(await linesOf(bot)).toEqual([asked, failed]);
});

test('a request that this version cannot read ends as failed, and its requester gets one message', async ({ bot }) => {
  await killBeforeTheCard(bot, () =>
    bot.database.run(`update inbox set body = replace(body, '"kind":"line"', '"kind":"voice"') where body <> ''`),
  );
  await bot.until(isAllTakenIn(bot));
  const told = () => bot.posted.filter(({ key }) => key.startsWith('unreadable:')).length;
  await bot.until(() => told() > 0, 'the message');
  await bot.pass(2 * minute);
  expect(told()).toBe(1);
  expect(bot.transcript(people.operator)).toContain(
    'A request of yours failed: another version of Hostler took it in, and this version cannot read it.',
  );
  expect(await linesOf(bot)).toEqual([asked, failed]);
  expect(await bot.store.audit.list({ kind: 'given_up', limit: 5 })).toMatchObject([{ actor: people.operator }]);
});

test('a request of which nothing can be read is given up, and later requests are resumed', async ({ bot }) => {
  const claim = { owner: 'a process that ended', forMs: 1 };
  await bot.store.inbox.receive({ key: 'torn', body: '{"id":"torn","act', claim });
  await killBeforeTheCard(bot);
  await bot.until(isAllTakenIn(bot));
  expect(await openOperations(bot.store)).toHaveLength(1);
  expect(await bot.store.audit.list({ kind: 'given_up', limit: 5 })).toMatchObject([{ actor: null, channel: null }]);
});

test('a request that was killed before its card and then refused has an end in the audit', async ({ bot }) => {
  const operation = operationId('cut-off');
  const about = { actor: people.operator, channel: ops, operation, text: 'Restart web-7' };
  await bot.store.audit.append({ ...about, kind: 'asked' });
  await bot.say('operator', 'restart web-7', { id: 'cut-off' });
  const lines = await bot.store.audit.list({ operationId: operation, limit: 5 });
  expect(lines.map(({ kind }) => kind)).toEqual(['refused', 'asked']);
  // The other entries are not ends.
  await bot.say('operator', 'restart web-7', { id: 'another' });
  expect(await bot.store.audit.list({ operationId: operationId('another'), limit: 5 })).toEqual([]);
});

describe('a request for a changed server, killed before the new card is stored', () => {
  /** The server is off at the second check; `meanwhile` happens before the check of the next process. */
  async function killBeforeTheNewCard(meanwhile: (bot: TestBot) => void) {
    const { bot, id } = await askedFor();
    onceApproved(bot, () => bot.sim.power({ order: '34-12345', state: 'off' }));
    await killBeforeTheRow(
      bot,
      () => bot.press('operator', 'Confirm'),
      () => meanwhile(bot),
    );
    await bot.until(async () => isEnd((await bot.store.operations.find(id))?.state ?? 'waiting'), 'the end');
    await bot.settle();
    const again = operationId(replacementSeed(id));
    const lines = (await bot.store.audit.list({ operationId: again, limit: 10 })).map(({ kind }) => kind);
    return { bot, id, again, lines };
  }

  test('gets the new card from the next process, and has one audit entry', async () => {
    const { bot, again, lines } = await killBeforeTheNewCard(() => {});
    expect(lines).toEqual(['asked']);
    expect(await bot.store.operations.find(again)).toMatchObject({ state: 'waiting' });
  });

  test('runs when its server has changed back, and the new request ends as failed', async () => {
    const { bot, id, again, lines } = await killBeforeTheNewCard((bot) =>
      bot.sim.power({ order: '34-12345', state: 'on' }),
    );
    expect(await bot.store.operations.find(id)).toMatchObject({ state: 'done' });
    expect(await bot.store.operations.find(again)).toBeUndefined();
    expect(lines.toSorted()).toEqual(['asked', 'failed']);
  });
});
