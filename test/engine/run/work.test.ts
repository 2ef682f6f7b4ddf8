import { describe, expect, test } from 'vitest';
import type { StepState } from '../../../src/core/plan/operation.ts';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { opsGroup, people } from '../../support/fake-slack.ts';
import { openOperations } from '../../support/open-operations.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/test-bot.ts';
import { waitsOf } from '../asked.ts';

// A turn on a request that runs begins from the rows, which any process may have written.

const minute = 60_000;
const both = 'restart web-1 web-2';
const first = 'POST /vps/34-12345/restart/';
const second = 'POST /vps/34-12399/restart/';

async function asked(line: string, options: TestBotOptions = {}) {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', ...options });
  await bot.say('operator', line);
  await bot.until(() => /\[(Cancel|Decline…)\]/.test(bot.story()), 'the card');
  const [row] = await openOperations(bot.store);
  const id = row?.id ?? '';
  return {
    bot,
    id,
    wake: () => bot.replicas[0]?.wake(id),
    operation: () => bot.store.operations.find(id),
    states: async () => (await bot.store.steps.list(id)).map(({ state }) => state),
  };
}

/** Steps of a killed process, each after these states; no turn is requested. */
async function left(line: string, steps: readonly (readonly StepState[])[], options: TestBotOptions = {}) {
  const all = await asked(line, options);
  const { bot, id } = all;
  for (const [n, path] of steps.entries()) {
    let from: StepState = 'pending';
    for (const to of path) {
      await bot.store.steps.move(id, n, from, to);
      from = to;
    }
  }
  await bot.store.votes.cast({ operationId: id, userId: people.operator ?? '', vote: 'confirm' });
  await bot.store.operations.move(id, 'waiting', 'approved');
  await bot.store.operations.move(id, 'approved', 'running');
  return all;
}

/** The first of two servers is being restarted. */
async function restartingTheFirst(options: TestBotOptions = {}, line = both) {
  const all = await asked(line, { jobMs: minute, ...options });
  await all.bot.press('operator', 'Confirm');
  await all.bot.until(() => all.bot.story().includes('· accepted'), 'the first step');
  return all;
}

const lostLines = (bot: TestBot, id: string) => bot.store.audit.list({ operationId: id, kind: 'lost', limit: 9 });

test('a call that a killed process left under way is reported as lost, and its result is read', async () => {
  const { bot, id, wake, operation, states } = await left('restart web-1', [['running']]);
  wake();
  await bot.until(async () => (await states())[0] === 'reading', 'the step');
  await bot.until(async () => (await operation())?.state === 'reading', 'the request');
  await bot.until(() => bot.posted.some(({ key }) => key === `lost:${id}:0`), 'the thread');
  expect(await lostLines(bot, id)).toHaveLength(1);
  expect(bot.writes()).toEqual([]);
});

test('a job that a killed process was following is followed to its end', async () => {
  const { bot, wake, states } = await left('restart web-1', [['running', 'verifying']]);
  wake();
  await bot.settle();
  expect(await states()).toEqual(['done']);
  expect(bot.writes()).toEqual([]);
});

test('a response that was recorded as lost and not reported is reported once by the next turn', async () => {
  const { bot, id, wake, operation } = await left('restart web-1', [['running', 'reading']]);
  wake();
  await bot.until(() => bot.posted.some(({ key }) => key === `lost:${id}:0`), 'the thread');
  wake();
  await bot.until(async () => (await operation())?.state === 'reading', 'the request');
  expect(await lostLines(bot, id)).toHaveLength(1);
});

test('a request whose lost response arrived after all continues as running', async () => {
  const { bot, id, wake, operation } = await restartingTheFirst();
  await bot.store.operations.move(id, 'running', 'reading');
  wake();
  await bot.until(async () => (await operation())?.state === 'running', 'the request');
  bot.sim.advance(minute);
  await bot.until(() => bot.writes().length === 2, 'the second restart');
});

test('a request stays in the state reading while one of two responses is lost', async () => {
  const { bot, id, wake, operation } = await left(`${both} --parallel 2`, [
    ['running', 'reading'],
    ['running', 'accepted'],
  ]);
  // No poll is due, so that neither step ends meanwhile.
  await bot.database.run('update steps set next_look_at = 9e15');
  const waits = waitsOf(bot, id);
  wake();
  await bot.until(async () => (await operation())?.state === 'reading' && waits.length > 0, 'the first turn');
  const moves: string[] = [];
  const { move } = bot.store.operations;
  bot.store.operations.move = async (...given) => {
    moves.push(given[2]);
    return move(...given);
  };
  const turns = waits.length;
  wake();
  await bot.until(() => waits.length > turns || moves.length > 0, 'the next turn');
  expect(moves).not.toContain('running');
  expect(await lostLines(bot, id)).toHaveLength(1);
});

