import { describe, expect, type TestContext, test } from 'vitest';
import type { Engine } from '../support/database/databases.ts';
import { holdsOnce, kind, reportRepeated, stageWith } from './stage.ts';

// SIGKILL at every arrow of an operation's life. The moment is not guessed: a slow provider or a slow Slack stops the
// bot at that point, and a visible event (a request, a row, a message) says when.

reportRepeated();

const stop = 'POST /vps/34-12345/stop/';
const restart = 'POST /vps/34-12345/restart/';
const stopRoute = 'POST /vps/{order_id}/stop/';

const restored = (engine: Engine) => async (context: TestContext) => {
  const { system, provider, say, sees, approve } = await stageWith(context, { engine });
  await say('dns list example.org');
  const versions = () => system.store.zoneVersions.list('example.org');
  await system.until(async () => (await versions()).length > 0, 'the first version');
  const add = ['one', 'two', 'three'].map((host) => ({ host, type: 'A' as const, value: '192.0.2.66' }));
  provider.records({ domain: 'example.org', add });
  await say('dns restore example.org v1');
  await sees('[Approve ');
  const match = 'DELETE /dns/domain/{name}/entry_set/{id}/';
  provider.fault({ kind: 'delay', match, ms: 1_500, times: 3 });
  await approve();
  await system.until(() => system.writes().length === 2, 'the second of three');
  await system.crash();
  await sees('done in');
  await system.settle();
  expect(system.writes()).toHaveLength(3);
  expect(new Set(system.writes()).size).toBe(3);
  await holdsOnce(system);
};

describe.concurrent('killed before its card was shown', () => {
  kind({
    'an acknowledged command is stored, and its card is posted after the restart': async (context) => {
      const { system, provider, say, confirm, killedAtLook, endsWith } = await stageWith(context);
      await killedAtLook(async () => {
        expect((await say('stop web-1')).error).toBeNull();
        await system.until(() => provider.requests().some(({ path }) => path.endsWith('/status/')), 'the first look');
      });
      await confirm();
      await endsWith('web-1 stopped', [stop]);
      expect(await system.store.operations.list({ limit: 10 })).toHaveLength(1);
    },
    'the card of a stored request is posted after the restart when Slack had not accepted it': async (context) => {
      const { system, sim, say, confirm, killedWithout, endsWith } = await stageWith(context);
      await killedWithout(['chat.postMessage'], async () => {
        await say('stop web-1');
        await system.operation(({ state }) => state === 'waiting', 'the operation');
        await system.until(() => sim.requests('chat.postMessage').length > 0, 'a post');
      });
      await confirm();
      await endsWith('web-1 stopped', [stop]);
    },
    'a card whose response from Slack was lost can be used after the restart': async (context) => {
      const { system, say, sees, confirm, killedWithout, endsWith } = await stageWith(context);
      const posted = async () => {
        await say('stop web-1');
        await sees('[Cancel]');
      };
      await killedWithout(['chat.postMessage'], posted, { isAnswerLost: true });
      await system.settle();
      await confirm();
      await endsWith('web-1 stopped', [stop]);
    },
  });
});

describe.concurrent('killed after the decision and before the work', () => {
  kind({
    'a confirmed request continues when it is killed during the second look': async (context) => {
      const { system, provider, say, sees, confirm, killedAtLook, endsWith } = await stageWith(context);
      await say('stop web-1');
      await sees('[Cancel]');
      const looks = () => provider.requests().filter(({ path }) => path.endsWith('/status/')).length;
      const before = looks();
      await killedAtLook(async () => {
        expect((await confirm()).error).toBeNull();
        await system.until(() => looks() > before, 'the second look');
        expect((await system.store.operations.list({ limit: 1 }))[0]?.state).toBe('approved');
      });
      await endsWith('web-1 stopped', [stop]);
    },
    'a withdrawn request ends when it is killed while Slack is offline and its card still has buttons': async (
      context,
    ) => {
      const { system, say, sees, press, killedWithout, endsWith } = await stageWith(context);
      await say('stop web-1');
      await sees('[Cancel]');
      await killedWithout(['*'], async () => {
        await press('Cancel');
        await system.operation(({ state }) => state === 'withdrawn', 'it to be withdrawn');
      });
      await endsWith('Withdrawn. Nothing was done.', []);
    },
  });
});

describe.concurrent('killed after the call was sent and before its response', () => {
  kind({
    'a call that the provider has is read after the restart, and not sent again': async (context) => {
      const { system, provider, say, sees, confirm, endsWith } = await stageWith(context);
      provider.fault({ kind: 'delay', match: stopRoute, ms: 2_000 });
      await say('stop web-1');
      await confirm();
      await system.until(() => system.writes().length === 1, 'the call');
      await system.crash();
      await sees('Not retried');
      await endsWith('web-1 stopped', [stop]);
    },
    'a call with a lost response is still read after the restart': async (context) => {
      const { system, provider, say, confirm, step, endsWith } = await stageWith(context, {
        provider: { jobMs: 3_000 },
      });
      provider.fault({ kind: 'lose', match: stopRoute, times: 1 });
      await say('stop web-1');
      await confirm();
      await step('reading');
      await system.crash();
      await endsWith('web-1 stopped', [stop]);
    },
    'of several steps the one under way is read after the restart, and the others run once': async (context) => {
      const { system, provider, say, confirm, endsWith } = await stageWith(context);
      await say('stop tag:web');
      await confirm();
      provider.fault({ kind: 'delay', match: stopRoute, ms: 1_500, times: 2 });
      await system.until(() => system.writes().length === 2, 'the second of three');
      await system.crash();
      await endsWith('done in', [stop, 'POST /vps/34-12399/stop/', 'POST /vps/34-12407/stop/']);
    },
    'a restore that is killed between two records continues, and sends each once (sqlite)': restored('sqlite'),
    'a restore that is killed between two records continues, and sends each once (postgres)': restored('postgres'),
  });
});

