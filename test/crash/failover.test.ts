import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { freePort } from '../../sandbox/free-port.ts';
import { askToStop, confirm, confirming, serversOn, stopsOf } from '../support/bot/people.ts';
import { granting } from '../support/bot/policy.ts';
import { freshDatabase } from '../support/database/databases.ts';
import type { BotProcess } from '../support/process/bot-process.ts';
import { checkOnce } from '../support/process/once.ts';
import { openProxy } from '../support/process/tcp-proxy.ts';
import { opsGroup, startSystem, type TestSystem } from '../support/process/test-system.ts';
import { startPostgres } from '../support/suite/postgres-server.ts';
import { counted, report } from '../support/suite/report.ts';
import { isNightly } from '../support/suite/seed.ts';
import { kind } from './stage.ts';

// Failures that affect several replicas: the connection to the database, its server, and time.

const ownClock = { NODE_OPTIONS: `--import=${new URL('drill-clock.ts', import.meta.url)}` };
const cuttingMs = isNightly ? 30_000 : 5_000;

const speakTo = ({ slack }: TestSystem, bot: BotProcess) =>
  slack.sim.setRequestUrl(`http://127.0.0.1:${bot.port}/slack/events`);

async function isFrozen({ pid }: BotProcess): Promise<boolean> {
  return / T /.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
}

kind({
  'two replicas with clocks 90 s apart, one frozen for six minutes, and connections cut every 50 ms: each call is sent once':
    async (context) => {
      const database = await freshDatabase('postgres');
      const direct = new URL(database.url);
      const proxy = await openProxy(Number(direct.port));
      context.onTestFinished(proxy.close);
      const behind = new URL(direct);
      behind.port = String(proxy.port);
      const frozen = '34-10001';
      const system = await startSystem({
        database,
        engine: 'postgres',
        mode: 'http',
        policy: confirming,
        provider: { jobMs: 200, seed: { orders: 60 } },
        env: { ...ownClock, DATABASE_URL: behind.href, DRILL_FREEZE_AT: `/api/vps/${frozen}/restart/` },
      });
      context.onTestFinished(system.close);
      const first = system.bots[0];
      if (first === undefined) throw new Error('a bot was started');
      const ahead = await system.start({ DRILL_AHEAD_MS: '90000' });
      const servers = serversOn(system, 20).filter((id) => id !== frozen);

      // Requests on both, at the same time.
      const four = servers.splice(0, 4);
      let turn = 0;
      const alternating = setInterval(() => speakTo(system, turn++ % 2 === 0 ? first : ahead), 100);
      await Promise.all(four.map((server) => askToStop(system, server)));
      clearInterval(alternating);
      await system.settle(60_000);
      expect(system.writes().toSorted()).toEqual(stopsOf(four));
      const tally = { repeated: 0 };
      await checkOnce(system, tally, { hasOneClock: false });
      expect(tally.repeated).toBe(0);
      const skewOf = async ({ get }: BotProcess) =>
        Number(/^hostler_clock_skew_seconds (\S+)/m.exec((await get('/metrics')).text)?.[1]);
      expect(Math.abs((await skewOf(ahead)) - 90)).toBeLessThan(10);
      expect(Math.abs(await skewOf(first))).toBeLessThan(10);

      // The step is recorded as sent, and the process frozen before the first byte. The other replica reported the loss.
      speakTo(system, first);
      const channel = await system.channel('frozen', confirming);
      await system.slack.sim.say('operator', channel, `/host restart ${frozen}`);
      await system.slack.sim.waitFor('[Cancel]', { channel });
      await system.slack.sim.click('operator', { channel, isMain: true });
      // Either replica may take the turn, not only the one that received the click.
      const frozenBot = async () => ((await isFrozen(first)) ? first : (await isFrozen(ahead)) ? ahead : undefined);
      const stopped = await system.until(frozenBot, 'the process to freeze');
      speakTo(system, stopped === first ? ahead : first);
      const ofRestart = async () => (await system.store.operations.list({ channel, limit: 1 }))[0];
      // The lease of the frozen process expires.
      await database.run(`update operations set turn_until = 0 where id = '${(await ofRestart())?.id}'`);
      await system.until(async () => (await ofRestart())?.state === 'reading', 'the other one to take over');
      process.kill(stopped.pid, 'SIGCONT');
      await system.until(async () => (await ofRestart())?.endedAt !== null, 'its end');
      expect((await ofRestart())?.state).toBe('failed');
      expect(system.writes()).toHaveLength(four.length);
      await system.settle(60_000);
      expect(system.slack.sim.transcript(channel)).toMatch(
        /not sent, because the bot was suspended for too long|no connection within/,
      );
      const three = servers.splice(0, 3);
      const channels = await Promise.all(three.map((server) => system.channel(`c-${server}`, confirming)));
      let cuts = 0;
      const cutting = setInterval(() => {
        cuts += proxy.cut();
      }, 50);
      const until = performance.now() + cuttingMs;
      const { sim } = system.slack;
      const rowsOf = (id: string) => system.store.operations.list({ channel: id, limit: 10 });
      const hasDone = (rows: readonly { state: string }[]) => rows.some(({ state }) => state === 'done');
      const areDone = async () => (await Promise.all(channels.map(rowsOf))).every(hasDone);
      let isOver = false;
      context.onTestFinished(() => {
        isOver = true;
      });
      // People ask again when they read that nothing was started.
      const decide = async (id: string, server: string) => {
        while (!isOver) {
          const rows = await rowsOf(id);
          if (hasDone(rows)) return;
          const [row] = rows;
          if (row === undefined || row.state === 'failed' || row.state === 'refused')
            await sim.say('operator', id, `/host stop ${server}`);
          else if (row.state === 'waiting') await confirm(system, id, server);
          await sleep(1_000);
        }
      };
      const decided = Promise.all(channels.map((id, index) => decide(id, three[index] ?? '')));
      while (performance.now() < until) await sleep(100);
      clearInterval(cutting);
      await Promise.all([decided, system.until(areDone, 'all to be done', 120_000)]);
      for (const bot of [first, ahead])
        await system.until(async () => (await bot.get('/readyz')).status === 200, 'both to be ready');
      await system.settle(60_000);
      expect([first.isAlive(), ahead.isAlive()]).toEqual([true, true]);
      expect(system.writes().toSorted()).toEqual(stopsOf([...four, ...three]));
      const ended = await checkOnce(system, undefined, { hasOneClock: false });
      report('clocks 90 s apart, a process frozen before its write, connections cut every 50 ms', {
        'connections cut': cuts,
        'ended as': counted(ended.map(({ state }) => state)),
        'writes sent twice': 0,
      });
    },

  'when the primary database is replaced by a copy at the other host of the address, open requests continue there':
    async (context) => {
      const old = await startPostgres();
      const [oldPort, port] = [Number(new URL(old.url).port), await freePort()];
      context.onTestFinished(old.remove);
      const url = `postgres://hostler:hostler@127.0.0.1:${oldPort},127.0.0.1:${port}/postgres`;
      const system = await startSystem({
        engine: 'postgres',
        mode: 'http',
        database: { engine: 'postgres', url, run: async () => [], drop: async () => {} },
        policy: confirming,
        provider: { jobMs: 4_000, seed: { orders: 60 } },
      });
      context.onTestFinished(system.close);
      const [running = '', waiting = ''] = serversOn(system, 2);
      const { sim } = system.slack;
      const channel = await system.channel('waits', confirming);
      await sim.say('operator', channel, `/host stop ${waiting}`);
      await sim.waitFor('[Cancel]', { channel });
      await askToStop(system, running);
      await system.until(() => system.writes().length === 1, 'the first to be sent');
      await old.stop();
      const next = await startPostgres({ port, copyOf: old.data });
      context.onTestFinished(next.remove);
      await system.until(
        async () => (await system.bots[0]?.get('/readyz'))?.status === 200,
        'the bot to be ready',
        60_000,
      );
      await system.until(async () => {
        const [row] = await system.store.operations.list({ channel, limit: 1 });
        if (row?.state !== 'waiting') return true;
        await confirm(system, channel, waiting);
        await sleep(500);
        return false;
      }, 'the click to count');
      await system.settle(100_000);
      expect(system.writes().toSorted()).toEqual(stopsOf([running, waiting]));
      expect(system.bots[0]?.isAlive()).toBe(true);
      const ended = await checkOnce(system);
      expect(ended.map(({ state }) => state)).toEqual(['done', 'done']);
    },
});

