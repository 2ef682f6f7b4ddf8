import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Button, Vote } from '../../src/core/view.ts';
import { operationId } from '../../src/engine/operation/create.ts';
import { people } from '../support/fake-slack.ts';
import { startTestBot, type TestBot } from '../support/test-bot.ts';

/**
 * A decision is written to its row, and then the operation's run is woken. Whatever the run is doing at that moment, on
 * whichever replica, the decision is acted on at once: nobody waits for a run's own clock or for the sweep.
 */

const isPostgres = process.env.HOSTLER_TEST_ENGINE === 'postgres';
/** Whoever waits so long was not woken: the sweep found it, or the run's own clock. */
const sweptAfterMs = 10_000;

async function ask(bot: TestBot, line: string, replica: number): Promise<string> {
  const { id } = await bot.say('operator', line, { replica });
  return operationId(id);
}

async function isUnderWay(bot: TestBot, operation: string): Promise<boolean> {
  const row = await bot.store.operations.find(operation);
  return row?.state !== 'waiting' && row?.state !== 'approved';
}

function vote(operation: string, vote: Vote): Button {
  return { label: vote, intent: { do: 'vote', operation, vote } };
}

/** SQL for the durable engine's own tables, which have a schema or a file of their own. */
async function runs(bot: TestBot, text: string): Promise<unknown[]> {
  if (isPostgres) return bot.database.run(text.replace('workflow_runs', 'openworkflow.workflow_runs'));
  const file = new DatabaseSync(`${bot.database.url}-runs`, { timeout: 5_000 });
  try {
    file.exec('pragma foreign_keys = on');
    return file.prepare(text).all();
  } finally {
    file.close();
  }
}

function untilRun(bot: TestBot, condition: string): Promise<void> {
  return bot.until(
    async () => (await runs(bot, `select 1 from workflow_runs where ${condition}`)).length > 0,
    condition,
  );
}

test('many operations, each decided the moment its card is there', { timeout: 60_000 }, async () => {
  const bot = await startTestBot({ pace: 0.001, seed: { orders: 60 } });
  const servers = bot.sim
    .state()
    .orders.filter(({ status, vps }) => status === 'active' && vps?.power === 'on')
    .map(({ id }) => id);
  const decide = async (server: string, n: number) => {
    const operation = await ask(bot, `restart ${server}`, n);
    const decidedAt = Date.now();
    await bot.click('operator', vote(operation, 'confirm'), { replica: n + 1 });
    await bot.until(() => isUnderWay(bot, operation), `${operation} to begin`);
    return Date.now() - decidedAt;
  };
  // Two at a time: what one waits for is its run, and not that all the others are worked on.
  for (let n = 0; n < 12; n += 2) {
    const waitedMs = await Promise.all(servers.slice(n, n + 2).map((server, m) => decide(server, n + m)));
    expect(Math.max(...waitedMs)).toBeLessThan(sweptAfterMs);
  }
  await bot.settle();
});

test('declined before anything carries it, as after a crash: its end is told all the same', async () => {
  const bot = await startTestBot();
  const operation = await ask(bot, 'restart web-1', 0);
  await untilRun(bot, 'worker_id is null');
  await bot.store.operations.patch(operation, { runId: null });
  await runs(bot, 'delete from workflow_runs');
  await bot.click('operator', vote(operation, 'decline'));
  await bot.settle();
  expect(bot.story()).toContain('    @operator declined by @operator: no reason given. Nothing was done.');
});

test('decided, and the process that was to wake its run is gone: the sweep comes along', async () => {
  const bot = await startTestBot();
  const operation = await ask(bot, 'restart web-1', 0);
  await bot.until(async () => (await bot.store.operations.find(operation))?.runId !== null);
  await bot.store.votes.cast({ operationId: operation, userId: people.operator ?? '', vote: 'confirm' });
  await bot.store.operations.move(operation, 'waiting', 'approved');
  bot.skip(sweptAfterMs);
  await bot.replicas[0]?.sweep();
  await bot.until(() => isUnderWay(bot, operation), 'the operation to begin');
  await bot.settle();
});

test('a button of a card whose messages are forgotten answers, and posts no second card', async () => {
  const bot = await startTestBot();
  const operation = await ask(bot, 'restart web-1', 0);
  await bot.click('operator', vote(operation, 'withdraw'));
  await untilRun(bot, "status = 'completed'");
  await bot.settle();
  await bot.pass(31 * 86_400_000);
  await bot.replicas[0]?.sweep();
  await bot.click('operator', vote(operation, 'confirm'));
  expect(bot.transcript()).toContain('(only @operator) Closed: Restart web-1');
  expect(await bot.database.run('select key from messages')).toEqual([]);
});

describe.runIf(isPostgres)('on PostgreSQL', () => {
  // What took microseconds takes long enough here to fall together every time: the run's last look lies before the
  // signal's commit, and the signal's last look before the run's rest.
  const slowly = `
    create function slow_rest() returns trigger language plpgsql as $$
      begin
        if old.worker_id is not null and new.worker_id is null then perform pg_sleep(0.5); end if;
        return new;
      end $$;
    create trigger slow_rest before update on openworkflow.workflow_runs for each row execute function slow_rest();
    create function slow_signal() returns trigger language plpgsql as $$
      begin perform pg_sleep(1); return null; end $$;
    create constraint trigger slow_signal after insert on openworkflow.workflow_signals
      deferrable initially deferred for each row execute function slow_signal();`;

  test('the run is being put to rest as the vote comes in: it is acted on all the same', async () => {
    const bot = await startTestBot();
    await bot.database.run(slowly);
    const operation = await ask(bot, 'restart web-1', 0);
    await bot.until(async () => {
      const waits = await bot.database.run(
        `select 1 from openworkflow.step_attempts where kind = 'signal-wait' and status = 'running'`,
      );
      return waits.length > 0;
    }, 'the run to wait');
    const decidedAt = Date.now();
    await bot.press('operator', 'Confirm', { replica: 1 });
    await bot.until(() => isUnderWay(bot, operation), 'the operation to begin');
    expect(Date.now() - decidedAt).toBeLessThan(sweptAfterMs);
    await bot.database.run('drop function slow_rest, slow_signal cascade');
  });

  test('a signal whose sender was killed before it roused the run: the next one finds it', async () => {
    const bot = await startTestBot();
    const operation = await ask(bot, 'restart web-1', 0);
    await untilRun(bot, 'worker_id is null');
    await bot.database.run(
      `insert into openworkflow.workflow_signals
         (namespace_id, id, signal, data, workflow_run_id, step_attempt_id, created_at)
       select namespace_id, gen_random_uuid(), context->>'signal', 'null', workflow_run_id, id, now()
       from openworkflow.step_attempts where kind = 'signal-wait' and status = 'running'`,
    );
    const decidedAt = Date.now();
    await bot.press('operator', 'Confirm', { replica: 1 });
    await bot.until(() => isUnderWay(bot, operation), 'the operation to begin');
    expect(Date.now() - decidedAt).toBeLessThan(sweptAfterMs);
  });
});
