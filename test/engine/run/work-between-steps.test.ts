import { expect } from 'vitest';
import { accountTarget } from '../../../src/core/account/account.ts';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { day, minute } from '../../../src/core/text/words.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { type TestBot, test } from '../../support/bot/test-bot.ts';
import { asked, beforeTheWrite, newest, replanned, rules, underWay, waitsOf, withoutGroups } from '../asked.ts';
import { answerTo, pressAndSettle, requested } from '../told.ts';

// Every step is checked again before it is sent. A difference skips it and all later steps, and the end says so.

const three = 'restart web-1 web-2 db-1';

async function freeze(bot: TestBot, what: string): Promise<void> {
  await bot.say('lead', `freeze ${what} "in doubt"`);
  await bot.until(() => bot.story().includes('Frozen: in doubt'), 'the freeze');
}

const restarts = (bot: TestBot) => bot.writes().filter((write) => write.includes('/restart/'));

test.each<[meanwhile: string, happens: (bot: TestBot) => unknown, because: string]>([
  ['a tag of the next one is frozen', (bot) => freeze(bot, 'tag:prod'), 'because tag:prod is frozen:'],
  [
    'who asked leaves the group',
    (bot) => bot.groups.get(opsGroup)?.delete(people.operator ?? ''),
    'because you need “operate”; you have “read”',
  ],
  [
    'the next server is switched off by hand',
    (bot) => bot.sim.power({ order: '34-12399', state: 'off' }),
    'because web-2 changed since the request: its power was on and is off now',
  ],
  [
    'the next server is renamed by hand',
    (bot) => bot.sim.order({ order: '34-12399', name: 'web-9' }),
    'because web-2 changed since the request: its name was web-2 and is web-9 now',
  ],
  [
    'somebody presses Stop after this step',
    (bot) => bot.press('lead', 'Stop after this step'),
    'because @lead stopped it',
  ],
  [
    'somebody types request stop',
    async (bot) => {
      const line = `request stop ${(await newest(bot)).id}`;
      // A reader may not stop it in either way.
      await bot.press('reader', 'Stop after this step');
      await bot.until(() => bot.story().includes('(only @reader) You may not stop Restart web-1'), 'the refusal');
      await bot.say('reader', line);
      await bot.until(() => bot.transcript().includes('that you may stop here.'), 'the other refusal');
      await bot.say('lead', line);
      await bot.until(() => bot.story().includes('is stopped; no further step begins'), 'the stop');
    },
    'because @lead stopped it',
  ],
])('%s: the other steps are not started, and the end says why', async (_, happens, because) => {
  const { bot } = await underWay({}, three);
  await happens(bot);
  bot.skip(11_000);
  bot.sim.advance(minute);
  await bot.settle();
  expect(bot.story()).toContain('[stopped]');
  expect(bot.story()).toMatch(/@operator Restart web-1, web-2 and db-1: 1 of 3 done; not started: web-2 and db-1, /);
  expect(bot.story()).toContain(because);
  expect(restarts(bot)).toEqual(['POST /vps/34-12345/restart/']);
  expect(await bot.store.locks.list()).toEqual([]);
});

/** Killed after its first write, and offline for three days. */
async function offlineForDays(): Promise<TestBot> {
  const { bot } = await underWay();
  bot.sim.advance(10 * minute);
  bot.skip(3 * day);
  await bot.crash();
  await bot.until(() => bot.story().includes('The bot was offline for 3 days'), 'the card to say so');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'));
  expect(restarts(bot)).toHaveLength(1);
  return bot;
}

test('a request that was killed after its first write and offline for three days waits for Continue', async () => {
  const bot = await offlineForDays();
  await bot.press('operator', 'Continue');
  await bot.until(() => restarts(bot).length === 2, 'the second restart');
  bot.sim.advance(minute);
  await bot.settle();
  expect(bot.story()).toContain('[done in 3 days]');
});

test('a request that nobody continues for a day ends without its other steps', async () => {
  const bot = await offlineForDays();
  bot.skip(day + minute);
  (await newest(bot)).wake();
  await bot.settle();
  expect(bot.story()).toContain('1 of 2 done; not started: web-2, because it waited a day');
  expect(restarts(bot)).toHaveLength(1);
});

test('a record that somebody edits by hand between two writes of one request is not overwritten', async ({ bot }) => {
  await bot.say('operator', 'dns apply example.com "www 300 A 192.0.2.77\napi 300 A 192.0.2.78" --keep');
  const zone = () => bot.sim.state().domains.find((domain) => domain.name === 'example.com')?.entries ?? [];
  const other = zone().find((record) => record.host.startsWith('api'));
  const stop = bot.sim.onChange((change) => {
    if (change.what !== 'domain' || !bot.writes().length) return;
    stop();
    bot.sim.records({ domain: 'example.com', set: [{ id: other?.id ?? 0, value: '192.0.2.99' }] });
  });
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.story()).toContain('because example.com changed since the request:');
  expect(bot.writes()).toHaveLength(1);
});