test('when a process is killed while the database stored no response, the call is soon reported as lost', async () => {
  const { bot, id } = await asked('restart web-1', { jobMs: minute });
  const { steps } = bot.store;
  const { move, looked } = steps;
  let failures = 0;
  steps.move = async (...given) => {
    if (given[3] !== 'accepted') return move(...given);
    failures += 1;
    throw new Error('the database blinks');
  };
  let looks = 0;
  steps.looked = async (...given) => {
    looks += 1;
    return looked(...given);
  };
  await bot.press('operator', 'Confirm');
  await bot.until(() => failures > 1, 'the answer');
  await bot.until(async () => (await bot.store.operations.find(id))?.turnOwner === null, 'the turn');
  // No poll is possible before the answer is stored.
  expect(looks).toBe(0);
  await bot.crash();
  await bot.until(() => bot.posted.some(({ key }) => key === `lost:${id}:0`), 'the thread');
  expect(bot.writes()).toEqual([first]);
});

test('while a response is not stored its request has a turn every second, also when another step waits for a job', async () => {
  const { bot, id } = await asked(`${both} --parallel 2`, { jobMs: minute });
  const { steps } = bot.store;
  const { move } = steps;
  let failures = 0;
  steps.move = async (...given) => {
    if (given[3] !== 'accepted' || given[1] !== 1) return move(...given);
    failures += 1;
    throw new Error('the database blinks');
  };
  const waits = waitsOf(bot, id);
  await bot.press('operator', 'Confirm');
  await bot.until(() => failures > 1 && waits.length > 0, 'the answer');
  expect(waits.at(-1)).toBeLessThanOrEqual(1_000);
});

test('a change by one step of a request does not stop the next step', async () => {
  const { bot } = await asked('stop web-1 web-2');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12345/stop/', 'POST /vps/34-12399/stop/']);
});

test('while Slack does not respond it is asked again after ten seconds, and not all the time', async () => {
  const by = [`group:${opsGroup}`];
  const policy = policySchema.parse({
    grants: [{ to: ['everyone'], can: ['read', 'operate'] }],
    rules: { disruptive: { approve: 1, by } },
  });
  const { bot, operation } = await asked(both, { jobMs: minute, policy });
  await bot.press('lead', 'Approve');
  await bot.until(() => bot.story().includes('· accepted'), 'the first step');
  let asks = 0;
  const { groupMembers } = bot.directory;
  Object.assign(bot.directory, {
    groupMembers: async () => {
      asks += 1;
      throw new Error('ratelimited');
    },
  });
  bot.sim.advance(minute);
  await bot.until(() => bot.story().includes('Slack could not be asked who may decide this.'), 'the card to say so');
  await bot.until(async () => (await operation())?.turnOwner === null, 'the turn');
  const asked1 = asks;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(asks).toBe(asked1);
  expect(bot.log).toEqual([]);
  Object.assign(bot.directory, { groupMembers });
  await bot.pass(10_000);
  await bot.until(() => bot.writes().length === 2, 'the second restart');
  await bot.until(async () => (await operation())?.delayWhy === null, 'the card');
});

test('a poll that changed nothing draws no card, and what another process changed without drawing is drawn', async () => {
  const { bot, id, wake } = await restartingTheFirst({ jobMs: 60 * minute });
  const waits = waitsOf(bot, id);
  const { cards } = bot.store;
  const { put } = cards;
  let drawings = 0;
  cards.put = async (...given) => {
    drawings += 1;
    return put(...given);
  };
  const poll = async () => {
    const turns = waits.length;
    await bot.database.run('update steps set next_look_at = 0');
    wake();
    await bot.until(() => waits.length > turns, 'the turn');
  };
  await poll();
  drawings = 0;
  const looks = async () => (await bot.store.steps.list(id))[0]?.looks ?? 0;
  const before = await looks();
  await poll();
  await poll();
  expect(await looks()).toBeGreaterThanOrEqual(before + 2);
  expect(drawings).toBe(0);
  await bot.store.operations.stop(id, people.operator ?? '');
  await poll();
  await bot.until(() => drawings === 1, 'the drawing');
  await bot.until(() => bot.story().includes('stops it'), 'the card');
});

test('after a kill the first poll draws the card again', async () => {
  const { bot, id } = await restartingTheFirst({ jobMs: 60 * minute });
  await bot.until(async () => (await bot.store.operations.find(id))?.turnOwner === null, 'the turn');
  await bot.database.run(`update messages set view = replace(view, 'Restart', 'Reboot') where key = 'card:${id}'`);
  const isOther = async () => JSON.stringify(await bot.store.messages.find(`card:${id}`)).includes('Reboot');
  expect(await isOther()).toBe(true);
  await bot.crash();
  await bot.database.run('update steps set next_look_at = 0');
  await bot.database.run('update operations set next_turn_at = 0');
  await bot.until(async () => !(await isOther()), 'the card');
});

