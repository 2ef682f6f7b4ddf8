import { describe, expect, test } from 'vitest';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { ProviderError } from '../../../src/core/view/errors.ts';
import { ops, opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import type { TestBot, TestBotOptions } from '../../support/bot/test-bot.ts';
import { asked, beforeTheWrite, failing, waitsOf } from '../asked.ts';
import { passAndSettle, pressAndSettle, requested } from '../told.ts';

// One step from the last check to its result: its audit entry, its call and its row.

const minute = 60_000;
const restarts = 'POST /vps/{order_id}/restart/';
const loose = { ...usualPolicy(opsGroup), rules: { dangerous: 'confirm' } } as const;
const commands = await loadCommands();
type AnyCommand = (typeof commands)[number];
type Step = ReturnType<Extract<AnyCommand, { kind: 'action' }>['step']>;

/** The commands, with a changed restart. */
const restartWith = (own: Partial<Step>): AnyCommand[] =>
  commands.map((command) =>
    command.kind === 'action' && command.path === 'restart'
      ? { ...command, step: (data) => ({ ...command.step(data), ...own }) }
      : command,
  );

async function confirmed(options: TestBotOptions = {}, line?: string) {
  const { bot, id } = await asked(options, line);
  return { bot, id, steps: () => bot.store.steps.list(id), confirm: () => bot.press('operator', 'Confirm') };
}

const fails = (error: unknown) => async () => {
  throw error;
};

/** Takes all slots of the provider and releases them, so that every earlier call has ended. */
async function takeAllSlots(bot: TestBot): Promise<void> {
  const all = await Promise.all(Array.from({ length: 8 }, () => bot.replicas[0]?.takeWriteSlot()));
  for (const release of all) release?.();
}

test('each call is recorded before it is made, with its title, its step and its target', async () => {
  const { bot, id } = await confirmed({}, 'stop web-1 web-2');
  await pressAndSettle(bot, 'operator', 'Confirm');
  // The change by the first step does not stop the second one.
  expect(bot.writes()).toEqual(['POST /vps/34-12345/stop/', 'POST /vps/34-12399/stop/']);
  const calls = (await bot.store.audit.list({ operationId: id, kind: 'call', limit: 5 })).toReversed();
  expect(calls.map(({ actor, data }) => [actor, data])).toEqual([
    [people.operator, { text: 'Stop web-1 and web-2: web-1', step: 0, target: 'order:34-12345' }],
    [people.operator, { text: 'Stop web-1 and web-2: web-2', step: 1, target: 'order:34-12399' }],
  ]);
});

test('a step without a name is recorded under the title of its request', async () => {
  const bot = await requested('freeze tag:web "migration"');
  const calls = await bot.store.audit.list({ kind: 'call', limit: 5 });
  expect(calls.map(({ data }) => data)).toEqual([expect.objectContaining({ text: 'Freeze tag:web' })]);
});

test('the duration of a job is stored once, with the message of the provider', async () => {
  const { bot, confirm, steps } = await confirmed({ provider: { jobMs: minute } });
  await confirm();
  await bot.until(() => bot.story().includes('accepted by the provider'), 'the job');
  expect(await steps()).toMatchObject([
    { state: 'accepted', job: { orderId: '34-12345', jobId: 812, action: 'restart' } },
  ]);
  bot.sim.advance(minute);
  await bot.settle();
  expect(await bot.store.durations.recent('restart')).toHaveLength(1);
  expect(await steps()).toMatchObject([{ state: 'done', receipt: { text: expect.stringContaining('812') } }]);
});

describe('a check right before the write', () => {
  /** A confirmed restart whose check throws this error until `comeBack` is called. */
  async function checkedWith(error: Error) {
    let isAway = true;
    const recheckTarget: Step['recheckTarget'] = async () => {
      if (isAway) throw error;
      return { id: '34-12345', name: 'web-1' };
    };
    const all = await confirmed({ process: { commands: restartWith({ recheckTarget }) } });
    const comeBack = () => {
      isAway = false;
    };
    return { ...all, comeBack };
  }

  test('no write is sent to a server that the provider does not know', async () => {
    const error = new ProviderError('not_found', restarts, { status: 404, words: 'Not found.' });
    const { bot, id } = await checkedWith(error);
    await pressAndSettle(bot, 'operator', 'Confirm');
    expect((await bot.store.operations.find(id))?.endText).toBe(
      'Not run: Checking it again: the provider answered 404: Not found. It may have been removed meanwhile. Nothing was done.',
    );
    expect(bot.writes()).toEqual([]);
  });

  test.each([
    ['is down', new ProviderError('unavailable', restarts, { words: 'Maintenance.' })],
    ['asks to slow down', new ProviderError('throttled', restarts, { status: 429, words: 'Slowly.' })],
  ])('no write is sent while the provider %s', async (_, error) => {
    const { bot, confirm, id, comeBack } = await checkedWith(error);
    const waits = waitsOf(bot, id);
    await confirm();
    await bot.until(() => bot.story().includes('Checking it again: '), 'the card to say so');
    expect(bot.writes()).toEqual([]);
    await bot.until(() => waits.length > 0, 'the turn');
    expect(waits).toEqual([10_000]);
    comeBack();
    await passAndSettle(bot, 10_000);
    expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
  });

  test('a turn that fails at the check because of an error of the bot is repeated', async () => {
    const { bot, confirm, comeBack } = await checkedWith(new TypeError('of ours'));
    await confirm();
    const isItsError = (line: string) => /a turn of an operation failed.*TypeError: of ours/.test(line);
    await bot.until(() => bot.log.some(isItsError), 'the log');
    expect(bot.writes()).toEqual([]);
    comeBack();
    await passAndSettle(bot, 10_000);
    expect(bot.story()).toContain('[done');
  });

  test('a check that is more than a minute old is made again, and the card says why', async () => {
    const { bot, confirm, id } = await confirmed();
    const seen: string[] = [];
    const { patch } = bot.store.operations;
    bot.store.operations.patch = async (id, fields) => {
      if (typeof fields.delayWhy === 'string') seen.push(fields.delayWhy);
      return patch(id, fields);
    };
    beforeTheWrite(bot, () => bot.skip(minute + 1));
    await confirm();
    await bot.until(() => seen.length > 0, 'the card to say so');
    expect(seen).toEqual(['It took more than a minute to begin, so everything is checked again.']);
    expect(bot.writes()).toEqual([]);
    // No slot is held meanwhile.
    await takeAllSlots(bot);
    await passAndSettle(bot, 10_000);
    expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
    expect(await bot.store.audit.list({ operationId: id, kind: 'call', limit: 5 })).toHaveLength(1);
  });
});

test('a write that is done releases its slot, and the next read shows what it changed', async () => {
  const { bot, steps } = await confirmed({ policy: loose }, 'rename mail-1 mail-9');
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(await steps()).toMatchObject([{ state: 'done', job: null }]);
  await takeAllSlots(bot);
  const before = bot.transcript().length;
  await bot.say('reader', 'list');
  expect(bot.transcript().slice(before)).toContain('mail-9');
});

test('a write with a lost response keeps the error in words while the database does not store it', async () => {
  const { bot, id } = await confirmed({
    process: {
      commands: restartWith({
        execute: fails(new ProviderError('lost', restarts, { words: 'no answer within 15000 ms' })),
        reconcile: async () => ({ is: 'so', text: 'it was restarted', isFinal: true }),
      }),
    },
  });
  const { steps } = bot.store;
  failing(steps, 'move', (...given) => given[3] === 'reading');
  await pressAndSettle(bot, 'operator', 'Confirm');
  const lost = await bot.store.audit.list({ operationId: id, kind: 'lost', limit: 5 });
  expect(lost.map(({ data }) => data)).toEqual([
    { text: 'Restart web-1: The response was lost (no answer within 15000 ms).', step: 0 },
  ]);
  expect(bot.log.filter((line) => line.includes('could not store the provider response'))).toEqual([
    expect.stringContaining('Error: a hiccup'),
  ]);
  expect(await steps.list(id)).toMatchObject([{ state: 'done', note: 'it was restarted' }]);
});

test('a write that an error of the bot stops before it is sent has failed, with the incident id of the log', async () => {
  const { bot, id } = await confirmed({
    process: { commands: restartWith({ execute: fails(new TypeError('of ours')) }) },
  });
  await pressAndSettle(bot, 'operator', 'Confirm');
  const row = await bot.store.operations.find(id);
  const incident = /incident ([0-9a-f]{8})\.$/.exec(row?.endText ?? '')?.[1] ?? 'none';
  expect(row?.endText).toBe(
    `Restart web-1: the bot could not send it. Nothing was changed. An admin finds the cause in the log under incident ${incident}.`,
  );
  expect(bot.log.filter((line) => line.startsWith('error'))).toEqual([
    expect.stringMatching(/^error Restart web-1: unexpected error in the bot TypeError: of ours/),
  ]);
});

test('a response that arrives when its step has ended already is logged', async () => {
  const { bot, id } = await confirmed();
  const { steps } = bot.store;
  const { move } = steps;
  steps.move = async (...given) => {
    if (given[3] === 'accepted') {
      steps.move = move;
      await move(id, 0, 'running', 'failed', { note: 'Somebody else ended it.' });
    }
    return move(...given);
  };
  await pressAndSettle(bot, 'operator', 'Confirm');
  const [error = '', ...others] = bot.log.filter((line) => line.startsWith('error'));
  expect(others).toEqual([]);
  expect(error).toContain('Restart web-1: the response arrived after the step had ended without it');
  expect(error).toMatch(new RegExp(`"operation":"${id}","step":0,"answer":".*812`));
});

test('a request continues when its response arrives after another process recorded it as lost', async () => {
  const { bot, confirm, id } = await confirmed();
  bot.sim.fault({ kind: 'nextJob', end: 'hang' });
  const { steps, operations } = bot.store;
  const { move } = steps;
  steps.move = async (...given) => {
    if (given[3] === 'accepted' && (await move(id, 0, 'running', 'reading', { note: 'The response was lost' })))
      await operations.move(id, 'running', 'reading');
    return move(...given);
  };
  await confirm();
  await expect.poll(async () => (await steps.list(id))[0]?.state).toBe('accepted');
  await expect.poll(async () => (await operations.find(id))?.state).toBe('running');
});

describe('while a write waits for its slot at the provider', () => {
  const noRights = (bot: TestBot) => bot.savePolicy(ops, policySchema.parse({ grants: [] }), 1);
  const freeze = async (bot: TestBot) => {
    await bot.say('lead', 'freeze here "key leaked"');
    await bot.until(() => bot.story().includes('Frozen: key leaked'), 'the freeze');
  };

  test.each<[what: string, minutes: number, happens: (bot: TestBot) => unknown, says: string]>([
    ['a sleep of twenty minutes makes the request wait for Continue', 20, () => {}, '[waiting for "Continue"]'],
    ['a right that is taken away for two minutes is missed by the next check', 2, noRights, '[not run]'],
    ['a right that is taken away for half a minute prevents the write', 0.5, noRights, '[not run]'],
    ['a freeze prevents the write', 0.5, freeze, 'Not run: this channel is frozen: key leaked. Nothing was done.'],
    ['half a minute in which nothing changes prevents nothing', 0.5, () => {}, '[done'],
  ])('%s', async (_, minutes, happens, says) => {
    const { bot, confirm, id } = await confirmed();
    const waits = waitsOf(bot, id);
    beforeTheWrite(bot, async () => {
      await happens(bot);
      bot.skip(minutes * minute);
    });
    await confirm();
    await bot.until(async () => waits.length > 0 || bot.story().includes(says), 'the turn');
    await bot.pass(10_000);
    await bot.until(() => bot.story().includes(says), says);
    expect(bot.writes()).toEqual(says === '[done' ? ['POST /vps/34-12345/restart/'] : []);
  });
});
