import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test, vi } from 'vitest';
import type { FaultInput } from '../../sandbox/provider/faults.ts';
import { defined } from '../../src/core/text/defined.ts';
import type { FormValues } from '../../src/core/view/form.ts';
import type { Button } from '../../src/core/view/view.ts';
import { needsReply } from '../support/bot/end-told.ts';
import { ops } from '../support/bot/fake-slack.ts';
import { killAfterWrite, type WriteKiller } from '../support/bot/kill-after-write.ts';
import { machineOf } from '../support/bot/machine.ts';
import { openOperations } from '../support/bot/open-operations.ts';
import { type Asking, retryUntilStored } from '../support/bot/people.ts';
import { startTestBot, type TestBot } from '../support/bot/test-bot.ts';
import { hasAllTests, seed } from '../support/suite/seed.ts';

/**
 * The process is killed after each single write, and another continues from the rows. After any of the writes, each
 * call was sent once, every message is posted, and the audit has every entry once. A request that was stored is not
 * requested again; one that was not, Slack delivers again. Every other time the next process is killed as well, soon
 * after it has finished the requests that it found: a request that two processes died of is given up, which
 * test/attacks/no-input-blocks.test.ts tests. HOSTLER_KILLS=all kills after every write, both once and twice; the default
 * is every 24th of every other scenario, beginning with another one each time; HOSTLER_KILLS_FROM repeats a beginning.
 */

const stride = process.env.HOSTLER_KILLS === 'all' ? 1 : 24;
const first = Number(process.env.HOSTLER_KILLS_FROM ?? seed % stride);

/** The number of writes of each process before its kill; the first is killed after its nth. */
function kills(n: number): number[][] {
  const [once, twice] = [[n], [n, 1 + (n % 7)]];
  if (stride === 1) return [once, twice];
  return [(Math.floor(n / stride) + first) % 2 === 0 ? once : twice];
}

interface Scenario extends Asking {
  readonly press?: readonly [who: string, label: string];
  /** Pressed on the card that replaces the first, after the first has lost its buttons. */
  readonly andThen?: readonly [who: string, label: string];
  /** The values for the form that the button opens. */
  readonly form?: FormValues;
  readonly fault?: FaultInput;
  /** Whether a name leads to two servers. */
  readonly isShared?: true;
  /** Asked through a token, with the same key after each kill. */
  readonly isOfMachine?: true;
  /** Words that may replace the form of a modal: after a kill the person may have no open modal. */
  readonly inPlace?: RegExp;
}

const confirm = ['operator', 'Confirm'] as const;
const restart = { match: 'POST /vps/{order_id}/restart/', times: 1 };
const refusal = { status: 409, body: { detail: 'Another operation is in progress.' } };
const scenarios: Readonly<Record<string, Scenario>> = {
  'confirmed and done': { line: 'restart web-1', press: confirm },
  'approved by another': { line: 'hard-reset web-1', press: ['lead', 'Approve'] },
  'two servers, one after the other': { line: 'restart web-1 web-2', press: confirm },
  'a plan of three': {
    line: 'restart web-1 then dns set example.com www A 192.0.2.77 then stop web-2',
    press: ['operator', 'Run 3 steps'],
  },
  'the answer is lost': { line: 'restart web-1', press: confirm, fault: { kind: 'lose', ...restart } },
  'the provider says no': { line: 'restart web-1', press: confirm, fault: { kind: 'answer', ...refusal, ...restart } },
  withdrawn: { line: 'restart web-1', press: ['operator', 'Withdraw'] },
  'replaced by the same, one at a time': {
    line: 'restart web-1 web-2 --parallel 2',
    isShared: true,
    press: ['operator', 'One at a time'],
    andThen: confirm,
  },
  declined: { line: 'hard-reset web-1', press: ['lead', 'Decline…'], form: { words: 'not today' } },
  'approved with its name': { line: 'cancel web-1', press: ['lead', 'Approve'], form: { words: 'web-1' } },
  'asked in a form': { line: 'restart', filled: { servers: 'web-1' }, press: confirm },
  'asked of nobody': { line: 'freeze here "release"' },
  'asked by a machine': { line: 'restart web-1', isOfMachine: true, press: confirm },
  'asked with the global shortcut': {
    shortcut: { kind: 'ask' },
    filled: { channel: ops, line: '/host restart web-1' },
    press: confirm,
  },
  'asked with the global shortcut, which opens another form': {
    shortcut: { kind: 'ask' },
    filled: { channel: ops, line: 'restart' },
    next: { servers: 'web-1' },
    press: confirm,
    inPlace: /^\(only @operator\) restart also needs servers: .*\n.*\n\[Fill in\]\n/gm,
  },
  'asked of a message': {
    shortcut: { kind: 'about', text: 'ALERT disk almost full on 192.0.2.10' },
    picked: 'Restart',
    press: confirm,
  },
};

