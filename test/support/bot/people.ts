import { setTimeout as sleep } from 'node:timers/promises';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import type { Form, FormValues } from '../../../src/core/view/form.ts';
import type { View } from '../../../src/core/view/view.ts';
import type { FormAnswer } from '../../../src/engine/context/ports.ts';
import type { TestSystem } from '../process/test-system.ts';
import type { TestBot } from './test-bot.ts';
import { buttonsIn, castsVote, isCalled } from './view-text.ts';

// People who repeat an act until it is stored, while processes are killed and services are away.

export const confirming: Policy = policySchema.parse({
  grants: [{ to: ['everyone'], can: ['read', 'operate'] }],
});

/** Servers that are on, one for each. */
export function serversOn(system: TestSystem, count: number): string[] {
  const servers = [...system.provider.sim.state().orders].filter((order) => order.vps?.power === 'on');
  if (servers.length < count) throw new Error(`${count} servers are wanted, and ${servers.length} are on`);
  return servers.slice(0, count).map(({ id }) => id);
}

export const stopsOf = (servers: readonly string[]): string[] =>
  servers.map((server) => `POST /vps/${server}/stop/`).toSorted();

interface Act {
  readonly who: string;
  /** Its name in the message that it was given up, because two processes were killed while they worked on it. */
  readonly what: string;
  readonly channel: string;
  readonly act: () => Promise<{ readonly error: string | null; readonly ack?: unknown }>;
  readonly isStored: () => Promise<boolean>;
  /** The effect that the person waits for then. */
  readonly isSeen: () => Promise<boolean>;
  readonly withinMs: number;
}

/**
 * Repeats an act that Slack reports as failed if it has no effect after two seconds, since Slack may still deliver the
 * first one after that, and one that the bot has given up.
 */
async function repeat(system: TestSystem, { who, what, channel, act, isStored, isSeen, withinMs }: Act): Promise<void> {
  const { sim } = system.slack;
  const isRefusal = (text: string) => text.includes('Nothing was started');
  const privately = () => sim.ephemerals(who).filter((message) => message.channel === channel);
  const timesGivenUp = () =>
    sim.transcript('dm', who).split(`A request of yours failed (${what})`).length -
    1 +
    privately().filter(({ text }) => isRefusal(text)).length;
  for (;;) {
    const before = timesGivenUp();
    let isTaken = false;
    for (let tries = 0; tries < 60 && !isTaken; tries++) {
      const { error, ack } = await act();
      isTaken = error === null && !isRefusal(JSON.stringify(ack ?? ''));
      for (let looks = 0; looks < 8 && !isTaken; looks++) {
        await sleep(250);
        isTaken = await isStored();
      }
    }
    if (!isTaken) throw new Error(`nobody took it: ${what}`);
    const isOver = async () => (await isSeen()) || (timesGivenUp() > before && !(await isStored()));
    await system.until(
      isOver,
      () =>
        `the effect of ${what}: ${privately()
          .map(({ text }) => text)
          .join(' · ')}`,
      withinMs,
    );
    if (await isSeen()) return;
  }
}

/** The first card that names the server and still offers this vote. It is looked for in Slack: the database may be away. */
function cardOf({ slack, provider }: TestSystem, channel: string, server: string, vote: string) {
  const name = provider.sim.state().orders.find(({ id }) => id === server)?.name ?? server;
  const names = new RegExp(`Stop ${name}(?![-\\w])`);
  return slack.sim
    .messages(channel)
    .find((message) => castsVote(message, vote) && names.test(JSON.stringify(message.blocks)));
}

/** Presses Confirm on the card about the server, if one waits for it. */
export async function confirm(system: TestSystem, channel: string, server: string): Promise<void> {
  const card = cardOf(system, channel, server, 'Confirm');
  if (card === undefined) return;
  await system.slack.sim.click('operator', { channel, isMain: true, ts: card.ts }).catch(() => undefined);
}

export interface Stopping {
  readonly policy?: Policy;
  /** The people who press the buttons of the card. */
  readonly decide?: { readonly by: string; readonly label: 'Confirm' | 'Approve' };
  readonly cardWithinMs?: number;
}