kind({
  'an unhandled error does not end the process, and is logged with an incident and counted': async (context) => {
    const system = await startSystem({ policy: confirming, env: ownClock });
    context.onTestFinished(system.close);
    const [bot] = system.bots;
    process.kill(bot?.pid ?? 0, 'SIGWINCH');
    const counted = async () => (await bot?.get('/metrics'))?.text.includes('hostler_unhandled_errors_total 1');
    await system.until(counted, 'it to be counted');
    const line = bot?.log.find(({ text }) => text.includes('nobody looks at this'));
    expect(line).toMatchObject({ level: 'error', text: expect.stringMatching(/"incident":"[0-9a-f]{8}"/) });
    await askToStop(system, serversOn(system, 1)[0] ?? '');
    await system.settle();
    expect(system.writes()).toHaveLength(1);
  },

  'while Slack answers lookups with 429, the next step waits, no vote is void, and later the request continues': async (
    context,
  ) => {
    const by = [`group:${opsGroup}`];
    const policy = granting({ everyone: 'read operate' }, { disruptive: { approve: 1, by } });
    const system = await startSystem({ policy, mode: 'http', env: ownClock, provider: { jobMs: 3_600_000 } });
    context.onTestFinished(system.close);
    const { sim } = system.slack;
    const later = () => process.kill(system.bots[0]?.pid ?? 0, 'SIGUSR2');
    await sim.say('operator', '#ops', '/host restart web-1 db-1');
    await sim.waitFor('[Approve ', { channel: '#ops' });
    await sim.click('lead', { channel: '#ops', isMain: true });
    await system.until(() => system.writes().length === 1, 'the first step');
    const faults = ['usergroups.list', 'usergroups.users.list', 'users.info'].map((method) =>
      sim.fault({ method, status: 429, retryAfterS: 30 }),
    );
    // Longer than the five minutes for which a cached answer counts while Slack limits the bot.
    for (let passedMs = 0; passedMs <= 300_000; passedMs += 30_000) {
      later();
      await sleep(200);
    }
    system.provider.sim.advance(3_600_000);
    const row = async () => (await system.store.operations.list({ limit: 1 }))[0];
    await system.until(async () => (await row())?.delayWhy !== null, 'it to wait for Slack');
    expect(await row()).toMatchObject({ state: 'running', delayWhy: 'Slack could not be asked who may decide this.' });
    expect((await system.store.votes.list((await row())?.id ?? '')).map(({ isVoid }) => isVoid)).toEqual([false]);
    expect(system.writes()).toHaveLength(1);
    for (const end of faults) end();
    later();
    later();
    await system.until(() => system.writes().length === 2, 'the second step');
    system.provider.sim.advance(3_600_000);
    await system.operation(({ state }) => state === 'done', 'its end', 30_000);
    await system.settle();
    await checkOnce(system, undefined, { hasOneClock: false });
  },
});
