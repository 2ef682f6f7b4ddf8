import { expect, test } from 'vitest';
import { loadCommands } from '../../../src/commands/all.ts';
import { accountTarget } from '../../../src/core/account/account.ts';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { ops, opsGroup, people } from '../../support/fake-slack.ts';
import { openOperations } from '../../support/open-operations.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/test-bot.ts';

// Every step is checked again before it is sent. A difference skips it and all later steps, and the end says so.

const minute = 60_000;
const day = 24 * 60 * minute;

/** The first of several servers is being restarted; the job of the simulator ends when the test says so. */
async function restartingTheFirst(options: TestBotOptions = {}, line = 'restart web-1 web-2 db-1'): Promise<TestBot> {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', jobMs: minute, ...options });
  await bot.say('operator', line);
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('· accepted'), 'the first step');
  return bot;
}

const restarts = (bot: TestBot) => bot.writes().filter((write) => write.includes('/restart/'));

interface Meanwhile {
  readonly happens: (bot: TestBot) => Promise<void>;
  readonly because: string;
}

const meanwhile: Readonly<Record<string, Meanwhile>> = {
  'a tag of the next one is frozen': {
    happens: async (bot) => {
      await bot.say('lead', 'freeze tag:prod "in doubt"');
      await bot.until(() => bot.story().includes('Frozen: in doubt'), 'the freeze');
    },
    because: 'because tag:prod is frozen:',
  },
  'who asked leaves the group': {
    happens: async (bot) => {
      bot.groups.get(opsGroup)?.delete(people.operator ?? '');
    },
    because: 'because you need “operate”; you have “read”',
  },
  'the next server is switched off by hand': {
    happens: async (bot) => {
      bot.sim.power({ order: '34-12399', state: 'off' });
    },
    because: 'because web-2 changed since the request: its power was on and is off now',
  },
  'the next server is renamed by hand': {
    happens: async (bot) => {
      bot.sim.order({ order: '34-12399', name: 'web-9' });
    },
    because: 'because web-2 changed since the request: its name was web-2 and is web-9 now',
  },
  'somebody presses Stop after this step': {
    happens: async (bot) => {
      await bot.press('lead', 'Stop after this step');
    },
    because: 'because @lead stopped it',
  },
  'somebody types request stop': {
    happens: async (bot) => {
      const [row] = await openOperations(bot.store);
      await bot.say('lead', `request stop ${row?.id}`);
      await bot.until(() => bot.story().includes('is stopped; no further step begins'), 'the stop');
    },
    because: 'because @lead stopped it',
  },
};

test.each(Object.entries(meanwhile))(
  '%s: the other steps are not started, and the end says why',
  async (_, { happens, because }) => {
    const bot = await restartingTheFirst();
    await happens(bot);
    bot.skip(11_000);
    bot.sim.advance(minute);
    await bot.settle();
    expect(bot.story()).toContain('[stopped]');
    expect(bot.story()).toMatch(/@operator Restart web-1, web-2 and db-1: 1 of 3 done; not started: web-2 and db-1, /);
    expect(bot.story()).toContain(because);
    expect(restarts(bot)).toEqual(['POST /vps/34-12345/restart/']);
    expect(await bot.store.locks.list()).toEqual([]);
  },
);

test('a request that was killed after its first write and offline for three days waits for Continue', async () => {
  const bot = await restartingTheFirst({}, 'restart web-1 web-2');
  bot.sim.advance(10 * minute);
  bot.skip(3 * day);
  await bot.crash();
  await bot.until(() => bot.story().includes('The bot was offline for 3 days'), 'the card to say so');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'));
  expect(restarts(bot)).toHaveLength(1);
  await bot.press('operator', 'Continue');
  await bot.until(() => restarts(bot).length === 2, 'the second restart');
  bot.sim.advance(minute);
  await bot.settle();
  expect(bot.story()).toContain('[done in 3 days]');
});