/** Requests a stop in a separate channel and decides it, again after a failure; resolves with the channel. */
export async function askToStop(
  system: TestSystem,
  server: string,
  { policy = confirming, decide = { by: 'operator', label: 'Confirm' }, cardWithinMs = 60_000 }: Stopping = {},
): Promise<string> {
  const { sim } = system.slack;
  const channel = await system.channel(`c-${server}`, policy);
  const rows = () => system.store.operations.list({ channel, limit: 10 });
  const line = `/host stop ${server}`;
  await repeat(system, {
    ...{ who: 'operator', what: line, channel, withinMs: cardWithinMs },
    act: () => sim.say('operator', channel, line),
    isStored: async () => (await rows()).length > 0,
    isSeen: async () => cardOf(system, channel, server, decide.label) !== undefined,
  });
  const target = { channel, isMain: true, ts: cardOf(system, channel, server, decide.label)?.ts ?? '' };
  const isDecided = async () => (await rows()).some(({ state }) => state !== 'waiting');
  await repeat(system, {
    ...{ who: decide.by, what: 'a click', channel, withinMs: cardWithinMs },
    act: () => sim.click(decide.by, target),
    ...{ isStored: isDecided, isSeen: isDecided },
  });
  return channel;
}

/** One of the ways to make a request. */
export interface Asking {
  /** Typed after `/host`, or with `filled` the form that it opens. */
  readonly line?: string;
  /** Slack's own menus: the one of all apps, and the one of a message. */
  readonly shortcut?: Parameters<TestBot['shortcut']>[1];
  /** The button clicked in the modal that the message opened. */
  readonly picked?: string;
  /** The values for the form that the line or the shortcut opens. */
  readonly filled?: FormValues;
  /** The values for the next form. */
  readonly next?: FormValues;
}

/** With the engine alone. A redelivery by Slack has the same id, a repeated act another; messages and modals outlive a process. */
export function retryUntilStored(bot: TestBot) {
  const forms = new Map<string, Form>();
  let shown: FormAnswer | undefined;
  let triggers = 0;
  let presses = 0;

  /** A used trigger opens no other form, so the shortcut is used again. */
  async function use(ask: NonNullable<Asking['shortcut']>): Promise<FormAnswer> {
    if (triggers > 0) shown ??= await bot.shortcut('operator', ask, { id: `used${triggers}` });
    shown ??= await bot.shortcut('operator', ask, { id: `used${++triggers}` });
    if (shown === undefined) throw new Error('a new trigger was taken for one that was here before');
    return shown;
  }

  /** The button under a form that was sent is pressed again, which makes another submission of it. */
  async function send(id: string, who: string, open: () => Promise<Form | View>, values: FormValues) {
    const known = forms.get(id);
    const form = known ?? (await open());
    if (!('id' in form)) throw new Error(`no form to fill in: ${form.summary}`);
    forms.set(id, form);
    const answer = await bot.submit(who, form, values, { id });
    return known === undefined ? answer : bot.submit(who, form, values, { id: `${id} again ${++presses}` });
  }

  async function fillIn(id: string, who: string, open: () => Promise<Form | View>, ...pages: readonly FormValues[]) {
    const [values = {}, ...rest] = pages;
    const after = `${id} after`;
    const answer = rest.length > 0 && forms.has(after) ? undefined : await send(id, who, open, values);
    if (rest.length === 0) return;
    // The bot continued the submission and dropped the session before the second press: then it offered a button
    // instead of the modal.
    const following = async () => (answer?.kind === 'next' ? answer.form : bot.open(who, { button: 'Fill in' }));
    await fillIn(after, who, following, ...rest);
  }

  async function pick(ask: NonNullable<Asking['shortcut']>, label: string): Promise<void> {
    const modal = await use(ask);
    const button =
      'form' in modal ? undefined : modal.view.parts.flatMap(buttonsIn).find((one) => isCalled(one, label));
    if (button === undefined || 'form' in modal || modal.session === undefined) throw new Error(`no button ${label}`);
    const place = { channel: '', kind: 'modal', form: modal.session } as const;
    await bot.click('operator', button, { id: 'asked', place });
  }

  return {
    ask: async ({ line = '', shortcut, picked, filled, next }: Asking): Promise<void> => {
      const open = async () => {
        if (shortcut === undefined) return bot.open('operator', { line });
        const modal = await use(shortcut);
        return 'form' in modal ? modal.form : modal.view;
      };
      if (shortcut !== undefined && picked !== undefined) await pick(shortcut, picked);
      else if (filled !== undefined)
        await fillIn('asked', 'operator', open, filled, ...(next === undefined ? [] : [next]));
      else await bot.say('operator', line, { id: 'asked' });
    },
    fillIn,
  };
}