describe.concurrent('killed after the provider accepted the call', () => {
  kind({
    'a job that runs on during the restart is followed, and its end is posted': async (context) => {
      const { system, say, confirm, step, endsWith } = await stageWith(context, { provider: { jobMs: 2_500 } });
      await say('restart web-1');
      await confirm();
      await step('accepted');
      await system.crash();
      await endsWith('web-1 restarted', [restart]);
    },
    'a request that was being verified is verified after the restart': async (context) => {
      const stage = await stageWith(context, { provider: { jobMs: 1_500 } });
      await stage.say('restart web-1');
      await stage.confirm();
      await stage.step('accepted');
      await stage.killedAtLook(() => stage.step('verifying'));
      await stage.endsWith('web-1 restarted', [restart]);
    },
    'a new password is still sealed after the restart, and is shown once': async (context) => {
      const { system, sim, say, sees, approve, step } = await stageWith(context, { provider: { jobMs: 2_500 } });
      await say('password db-1');
      await approve();
      await step('accepted');
      await system.crash();
      await system.until(() => sim.transcript('dm', 'operator').includes('Reveal once'), 'the message');
      await sim.click('operator', { channel: 'dm', label: 'Reveal once' });
      await sim.waitFor(() => /```\n\w{14}\n```/.test(sim.viewText('operator')));
      await sees('root password of db-1 replaced');
      await system.settle();
      expect(system.writes()).toHaveLength(1);
    },
    'the end of a request is posted once when Slack was offline at the end': async (context) => {
      const { system, say, sees, confirm, killedWithout, endsWith } = await stageWith(context);
      await say('stop web-1');
      await sees('[Cancel]');
      await killedWithout(['chat.postMessage', 'chat.update'], async () => {
        await confirm();
        await system.operation(({ state }) => state === 'done', 'it to be done');
      });
      await endsWith('web-1 stopped', [stop]);
    },
  });
});

test.concurrent('when one of two replicas on PostgreSQL is killed with work in every state, the other one finishes all of it', async (context) => {
  const options = { engine: 'postgres', mode: 'http', bots: 2, provider: { jobMs: 3_000 } } as const;
  const { system, sim, provider } = await stageWith(context, options);
  const [first, second] = system.bots;
  if (!first || !second) throw new Error('two bots were started');
  // All later payloads arrive at the first replica.
  sim.setRequestUrl(`http://127.0.0.1:${first.port}/slack/events`);
  const ask = async (line: string) => {
    const channel = await system.channel(line.replaceAll(' ', '-'));
    await sim.say('operator', channel, `/host ${line}`);
    await sim.waitFor('[Cancel]', { channel });
    return channel;
  };
  const confirmIn = async (channel: string) => {
    expect((await sim.click('operator', { channel, isMain: true })).error).toBeNull();
  };
  const waiting = await ask('stop vpn-1');
  const lost = await ask('stop web-2');
  const underWay = await ask('stop web-3');
  const accepted = await ask('restart db-1');
  const verifying = await ask('stop mail-1');
  await confirmIn(verifying);
  await confirmIn(accepted);
  provider.fault({ kind: 'lose', match: stopRoute, times: 1 });
  await confirmIn(lost);
  await system.operation(({ state }) => state === 'reading', 'the lost one to be read');
  provider.fault({ kind: 'delay', match: stopRoute, ms: 3_000, times: 1 });
  await confirmIn(underWay);
  await system.until(() => system.writes().some((write) => write.includes('34-12407')), 'the slow one to be sent');
  const planning = await system.channel('planning');
  const slow = provider.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 9_000 });
  expect((await sim.say('operator', planning, '/host restart cache-1')).error).toBeNull();
  await first.end('SIGKILL');
  system.bots.splice(0, 1);
  provider.clearFaults({ id: slow });
  sim.setRequestUrl(`http://127.0.0.1:${second.port}/slack/events`);
  await confirmIn(waiting);
  for (const [channel, words] of [
    [lost, 'web-2 stopped'],
    [underWay, 'web-3 stopped'],
    [accepted, 'db-1 restarted'],
    [verifying, 'mail-1 stopped'],
    [waiting, 'vpn-1 stopped'],
    [planning, '[Cancel]'],
  ] as const)
    await sim.waitFor(words, { channel, timeoutMs: 100_000 });
  await system.settle(60_000);
  expect(system.writes().toSorted()).toEqual(
    ['12346/restart', '12360/stop', '12380/stop', '12399/stop', '12407/stop'].map((one) => `POST /vps/34-${one}/`),
  );
  await holdsOnce(system);
});