test('a request that nobody continues for a day ends without its other steps', async () => {
  const bot = await restartingTheFirst({}, 'restart web-1 web-2');
  bot.sim.advance(10 * minute);
  bot.skip(3 * day);
  await bot.crash();
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'));
  bot.skip(day + minute);
  for (const row of await openOperations(bot.store)) bot.replicas[0]?.wake(row.id);
  await bot.settle();
  expect(bot.story()).toContain('1 of 2 done; not started: web-2, because it waited a day');
  expect(restarts(bot)).toHaveLength(1);
});

test('a record that somebody edits by hand between two writes of one request is not overwritten', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  await bot.say('operator', 'dns apply example.com "www 300 A 192.0.2.77\napi 300 A 192.0.2.78" --keep');
  const zone = () => bot.sim.state().domains.find((domain) => domain.name === 'example.com')?.entries ?? [];
  const other = zone().find((record) => record.host.startsWith('api'));
  const stop = bot.sim.onChange((change) => {
    if (change.what !== 'domain' || !bot.writes().length) return;
    stop();
    bot.sim.records({ domain: 'example.com', set: [{ id: other?.id ?? 0, value: '192.0.2.99' }] });
  });
  await bot.press('operator', 'Confirm');
  await bot.settle();
  expect(bot.story()).toContain('because example.com changed since the request:');
  expect(bot.writes()).toHaveLength(1);
});

test('a paused bot answers and begins nothing, also not after it is started again without the pause', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite', isPaused: true });
  await bot.say('operator', 'version');
  expect(bot.story()).toContain('paused: it answers and watches, but starts nothing');
  await bot.say('operator', 'restart web-1');
  expect(bot.story()).toContain('The bot is paused: nothing begins.');
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'));
  await bot.press('operator', 'Continue');
  expect(bot.story()).toContain('(only @operator) The bot is paused');
  expect(bot.writes()).toEqual([]);
  bot.pause(false);
  await bot.crash();
  await bot.say('reader', 'status web-1');
  expect(bot.writes()).toEqual([]);
  await bot.press('operator', 'Continue');
  await bot.settle();
  expect(bot.writes()).toHaveLength(1);
});

test('a stop between the last check and the write prevents the write', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  const [before] = restarts(bot);
  expect(before).toBe('POST /vps/34-12345/restart/');

  // The stop comes with the audit entry right before the write.
  await bot.say('operator', 'restart web-2');
  const [row] = await bot.store.operations.list({ limit: 1 });
  const { store } = bot;
  const { append } = store.audit;
  Object.assign(store.audit, {
    append: async (entry: Parameters<typeof append>[0]) => {
      if (entry.kind === 'call') await store.operations.stop(row?.id ?? '', people.lead ?? '');
      return append(entry);
    },
  });
  await bot.press('operator', 'Confirm');
  await bot.settle();
  expect(restarts(bot)).toEqual([before]);
  expect(bot.story()).toContain('Not run: @lead stopped it. Nothing was done.');
});

test('after the click a server is read twice, with its plan and right before its write', async () => {
  const bot = await startTestBot({ replicas: 1, engine: 'sqlite' });
  await bot.say('operator', 'restart web-1');
  await bot.settle();
  bot.sim.clearRequests();
  await bot.press('operator', 'Confirm');
  await bot.settle();
  const routes = bot.sim.requests().map(({ route }) => route);
  const untilSent = routes.slice(0, routes.indexOf('POST /vps/{order_id}/restart/'));
  expect(untilSent.filter((route) => route === 'GET /vps/{order_id}/status/')).toHaveLength(2);
});

test('a person who may not stop a request is refused', async () => {
  const bot = await restartingTheFirst();
  const [row] = await openOperations(bot.store);
  await bot.press('reader', 'Stop after this step');
  expect(bot.story()).toContain('(only @reader) You may not stop Restart web-1, web-2 and db-1');
  await bot.say('reader', `request stop ${row?.id}`);
  expect(bot.transcript()).toContain(`There is no request ${row?.id} that you may stop here.`);
  expect((await bot.store.operations.find(row?.id ?? ''))?.stopAt).toBeNull();
});

