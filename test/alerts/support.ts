import { createHash } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import type { HookKind } from '../../src/core/alert/alert.ts';
import { subscriptionSchema } from '../../src/core/alert/alert-subscription.ts';
import { createHookRoutes } from '../../src/http/hook-routes.ts';
import { openServer } from '../../src/http/server.ts';
import { confirm } from '../engine/told.ts';
import { ops, people } from '../support/bot/fake-slack.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot/test-bot.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

type Wish = { on?: string[]; at?: number[]; ping?: object };

/** A bot whose channel subscribes to these rules, with a clock that the test moves. */
export async function openWatch(
  rules: Readonly<Record<string, Wish>>,
  options: TestBotOptions & { settings?: object } = {},
) {
  const { settings = {}, ...more } = options;
  const bot = await startTestBot({ config: { publicUrl: 'http://hostler' }, ...more });
  await subscribe(bot, rules, settings);
  return {
    ...bot,
    /** Runs a sweep now, until its messages are delivered. */
    sweep: async (replica = 0) => {
      await bot.replicas[replica]?.sweepAlerts();
      await delivered(bot);
    },
    /** Lets time pass, then runs a sweep. */
    later: async (ms: number, replica = 0) => {
      await bot.pass(ms);
      await bot.replicas[replica]?.sweepAlerts();
      await delivered(bot);
    },
    /** The messages of alerts only, without the cards of requests. */
    alerts: () => bot.posted.filter((message) => message.key.startsWith('alert:')),
    /** The text without times and ids. */
    story: () => tidy(bot.transcript()),
    delivered: () => delivered(bot),
  };
}
export type Watch = Awaited<ReturnType<typeof openWatch>>;

/** Runs a sweep every minute, by the replicas in turn. */
export async function minutes(bot: Watch, n: number) {
  for (let passed = 0; passed < n; passed++) await bot.later(minute, passed % bot.replicas.length);
}

/** The server is turned on or off by hand, and sweeps follow. */
export async function turn(bot: Watch, state: 'on' | 'off', { order = '34-12346', n = 6 } = {}) {
  bot.sim.power({ order, state });
  await minutes(bot, n);
}

/** db-1 was on and is off, and the channel knows it. */
export async function offByHand(options: Parameters<typeof openWatch>[1] = {}) {
  const bot = await openWatch({ power: { on: ['order:34-12346'] } }, options);
  await bot.sweep();
  await turn(bot, 'off');
  expect(bot.alerts()[0]?.view.summary).toBe('🔴 db-1 is off');
  return bot;
}

/** Asks, confirms and waits for the end. */
export const confirmed = (bot: TestBot, line: string, user = 'operator') => confirm(bot, user, line);

export async function subscribe(
  bot: Pick<TestBot, 'store' | 'channels'>,
  rules: Readonly<Record<string, Wish>>,
  { channel = ops, ...settings }: { channel?: string } = {},
) {
  const known = bot.channels.get(ops);
  if (known !== undefined && channel !== ops) bot.channels.set(channel, { ...known, id: channel, name: 'other' });
  await bot.store.values.change('subscription', channel, (before) =>
    subscriptionSchema.parse({ rules, ...settings, version: (before?.version ?? 0) + 1 }),
  );
}

async function delivered(bot: TestBot): Promise<void> {
  await bot.until(async () => (await bot.store.messages.pending()) === 0, 'the messages to be delivered');
}

/** The text without parts that differ from run to run, and without the hint how to type it. */
export function tidy(transcript: string): string {
  return transcript.replace(/(?<!`)`(?!`)/g, '').replace(/\d{4}-\d\d-\d\d( \d\d:\d\d( UTC)?)?/g, '‹date›');
}

/** The hooks over HTTP, as main serves them. */
export async function openHooks(bot: TestBot, replica = 0) {
  const running = bot.replicas[replica];
  if (running === undefined) throw new Error('no replica');
  const server = await openServer(createHookRoutes(running), { port: 0, host: '127.0.0.1' }, (error) =>
    bot.log.push(`http ${error}`),
  );
  onTestFinished(() => server.close(0));
  const post = async (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', body, headers });
    return { status: response.status, body: await response.json() };
  };
  return { post, port: server.port };
}

/** A hook without the conversation that makes one. */
export async function makeHookAlone(bot: TestBot, kind: HookKind): Promise<{ id: string; url: string }> {
  const secret = `secret-of-${kind}`;
  const id = 'abcdefgh';
  const tokenHash = createHash('sha256').update(secret).digest('hex');
  await bot.store.hooks.add({ id, kind, name: kind, channel: ops, tokenHash, createdBy: people.admin ?? '' });
  return { id, url: `/hooks/${kind}/${id}.${secret}` };
}

/** An admin makes a hook in the channel and reveals its address; the path of it. */
export async function makeHook(bot: TestBot, kind: string, name = kind): Promise<string> {
  await confirm(bot, 'admin', `alerts hook add ${kind} ${name}`);
  const form = await bot.open('admin', { button: 'Reveal once' });
  if (!('code' in form) || form.code === undefined) throw new Error('nothing was revealed');
  return new URL(form.code).pathname;
}

/** A bot without subscriptions, and such a hook of its channel. */
export async function openHooked(kind: HookKind, options: TestBotOptions = {}) {
  const bot = await openWatch({}, options);
  const { post } = await openHooks(bot);
  const { id, url } = await makeHookAlone(bot, kind);
  return { bot, id, post: (body: string) => post(url, body) };
}

/** Presses a button and waits until what it changes is delivered. */
export async function pressAndDeliver(bot: Watch, ...given: Parameters<Watch['press']>): Promise<void> {
  await bot.press(...given);
  await bot.delivered();
}

/** Waits until the messages of alerts that were posted are drawn and delivered. */
export async function drawn(bot: Watch): Promise<void> {
  await bot.until(async () => (await bot.store.alerts.busyChannels(bot.now())).length === 0, 'the drawings');
  await bot.delivered();
}