test('the card says that one server is done before the response for the next one arrives', async () => {
  const { bot, states } = await restartingTheFirst();
  bot.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/restart/', ms: 1_500, times: 1 });
  bot.sim.advance(minute);
  await bot.until(() => /web-1.*done/.test(bot.story().split('Asked')[0] ?? ''), 'the card');
  expect(await states()).not.toContain('accepted');
  await bot.until(() => bot.writes().length === 2, 'the second restart');
});

describe('a step that this version cannot read', () => {
  const broken = (bot: TestBot, n: number) => bot.database.run(`update steps set data = '7' where n = ${n}`);
  const wentWrong = (bot: TestBot) => bot.log.some((line) => line.includes('a turn of an operation failed'));

  test('a running step that this version cannot read stops its turn with an error', async () => {
    const { bot, wake } = await left(both, [['running', 'accepted']]);
    await broken(bot, 0);
    wake();
    await bot.until(() => wentWrong(bot), 'the log');
    expect(bot.writes()).toEqual([]);
  });

  test('an ended step that this version cannot read does not stop the next step', async () => {
    const { bot, wake } = await left(both, [['running', 'verifying', 'done']]);
    await broken(bot, 0);
    wake();
    await bot.until(() => bot.writes().length === 1, 'the second restart');
    expect(bot.writes()).toEqual([second]);
    expect(wentWrong(bot)).toBe(false);
  });
});

test('a request whose command this version does not have does not run, and the log names the command', async () => {
  const { bot, wake } = await left('restart web-1', []);
  await bot.database.run(`update operations set command = 'teleport'`);
  bot.skip(11 * minute);
  wake();
  await bot.until(() => bot.log.some((line) => line.includes('this version has no action teleport')), 'the log');
  expect(bot.writes()).toEqual([]);
});

test('of steps two at a time the third begins when one has ended, while the other is under way', async () => {
  const { bot, id, wake } = await restartingTheFirst({ jobMs: 60 * minute }, `${both} db-1 --parallel 2`);
  await bot.until(async () => (await bot.store.steps.list(id))[1]?.state === 'accepted', 'the second one');
  await bot.store.steps.move(id, 1, 'accepted', 'verifying');
  await bot.store.steps.move(id, 1, 'verifying', 'done');
  wake();
  await bot.until(() => bot.writes().length === 3, 'the third restart');
  expect((await bot.store.steps.list(id))[0]?.state).toBe('accepted');
});

describe('a request that is held between two steps', () => {
  test('is not held while another step is under way: that server stays locked until its step has ended', async () => {
    const { bot, id, operation } = await restartingTheFirst({ jobMs: 60 * minute }, `${both} db-1 --parallel 2`);
    await bot.until(async () => (await bot.store.steps.list(id))[1]?.state === 'accepted', 'the second one');
    const ended = async (n: number) => {
      await bot.store.steps.move(id, n, 'accepted', 'verifying');
      await bot.store.steps.move(id, n, 'verifying', 'done');
    };
    bot.pause(true);
    await bot.crash();
    await ended(1);
    bot.replicas[0]?.wake(id);
    await bot.until(() => /web-2.*done/.test(bot.story()), 'the card');
    await bot.until(async () => (await operation())?.turnOwner === null, 'the turn');
    expect((await operation())?.heldAt).toBeNull();
    expect((await bot.store.locks.list()).map(({ target }) => target)).toContain('order:34-12345');
    await ended(0);
    bot.replicas[0]?.wake(id);
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    await bot.until(async () => (await bot.store.locks.list()).length === 0, 'the lock to be released');
    // The two were sent at the same time.
    expect(bot.writes().toSorted()).toEqual([first, second].toSorted());
  });

  const held = async () => {
    const all = await restartingTheFirst();
    const { bot } = all;
    bot.pause(true);
    await bot.crash();
    bot.sim.advance(minute);
    await bot.until(() => bot.story().includes('[waiting for "Continue"]'), 'the hold');
    await bot.until(async () => (await bot.store.locks.list()).length === 0, 'the lock to be released');
    return all;
  };

  test('a held request does not continue when the bot is started without the pause', async () => {
    const { bot, wake, operation } = await held();
    expect(bot.story()).toContain('The bot is paused (HOSTLER_PAUSED) and begins nothing.');
    bot.pause(false);
    await bot.crash();
    wake();
    await bot.until(async () => (await operation())?.turnOwner === null, 'the turn');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(bot.writes()).toEqual([first]);
    expect((await operation())?.heldWhy).toBe('The bot is paused (HOSTLER_PAUSED) and begins nothing.');
    await bot.press('operator', 'Continue');
    await bot.until(() => bot.writes().length === 2, 'the second restart');
  });

  test('a held request can be stopped', async () => {
    const { bot, id } = await held();
    await bot.click('lead', { label: 'Stop', intent: { do: 'vote', operation: id, vote: 'stop' } });
    await bot.settle();
    expect(bot.story()).toContain('1 of 2 done; not started: web-2, because @lead stopped it');
    expect(bot.writes()).toEqual([first]);
  });
});
