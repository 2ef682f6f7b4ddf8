import { test as base, beforeAll } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import type { OperationState } from '../../src/core/plan/operation.ts';
import { type Policy, policySchema } from '../../src/core/policy/policy.ts';
import { people } from '../support/bot/fake-slack.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot/test-bot.ts';
import { pressAndSettle, requested } from './told.ts';

/** A request right before its decision, for tests of its start. */

/** The rules of a channel in which everybody may operate. */
export const rules = (disruptive: object | string, more: object = {}): Policy =>
  policySchema.parse({
    grants: [{ to: ['everyone'], can: ['read', 'operate'] }],
    rules: { disruptive, dangerous: 'confirm' },
    ...more,
  });

/** A bot with one request, which waits for its decision. */
export async function asked(options: TestBotOptions = {}, line = 'restart web-1') {
  const bot = await requested(line, options);
  return { bot, ...(await newest(bot)) };
}

/** Tests that begin with such a bot and request. */
export const test = base
  .extend('asked', () => asked())
  .extend('bot', ({ asked: { bot } }) => bot)
  .extend('id', ({ asked: { id } }) => id)
  .extend('row', ({ asked: { row } }) => row)
  .extend('wake', ({ asked: { wake } }) => wake);

/** A bot with one request, whose first server is being restarted; the job of the simulator ends when the test says so. */
export async function underWay(options: TestBotOptions = {}, line = 'restart web-1 web-2') {
  const all = await asked({ ...options, provider: { jobMs: 60_000, ...options.provider } }, line);
  await all.bot.press('operator', 'Confirm');
  await all.bot.until(() => all.bot.story().includes('· accepted'), 'the first step');
  return all;
}

/** The newest request. */
export async function newest(bot: TestBot) {
  const [row] = await bot.store.operations.list({ limit: 1 });
  const id = row?.id ?? '';
  return { id, wake: () => bot.replicas[0]?.wake(id), row: async () => bot.store.operations.find(id) };
}

/** Requests what the line says, presses the button of its card, and waits until only people are waited for. */
export async function decide(bot: TestBot, line: string, by = 'operator', label = 'Confirm'): Promise<void> {
  await bot.say('operator', line);
  await pressAndSettle(bot, by, label);
}

/** Confirms the request and moves it through these states, as a process does that is killed afterwards. */
export async function moveThrough({ store }: TestBot, id: string, ...states: OperationState[]): Promise<void> {
  await store.votes.cast({ operationId: id, userId: people.operator ?? '', vote: 'confirm' });
  for (const [n, to] of states.entries()) await store.operations.move(id, states[n - 1] ?? 'waiting', to);
}

/** The same, and its turn is over with the process: no turn sees a state in between. */
export async function moveRow(bot: TestBot, id: string, ...states: OperationState[]): Promise<void> {
  const { turns } = bot.store;
  if ((await turns.claim(id, 'the test', 60_000)) === undefined) throw new Error('a turn is under way');
  await moveThrough(bot, id, ...states);
  await turns.giveBack(id, 'the test', { dueAt: bot.now() });
}

/** Slack does not list the members of groups until the returned function is called, which gives the number of questions. */
export function withoutGroups({ directory }: TestBot): () => number {
  const { groupMembers } = directory;
  let asks = 0;
  Object.assign(directory, {
    groupMembers: async () => {
      asks += 1;
      throw new Error('ratelimited');
    },
  });
  return () => {
    Object.assign(directory, { groupMembers });
    return asks;
  };
}

/** One bot for all tests of a file. */
export function sharedBot(options: TestBotOptions = {}): () => TestBot {
  let bot: TestBot | undefined;
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = [];
    bot = await startTestBot({ ...options, atEnd: (close) => void ends.push(close) });
    return () => Promise.all(ends.map((close) => close()));
  });
  return () => {
    if (bot === undefined) throw new Error('the bot has not started');
    return bot;
  };
}

type Action = Extract<Awaited<ReturnType<typeof loadCommands>>[number], { kind: 'action' }>;
type Plan = Awaited<ReturnType<ReturnType<Action['prepare']>['plan']>>;

/** The commands, with this change to each plan of a restart; `n` counts the plans. */
export async function replanned(change: (plan: Plan, n: number) => Plan) {
  let plans = 0;
  return (await loadCommands()).map((command) => {
    if (command.kind !== 'action' || command.path !== 'restart') return command;
    const prepare: typeof command.prepare = (raw, reading) => {
      const prepared = command.prepare(raw, reading);
      return { ...prepared, plan: async (context) => change(await prepared.plan(context), plans++) };
    };
    return { ...command, prepare };
  });
}

type Call = (...given: never[]) => Promise<unknown>;

/** The first of these calls of the store fail, as often as `times` says. Returns the number of these calls so far. */
export function failing<K extends PropertyKey, T extends Record<K, Call>>(
  rows: T,
  name: K,
  isIt: (...given: Parameters<T[K]>) => boolean,
  { times = 1, error = new Error('a hiccup') } = {},
): () => number {
  const method: Call = rows[name];
  let calls = 0;
  const call = async (...given: Parameters<T[K]>) => {
    if (isIt(...given) && ++calls <= times) throw error;
    return method(...given);
  };
  Object.assign(rows, { [name]: call });
  return () => calls;
}

/** The waits in ms that the turns of a request ask for. */
export function waitsOf(bot: TestBot, id: string): readonly number[] {
  const { giveBack } = bot.store.turns;
  const waits: number[] = [];
  bot.store.turns.giveBack = async (...given) => {
    const [, , { dueAt }] = given;
    // The moment counts from the end of the turn, some milliseconds ago.
    if (given[0] === id && dueAt !== null) waits.push(Math.round((dueAt - bot.now()) / 100) * 100);
    return giveBack(...given);
  };
  return waits;
}

/** Makes something happen at the moment of the approval, before the second check. */
export function onceApproved(bot: TestBot, happens: () => unknown): void {
  const { move } = bot.store.operations;
  bot.store.operations.move = async (id, from, to, ...rest) => {
    if (to === 'approved') await happens();
    return move(id, from, to, ...rest);
  };
}

/** Makes something happen once, after the last check and right before the write, when the audit entry is written. */
export function beforeTheWrite(bot: TestBot, happens: () => unknown): void {
  const { audit } = bot.store;
  const { append } = audit;
  let hasHappened = false;
  audit.append = async (entry) => {
    if (entry.kind === 'call' && !hasHappened) {
      hasHappened = true;
      await happens();
    }
    return append(entry);
  };
}
