import { afterAll, expect, type TestContext, test } from 'vitest';
import type { StepState } from '../../src/core/plan/operation.ts';
import { confirming } from '../support/bot/people.ts';
import { checkOnce, type Tally } from '../support/process/once.ts';
import { startSystem, type TestSystem, type TestSystemOptions } from '../support/process/test-system.ts';
import { sample } from '../support/suite/seed.ts';

/** Tests of one kind, which run at the same time; all of them at night, else the one that the seed selects. */
export function kind(tests: Readonly<Record<string, (context: TestContext) => Promise<void>>>): void {
  for (const [name, tell] of sample(Object.entries(tests))) test.concurrent(name, tell);
}

const tally: Tally = { repeated: 0 };

/** Prints at the end of a file the number of messages that Slack has twice, since the bot was killed before it stored them. */
export function reportRepeated(): void {
  afterAll(() => console.log(`messages that Slack has twice after these crashes: ${tally.repeated}`));
}

/** The simulated Slack and provider with a bot, whose actions need a confirmation; they end with the test. */
export async function openSystem(
  { onTestFinished }: TestContext,
  options: TestSystemOptions = {},
): Promise<TestSystem> {
  const system = await startSystem({ policy: confirming, ...options });
  onTestFinished(system.close);
  return system;
}

/** The simulated Slack and provider with a bot, and the acts of people in #ops. */
export type Stage = Awaited<ReturnType<typeof stageWith>>;

export async function stageWith({ onTestFinished }: TestContext, options: TestSystemOptions = {}) {
  const system = await startSystem(options);
  onTestFinished(system.close);
  const { sim } = system.slack;
  const sees = (words: string) => sim.waitFor(words, { channel: '#ops' });
  /** SIGKILL while something holds up the bot; it is gone when the next process starts. */
  const killed = async (clear: () => void) => {
    const [bot] = system.bots.splice(0);
    await bot?.end('SIGKILL');
    clear();
    await system.start();
  };
  const press = (who: string, button: { readonly isMain: true } | { readonly label: string }) =>
    sim.click(who, { channel: '#ops', ...button });
  return {
    system,
    sim,
    provider: system.provider.sim,
    sees,
    press: (label: string, who = 'operator') => press(who, { label }),
    say: (line: string) => sim.say('operator', '#ops', `/host ${line}`),
    confirm: async () => {
      await sees('[Cancel]');
      return press('operator', { isMain: true });
    },
    approve: async () => {
      await sees('[Approve ');
      return press('lead', { isMain: true });
    },
    /** Killed after `act`, while the provider takes long to say whether a server is on. */
    killedAtLook: async (act: () => Promise<unknown>) => {
      const id = system.provider.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 20_000 });
      await act();
      await killed(() => void system.provider.sim.clearFaults({ id }));
    },
    /** Killed after `act`, while Slack answers these methods with 503 or does something else. */
    killedWithout: async (
      methods: readonly string[],
      act: () => Promise<unknown>,
      fault: { readonly status: number } | { readonly isAnswerLost: true } = { status: 503 },
    ) => {
      const clear = methods.map((method) => sim.fault({ method, ...fault }));
      await act();
      await killed(() => {
        for (const one of clear) one();
      });
    },
    /** Waits until a step of the newest request has this state. */
    step: (state: StepState) =>
      system.until(async () => {
        const [row] = await system.store.operations.list({ limit: 1 });
        return row !== undefined && (await system.store.steps.list(row.id)).some((one) => one.state === state);
      }, `a step that is ${state}`),
    endsWith: (words: string, writes: readonly string[]) => endsWith(system, sees, words, writes),
  };
}

async function endsWith(
  system: TestSystem,
  sees: (words: string) => Promise<unknown>,
  words: string,
  writes: readonly string[],
): Promise<void> {
  await sees(words);
  await system.settle();
  expect(system.writes()).toEqual(writes);
  await checkOnce(system, tally);
}

/** Checks all that must hold after a crash, except the writes, which the test has checked. */
export const holdsOnce = (system: TestSystem) => checkOnce(system, tally);

export const hasForm = ({ system, sim }: Stage, user: string) => system.until(() => sim.view(user)?.submit, 'the form');
