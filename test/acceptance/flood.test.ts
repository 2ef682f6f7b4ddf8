import { test } from 'vitest';
import { startSystem } from '../support/process/test-system.ts';
import { sample } from '../support/suite/seed.ts';

const modes = sample(['socket', 'http'] as const);

/** The commands of the other mode follow when all of this one are acknowledged and wait for the provider only. */
const { promise: isAcknowledged, resolve: acknowledge } = Promise.withResolvers<void>();

test.concurrent.for(modes)(
  'while the provider takes five seconds, 200 commands at once are all acknowledged in time and answered, over %s',
  async (mode, { expect, onTestFinished }) => {
    if (mode !== modes[0]) await isAcknowledged;
    onTestFinished(() => acknowledge());
    const system = await startSystem({ mode });
    onTestFinished(system.close);
    const { sim } = system.slack;
    system.provider.sim.fault({ kind: 'delay', ms: 5_000 });
    const people = ['operator', 'lead', 'reader', 'admin'];
    const servers = ['web-1', 'web-2', 'web-3', 'db-1', 'db-2', 'mail-1', 'vpn-1', 'monitor-1'];
    const lines = Array.from({ length: 200 }, (_, n) => {
      const server = n % 25 === 0 ? servers[n / 25] : undefined;
      return server === undefined ? '/host orders expiring 14d' : `/host restart ${server}`;
    });
    const outcomes = await Promise.all(
      lines.map((line, n) => sim.say(line.includes('restart') ? 'operator' : (people[n % 4] ?? ''), '#ops', line)),
    );
    acknowledge();
    expect(outcomes.filter(({ error }) => error !== null)).toEqual([]);
    expect(Math.max(...outcomes.map(({ ackedMs }) => ackedMs ?? Number.POSITIVE_INFINITY))).toBeLessThan(3_000);
    // Cards are posted in the channel; the answer to a query is private.
    const isAnswer = (text: string) => text.includes('cache-1 · server | ');
    const privately = () => sim.state().ephemerals.map((message) => sim.plainText(message));
    await system.until(() => privately().filter(isAnswer).length >= 192, 'the answers');
    await system.until(() => sim.messages('#ops').length >= 8, 'the cards');
    expect(privately().filter(isAnswer).length).toBe(192);
    const said = sim.messages('#ops').map((message) => sim.plainText(message));
    expect(said.filter((text) => text.includes('[Cancel]')).length).toBe(8);
    expect(said.length).toBe(8);
    // A person who waits longer gets one message about that, and nothing else.
    for (const text of privately()) if (!isAnswer(text)) expect(text).toContain('still waiting for it');
    expect(sim.requests().filter(({ ok }) => !ok)).toEqual([]);
  },
);