test('a paused bot answers and begins nothing, also not after it is started again without the pause', async () => {
  const bot = await requested('version', { config: { isPaused: true } });
  expect(bot.story()).toContain('paused: it answers and watches, but starts nothing');
  expect(await answerTo(bot, 'operator', 'restart web-1')).toContain('The bot is paused: nothing begins.');
  await bot.press('operator', 'Confirm');
  await bot.until(() => bot.story().includes('[waiting for "Continue"]'));
  await bot.press('operator', 'Continue');
  expect(bot.story()).toContain('(only @operator) The bot is paused');
  expect(bot.writes()).toEqual([]);
  bot.pause(false);
  await bot.crash();
  await bot.say('reader', 'status web-1');
  expect(bot.writes()).toEqual([]);
  await pressAndSettle(bot, 'operator', 'Continue');
  expect(bot.writes()).toHaveLength(1);
});

test('a stop between the last check and the write prevents the write', async () => {
  const { bot, id } = await asked();
  beforeTheWrite(bot, () => bot.store.operations.stop(id, people.lead ?? ''));
  await pressAndSettle(bot, 'operator', 'Confirm');
  expect(bot.writes()).toEqual([]);
  expect(bot.story()).toContain('Not run: @lead stopped it. Nothing was done.');
});

test('after the click a server is read twice, with its plan and right before its write', async () => {
  const { bot } = await asked();
  bot.sim.clearRequests();
  await pressAndSettle(bot, 'operator', 'Confirm');
  const routes = bot.sim.requests().map(({ route }) => route);
  const untilSent = routes.slice(0, routes.indexOf('POST /vps/{order_id}/restart/'));
  expect(untilSent.filter((route) => route === 'GET /vps/{order_id}/status/')).toHaveLength(2);
});

test('an approval that no longer counts leaves the other steps unstarted; a failed lookup of an approver does not', async () => {
  const policy = rules({ approve: 1, by: [`group:${opsGroup}`] });
  const { bot, id } = await asked({ provider: { jobMs: minute }, policy }, three);
  await bot.press('lead', 'Approve');
  await bot.until(() => bot.story().includes('· accepted'), 'the first step');
  const waits = waitsOf(bot, id);
  const comeBack = withoutGroups(bot);
  bot.sim.advance(minute);
  await bot.until(() => bot.story().includes('Slack could not be asked who may decide this.'), 'the card to say so');
  // Slack is asked again in ten seconds, and not all the time.
  await bot.until(() => waits.at(-1) === 10_000, 'the turn');
  expect((await bot.store.votes.list(id)).map((vote) => vote.isVoid)).toEqual([false]);
  expect(bot.log).toEqual([]);
  comeBack();
  await bot.pass(10_000);
  await bot.until(() => restarts(bot).length === 2, 'the second restart');
  bot.groups.get(opsGroup)?.delete(people.lead ?? '');
  bot.sim.advance(minute);
  await bot.settle();
  expect(bot.story()).toContain(
    '2 of 3 done; not started: db-1, because an approval no longer counts: only an approver of this channel may do this.',
  );
});

test.each<[what: string, happens: (bot: TestBot) => unknown, line?: string]>([
  [
    'after a failed lookup of the requester',
    async (bot) => {
      const comeBack = withoutGroups(bot);
      bot.sim.advance(minute);
      await bot.until(() => bot.story().includes('Slack could not be asked who may decide this.'), 'the card');
      comeBack();
      await bot.pass(1);
    },
  ],
  [
    'without a question after a step that took twenty minutes',
    async (bot) => {
      for (let n = 0; n < 4; n += 1) {
        bot.skip(5 * minute);
        await bot.store.presence.note();
      }
    },
  ],
  ['after a freeze of what is done already', (bot) => freeze(bot, 'tag:db'), 'restart db-1 web-2'],
])('the next step begins %s', async (_, happens, line) => {
  const policy = policySchema.parse({ grants: [{ to: [`group:${opsGroup}`], can: ['read', 'operate'] }] });
  const { bot } = await underWay({ policy }, line);
  await happens(bot);
  bot.sim.advance(minute);
  await bot.until(() => restarts(bot).length === 2, 'the second restart');
});

test('a step about something that its request does not name waits for everything that the request names', async () => {
  const commands = await replanned(({ steps, ...plan }) => ({
    ...plan,
    steps: steps.map((step) => ({ ...step, target: accountTarget })),
  }));
  const { bot } = await underWay({ process: { commands } });
  await freeze(bot, 'tag:prod');
  bot.sim.advance(minute);
  await bot.settle();
  expect(bot.story()).toContain('because tag:prod is frozen:');
  expect(restarts(bot)).toHaveLength(1);
});
