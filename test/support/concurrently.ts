import { setTimeout as sleep } from 'node:timers/promises';
import { type Policy, policySchema } from '../../src/core/policy/policy.ts';
import type { TestSystem } from './test-system.ts';
import { castsVote } from './view-text.ts';

/** Many people who request one server each, in separate channels, and do not give up when something is offline. */

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

/**
 * As a person does: repeats an act that Slack reports as failed if it has no effect after two seconds. Slack may
 * still deliver the first one after that.
 */
async function retryWhileAway(
  act: () => Promise<{ error: string | null }>,
  isThere: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    if ((await act()).error === null) return;
    for (let looks = 0; looks < 8; looks++) {
      await sleep(250);
      if (await isThere()) return;
    }
  }
  throw new Error('nobody took it');
}

export interface Stopping {
  readonly policy?: Policy;
  /** The people who press the buttons of the card. */
  readonly decide?: { readonly by: string; readonly label: 'Confirm' | 'Approve' };
  readonly cardWithinMs?: number;
}

/** The number of messages about a request that was given up, because two processes were killed while working on it. */
const timesGivenUp = (system: TestSystem, who: string, what: string): number =>
  system.slack.sim.transcript('dm', who).split(`A request of yours failed (${what})`).length - 1;

/**
 * Presses the main button of the newest card in the channel that waits, if there is one. Notices have colored buttons
 * too, such as "Open it" beside a request that was made twice.
 */
export async function confirm({ slack: { sim } }: TestSystem, channel: string): Promise<void> {
  const card = sim.messages(channel).findLast((message) => castsVote(message, 'Confirm'));
  if (card !== undefined) await sim.click('operator', { channel, isMain: true, ts: card.ts }).catch(() => undefined);
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
  const isAsked = async () => (await rows()).length > 0;
  const isDecided = async () => (await rows()).some(({ state }) => state !== 'waiting');
  // The first card, when a repeated command has a second one.
  const findCard = () => sim.messages(channel).find((message) => castsVote(message, decide.label));
  for (;;) {
    const before = timesGivenUp(system, 'operator', `/host stop ${server}`);
    await retryWhileAway(() => sim.say('operator', channel, `/host stop ${server}`), isAsked);
    const isGivenUp = async () =>
      timesGivenUp(system, 'operator', `/host stop ${server}`) > before && !(await isAsked());
    await system.until(async () => findCard() ?? isGivenUp(), `the card of ${server}`, cardWithinMs);
    if (findCard() !== undefined) break;
  }
  const target = { channel, isMain: true, ts: findCard()?.ts ?? '' };
  for (;;) {
    const before = timesGivenUp(system, decide.by, 'a click');
    await retryWhileAway(() => sim.click(decide.by, target), isDecided);
    const whatCame = async () => {
      if (await isDecided()) return 'decided';
      return timesGivenUp(system, decide.by, 'a click') > before ? 'given up' : undefined;
    };
    const came = await system.until(whatCame, `the decision on ${server}`, cardWithinMs);
    if (came === 'decided') return channel;
  }
}