test('an approval that no longer counts leaves the other steps unstarted; a failed lookup of an approver does not', async () => {
  const operate = { to: ['everyone'], can: ['read', 'operate'] };
  const by = [`group:${opsGroup}`];
  const bot = await startTestBot({
    replicas: 1,
    engine: 'sqlite',
    jobMs: minute,
    policy: policySchema.parse({ grants: [operate], rules: { disruptive: { approve: 1, by } } }),
  });
  await bot.say('operator', 'restart web-1 web-2 db-1');
  await bot.press('lead', 'Approve');
  await bot.until(() => bot.story().includes('· accepted'), 'the first step');
  const { groupMembers } = bot.directory;
  let isAway = true;
  Object.assign(bot.directory, {
    groupMembers: async (group: string) => {
      if (isAway) throw new Error('ratelimited');
      return groupMembers(group);
    },
  });
  bot.sim.advance(minute);
  await bot.until(() => bot.story().includes('Slack could not be asked who may decide this.'), 'the card to say so');
  const [row] = await openOperations(bot.store);
  expect((await bot.store.votes.list(row?.id ?? '')).map((vote) => vote.isVoid)).toEqual([false]);
  isAway = false;
  await bot.pass(1);
  await bot.until(() => restarts(bot).length === 2, 'the second restart');
  bot.groups.get(opsGroup)?.delete(people.lead ?? '');
  bot.sim.advance(minute);
  await bot.settle();
  expect(bot.story()).toContain(
    '2 of 3 done; not started: db-1, because an approval no longer counts: only an approver of this channel may do this.',
  );
  expect(bot.channels.get(ops)?.hasBot).toBe(true);
});

test('a failed lookup of the requester delays the next step, and every step starts in the end', async () => {
  const policy = policySchema.parse({ grants: [{ to: [`group:${opsGroup}`], can: ['read', 'operate'] }] });
  const bot = await restartingTheFirst({ policy }, 'restart web-1 web-2');
  const { groupMembers } = bot.directory;
  Object.assign(bot.directory, {
    groupMembers: async () => {
      throw new Error('ratelimited');
    },
  });
  bot.sim.advance(minute);
  await bot.until(() => bot.story().includes('Slack could not be asked who may decide this.'), 'the card to say so');
  Object.assign(bot.directory, { groupMembers });
  await bot.pass(1);
  await bot.until(() => restarts(bot).length === 2, 'the second restart');
});

test('a step that took twenty minutes is followed by the next one without a question', async () => {
  const bot = await restartingTheFirst({}, 'restart web-1 web-2');
  for (let n = 0; n < 4; n += 1) {
    bot.skip(5 * minute);
    await bot.store.presence.note();
  }
  bot.sim.advance(minute);
  await bot.until(() => restarts(bot).length === 2, 'the second restart');
});

test('a freeze of what is done already stops no step about something else', async () => {
  const bot = await restartingTheFirst({}, 'restart db-1 web-2');
  await bot.say('lead', 'freeze tag:db "in doubt"');
  await bot.until(() => bot.story().includes('Frozen: in doubt'), 'the freeze');
  bot.sim.advance(minute);
  await bot.until(() => restarts(bot).length === 2, 'the second restart');
});

test('a step about something that its request does not name waits for everything that the request names', async () => {
  const commands = (await loadCommands()).map((command) => {
    if (command.kind !== 'action' || command.path !== 'restart') return command;
    const prepare: typeof command.prepare = (raw, reading) => {
      const prepared = command.prepare(raw, reading);
      const plan: typeof prepared.plan = async (context) => {
        const made = await prepared.plan(context);
        return { ...made, steps: made.steps.map((step) => ({ ...step, target: accountTarget })) };
      };
      return { ...prepared, plan };
    };
    return { ...command, prepare };
  });
  const bot = await restartingTheFirst({ commands }, 'restart web-1 web-2');
  await bot.say('lead', 'freeze tag:prod "in doubt"');
  await bot.until(() => bot.story().includes('Frozen: in doubt'), 'the freeze');
  bot.sim.advance(minute);
  await bot.settle();
  expect(bot.story()).toContain('because tag:prod is frozen:');
  expect(restarts(bot)).toHaveLength(1);
});
