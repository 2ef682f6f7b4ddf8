import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { isEnd } from '../../src/core/plan/operation.ts';
import { askToStop, confirming, serversOn, stopsOf } from '../support/bot/people.ts';
import { checkOnce } from '../support/process/once.ts';
import { startSystem } from '../support/process/test-system.ts';
import { isNightly } from '../support/suite/seed.ts';
import { kind } from './stage.ts';

// A failing Slack in real time: a whole minute at night, else ten seconds of it.

const seconds = isNightly ? 60 : 10;

kind({
  [`with sockets dropped every second for ${seconds} s under load, no command is lost and none runs twice`]: async ({
    onTestFinished,
  }) => {
    const system = await startSystem({ policy: confirming, provider: { jobMs: 500, seed: { orders: 200 } } });
    onTestFinished(system.close);
    const { sim } = system.slack;
    const perSecond = 2;
    const servers = serversOn(system, seconds * perSecond);
    let drops = 0;
    const dropping = setInterval(() => {
      sim.dropSockets();
      drops += 1;
    }, 1_000);
    onTestFinished(() => clearInterval(dropping));
    let asked = 0;
    const patience = async (server: string, index: number) => {
      await sleep((index / perSecond) * 1_000);
      const channel = await askToStop(system, server);
      // A query in between: each query that Slack accepted is answered once.
      const answers = () => sim.ephemerals('reader').filter((message) => message.channel === channel).length;
      const { error } = await sim.say('reader', channel, '/host version');
      if (error !== null) return;
      asked += 1;
      await system.until(() => answers() > 0, `the answer in ${channel}`, 60_000);
      await sleep(200);
      expect(answers()).toBe(1);
    };
    await Promise.all(servers.map(patience));
    clearInterval(dropping);
    await system.settle(60_000);
    expect(drops).toBeGreaterThanOrEqual(seconds * 0.9);
    expect(asked).toBeGreaterThan(servers.length / 4);
    expect(system.writes().toSorted()).toEqual(stopsOf(servers));
    const requests = await checkOnce(system);
    const done = requests.filter(({ state }) => state === 'done');
    expect(new Set(done.map(({ channel }) => channel)).size).toBe(servers.length);
    expect(done).toHaveLength(servers.length);
    // A command that was repeated while the first one was on its way has a separate card, which nobody confirms.
    const others = requests.filter(({ state }) => state !== 'done');
    expect(others.filter(({ state }) => state !== 'waiting')).toEqual([]);
    const commands = sim
      .outcomes()
      .filter(({ payloadId }) => String(sim.payload(payloadId ?? '')?.body.text).startsWith('stop '));
    expect(others.length).toBeLessThanOrEqual(commands.length - servers.length);
    const redelivered = sim
      .outcomes()
      .filter(({ attempts }) => attempts.some(({ reason }) => reason === 'redelivered'));
    expect(redelivered.length).toBeGreaterThan(0);
  },

  [`messages of jobs that finish while Slack is offline for ${seconds} s are delivered afterwards, in order, once`]:
    async ({ onTestFinished }) => {
      const system = await startSystem({
        policy: confirming,
        provider: { jobMs: { min: 3_600_000, max: 7_200_000 }, seed: { orders: 50 } },
      });
      onTestFinished(system.close);
      const { sim } = system.slack;
      const servers = serversOn(system, 10);
      for (const [index, server] of servers.entries()) {
        await sim.say('operator', '#ops', `/host stop ${server}`);
        await system.until(() => sim.messages('#ops').length === index + 1, `the card of ${server}`);
        await sim.click('operator', { channel: '#ops', isMain: true });
        await system.until(() => system.writes().some((write) => write.includes(server)), `${server} to be sent`);
      }
      await system.until(async () => (await system.store.messages.pending()) === 0, 'the messages before it');
      const before = sim.messages('#ops').length;
      sim.setDown(true);
      const backAt = performance.now() + seconds * 1_000;
      // The bot learns of each end at its next poll.
      system.provider.sim.advance(7_200_000);
      const rows = () => system.store.operations.list({ limit: 100 });
      // A busy machine may need longer than these seconds; Slack stays offline until all jobs have ended.
      await system.until(async () => (await rows()).every(({ state }) => isEnd(state)), 'all jobs to end', 120_000);
      await sleep(Math.max(0, backAt - performance.now()));
      sim.setDown(false);
      const startedAt = performance.now();
      await system.settle(180_000);
      // The messages are old by now, and arrive soon.
      expect(performance.now() - startedAt).toBeLessThan(60_000);
      const ended = await rows();
      const seqs = new Map<string, number>();
      for (const { id } of ended) seqs.set(id, (await system.store.messages.find(`end:${id}`))?.seq ?? 0);
      const inOrder = ended.toSorted((a, b) => (seqs.get(a.id) ?? 0) - (seqs.get(b.id) ?? 0));
      const posted = sim.messages('#ops').slice(before);
      expect(posted.map((message) => sim.plainText(message))).toEqual(
        inOrder.map(({ endText }) => expect.stringContaining(endText ?? '')),
      );
      await checkOnce(system);
      await system.until(() => sim.connections() === 2, 'both sockets');
      expect((await sim.say('operator', '#ops', '/host version')).error).toBeNull();
    },
});