const isQuick = stride > 1 && !hasAllTests;
const names = Object.keys(scenarios).filter((_, n) => !isQuick || n % 2 === first % 2);

/** Runs the scenario, with another process after each kill. Slack delivers unacknowledged payloads again. */
async function live(bot: TestBot, [begun, ...rest]: readonly WriteKiller[], scenario: Scenario): Promise<Outcome> {
  const { press, form, andThen } = scenario;
  let button: Button | undefined;
  let second: Button | undefined;
  const person = retryUntilStored(bot);
  const machine = scenario.isOfMachine && (await machineOf(bot));
  begun?.begin();
  const acts = [
    async () => {
      if (machine === undefined) return person.ask(scenario);
      const { status, body } = await machine.run(scenario.line ?? '', { key: 'deploy-41' });
      if (status !== 202) throw new Error(`the machine got ${JSON.stringify(body)}`);
    },
    ...(press === undefined
      ? []
      : [
          () => bot.until(() => bot.hasButton(press[1]), 'the card'),
          async () => {
            button ??= bot.findButton(press[1]).button;
            if (form === undefined) await bot.click(press[0], button, { id: 'pressed' });
            else await person.fillIn('pressed', press[0], () => bot.open(press[0], { button: press[1] }), form);
          },
        ]),
    ...(press === undefined || andThen === undefined
      ? []
      : [
          () => bot.until(() => !bot.hasButton(press[1]) && bot.hasButton(andThen[1]), 'the other card'),
          async () => {
            second ??= bot.findButton(andThen[1]).button;
            await bot.click(andThen[0], second, { id: 'pressed then' });
          },
        ]),
  ];
  const end = async (): Promise<Outcome> => {
    await bot.until(
      async () =>
        (await bot.store.inbox.unfinished(1, 3_600_000)).length === 0 && (await openOperations(bot.store)).length === 0,
      'its end',
    );
    await bot.settle();
    return outcomeOf(bot, scenario);
  };
  let mortal = begun;
  const survive = async <T>(act: () => Promise<T>): Promise<T> => {
    for (;;) {
      const life = mortal;
      if (life === undefined) return act();
      const done = act().then(
        (value) => ({ value }),
        (error: unknown) => {
          if (!life.isDead()) throw error;
        },
      );
      const answer = await Promise.race([done, life.died]);
      if (answer !== undefined && !life.isDead()) return answer.value;
      mortal = rest.shift();
      await bot.crash(mortal);
      // The next round would come in a second; it fails when its process is killed.
      bot.replicas[0]?.sweep().catch(() => {});
      // The start fails when the test is over before that.
      if (mortal !== undefined) beginAfterRequests(bot, mortal).catch(() => {});
    }
  };
  for (const act of acts) await survive(act);
  return survive(end);
}

async function beginAfterRequests(bot: TestBot, life: WriteKiller): Promise<void> {
  while ((await bot.store.inbox.unfinished(1, 3_600_000)).length > 0) await sleep(20);
  life.begin();
}

interface Outcome {
  readonly story: string;
  readonly audit: string;
  readonly writes: string;
  /** Killed between the record of a write and its call, or before its answer was stored: the end calls it unknown. */
  readonly isLost: boolean;
  readonly left: string;
}

