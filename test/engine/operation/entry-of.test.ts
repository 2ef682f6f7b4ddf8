import { expect, onTestFinished, test, vi } from 'vitest';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { killAfterWrite } from '../../support/bot/kill-after-write.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';
import { decide, newest } from '../asked.ts';

// A change and the audit entry about it are one commit: a process that is killed leaves both or neither.

const minute = 60_000;
type Store = TestBot['store'];

interface Case extends TestBotOptions {
  readonly kind: string;
  /** The method of the store that makes the change. */
  readonly method: string;
  readonly before?: (bot: TestBot) => Promise<unknown>;
  readonly act: (bot: TestBot) => Promise<unknown>;
  readonly changes: (store: Store) => Promise<number>;
}

const say = (line: string) => (bot: TestBot) => bot.say('operator', line);
const press = (label: string) => (bot: TestBot) => bot.press('operator', label);
type Row = Awaited<ReturnType<Store['operations']['list']>>[number];
const requests = (isSo: (row: Row, now: number) => boolean) => async (store: Store) =>
  (await store.operations.list({ limit: 9 })).filter((row) => isSo(row, Date.now())).length;

/** Holds the request, since the machine slept after its vote was stored. */
async function hold(bot: TestBot): Promise<void> {
  await bot.say('operator', 'restart web-1');
  const userId = people.operator ?? '';
  await bot.store.votes.cast({ operationId: (await newest(bot)).id, userId, vote: 'confirm' });
  bot.skip(20 * minute);
  await bot.replicas[0]?.sweep();
  await bot.until(() => bot.story().includes('Continue'), 'the hold');
}

/** One of two approvals is void, since its person has left the group. */
async function leaveGroup(bot: TestBot): Promise<void> {
  bot.groups.get(opsGroup)?.add(people.reader ?? '');
  await bot.say('operator', 'restart web-1');
  await bot.press('reader', 'Approve');
  bot.groups.get(opsGroup)?.delete(people.reader ?? '');
}

const usual = usualPolicy(opsGroup);
const two = { approve: 2, by: [`group:${opsGroup}` as const], typed: false, reason: false };
const confirm = press('Confirm');
const cases: Readonly<Record<string, Case>> = {
  'a request is scheduled': {
    ...{ kind: 'scheduled', method: 'move', before: say('restart web-1 in 5h'), act: confirm },
    changes: requests(({ state }) => state === 'scheduled'),
  },
  'a request is moved to another hour': {
    ...{ kind: 'moved', method: 'reschedule', before: (bot) => decide(bot, 'restart web-1 in 5h') },
    act: async (bot) => {
      const form = await bot.open('operator', { button: 'Move…' });
      return bot.submit('operator', form, { '@at': new Date(bot.now() + 7 * 60 * minute).toISOString() });
    },
    changes: requests(({ startsAt }, now) => (startsAt ?? 0) > now + 6 * 60 * minute),
  },
  'a request becomes a standing approval': {
    ...{ kind: 'standing', method: 'move', act: confirm },
    before: say('restart web-1 every="daily 03:00" until="in 10 days" runs=2'),
    changes: requests(({ state }) => state === 'standing'),
  },
  'a request begins': {
    ...{ kind: 'started', method: 'move', before: say('restart web-1'), act: confirm },
    changes: requests(({ startedAt }) => startedAt !== null),
  },
  'a request is stopped': {
    ...{ kind: 'stop', method: 'stop', before: hold, changes: requests(({ stopBy }) => stopBy !== null) },
    act: async (bot) => {
      const { id } = await newest(bot);
      return bot.click('operator', { label: 'Stop', intent: { do: 'vote', operation: id, vote: 'stop' } });
    },
  },
  'a held request is continued': {
    ...{ kind: 'continued', method: 'release', before: hold, act: press('Continue') },
    changes: requests(({ continuedAt }) => continuedAt !== null),
  },
  'a vote no longer counts': {
    ...{ kind: 'vote_void', method: 'void', before: leaveGroup, act: (bot) => bot.press('lead', 'Approve') },
    policy: { ...usual, rules: { ...usual.rules, disruptive: two } },
    changes: async ({ votes, operations }) => {
      const [row] = await operations.list({ limit: 1 });
      return (await votes.list(row?.id ?? '')).filter(({ isVoid }) => isVoid).length;
    },
  },
  'targets are frozen': {
    ...{ kind: 'freeze', method: 'add', act: say('freeze tag:web "release"') },
    changes: async ({ freezes }) => (await freezes.active(0)).length,
  },
};

const names = Object.keys(cases);
const whens = names.flatMap((name) => ['as', 'right after'].map((when) => [when, name] as const));
test.each(whens)('a process that is killed %s %s leaves the change with its entry, or neither', async (when, name) => {
  // The queue of a killed process says on the console that its database is gone.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  const { kind, method, before, act, changes, ...options } = cases[name] as Case;
  const entry = `append .*"kind":"${kind}"`;
  const mortal = killAfterWrite(1, new RegExp(when === 'as' ? `^(${entry}|${method} )` : `^${entry}`));
  const bot = await startTestBot({ ...options, process: { mortal } });
  await before?.(bot);
  mortal.begin();
  act(bot).catch(() => {});
  await mortal.died;
  const { store } = await bot.openReplica();
  const entries = await store.audit.list({ kind, limit: 9 });
  expect(entries.length).toBe(await changes(store));
  if (when === 'right after') expect(entries).toHaveLength(1);
});