async function outcomeOf(bot: TestBot, { inPlace = /$^/ }: Scenario): Promise<Outcome> {
  const lines = await bot.store.audit.list({ limit: 500 });
  const locks = await bot.store.locks.list();
  const { ok } = await bot.store.audit.verify();
  const untold = await endsToldWrongly(bot);
  return {
    story: [...new Set(bot.posted.map(({ channel }) => channel))]
      .map(bot.story)
      .join('\n')
      .replace(inPlace, '')
      // After a crash an end comes a minute later, and then mentions the requester.
      .replace(/^( *)@operator /gm, '$1'),
    audit: lines
      .map(({ kind, actor }) => `${kind} ${actor}`)
      .toSorted()
      .join('\n'),
    writes: bot.writes().join('\n'),
    isLost: lines.some(({ kind }) => kind === 'lost'),
    left: [
      ...locks.map(({ reason }) => reason),
      ...(ok ? [] : ['a broken chain']),
      ...untold,
      ...bot.log.filter((line) => line.startsWith('error')),
    ].join('\n'),
  };
}

/** Returns the ends that have more than one reply, or none. */
async function endsToldWrongly({ store, posted }: TestBot): Promise<string[]> {
  const rows = await store.operations.list({ limit: 50 });
  return rows.flatMap((row) => {
    const replies = posted.filter(({ key }) => key === `end:${row.id}`).length;
    return replies === (needsReply(row) ? 1 : 0) ? [] : [`${row.command} has ${replies} replies`];
  });
}

async function runScenario(scenario: Scenario, lives: readonly WriteKiller[]): Promise<Outcome> {
  const [mortal] = lives;
  const bot = await startTestBot({
    process: { timeScale: 0.001, ...defined({ mortal }) },
    // The bot is closed below.
    atEnd: () => {},
  });
  if (scenario.fault !== undefined) bot.sim.fault(scenario.fault);
  if (scenario.isShared)
    bot.sim.records({ domain: 'example.com', add: [{ host: 'shop', type: 'A', value: '192.0.2.10' }] });
  try {
    return await live(bot, lives, scenario);
  } finally {
    await bot.close();
  }
}

/** The difference from an undisturbed run; undefined if they are equal. */
function difference(whole: Outcome, found: Outcome): string | undefined {
  if (found.left !== '') return found.left;
  if (!found.isLost) {
    if (found.audit !== whole.audit) return found.audit;
    if (found.writes !== whole.writes) return found.writes;
    return found.story === whole.story ? undefined : found.story;
  }
  // A write that was recorded and perhaps never sent is not sent again, and later steps are skipped.
  const isSentOnce = whole.writes.startsWith(found.writes);
  const own = (audit: string) => audit.replace(/^(call|lost|freeze) .*\n/gm, '');
  if (!isSentOnce || own(found.audit) !== own(whole.audit)) return `${found.writes}\n${found.audit}`;
  // Before a third process announces the loss, reading may have found the result.
  if (found.story === whole.story) return undefined;
  return /^( *)! .*may have begun\. Not retried.*\n\1\S/m.test(found.story) ? undefined : found.story;
}

describe('a request whose process is killed after any write', () => {
  test.concurrent.for(names)(
    'the request ends as without the kill: %s',
    { timeout: 600_000 },
    async (name, { expect }) => {
      // The queue of a killed process says on the console that its database is gone.
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const scenario = scenarios[name];
      if (scenario === undefined) throw new Error(name);
      const immortal = killAfterWrite();
      const whole = await runScenario(scenario, [immortal]);
      const differences: string[] = [];
      const killed: WriteKiller[] = [];
      for (let n = 1 + (first % Math.min(stride, immortal.writes())); n <= immortal.writes(); n += stride) {
        for (const writes of kills(n)) {
          const lives = writes.map((after) => killAfterWrite(after));
          const found = await runScenario(scenario, lives).then(
            (outcome) => difference(whole, outcome),
            (error: unknown) => (error instanceof Error ? error.message : String(error)),
          );
          killed.push(...lives.filter((life) => life.isDead()));
          const last = lives.map((life, at) => `${writes[at]}, ${life.last()}`).join('\n  and then ');
          if (found !== undefined) differences.push(`killed after write ${last}\n${found}`);
        }
      }
      console.log(`${name}: killed ${killed.length} times; undisturbed it writes ${immortal.writes()} times`);
      expect(killed.length).toBeGreaterThan(0);
      expect(
        differences,
        `of ${immortal.writes()} writes, HOSTLER_KILLS_FROM=${first}\n${whole.audit}\n${whole.story}`,
      ).toEqual([]);
    },
  );
});
