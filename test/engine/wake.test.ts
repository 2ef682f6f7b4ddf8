import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Button, Vote } from '../../src/core/view.ts';
import { operationId } from '../../src/engine/operation/create.ts';
import { openRoom, type Room } from '../support/room.ts';
import { people } from '../support/workspace.ts';

/**
 * A decision is written to its row, and then the operation's run is woken. Whatever the run is doing at that moment, on
 * whichever replica, the decision is acted on at once: nobody waits for a run's own clock or for the sweep.
 */

const isPostgres = process.env.HOSTLER_TEST_ENGINE === 'postgres';
/** Whoever waits so long was not woken: the sweep found it, or the run's own clock. */
const sweptAfterMs = 10_000;

async function ask(room: Room, line: string, replica: number): Promise<string> {
  const { id } = await room.say('operator', line, { replica });
  return operationId(id);
}

async function isUnderWay(room: Room, operation: string): Promise<boolean> {
  const row = await room.store.operations.find(operation);
  return row?.state !== 'waiting' && row?.state !== 'approved';
}

function vote(operation: string, vote: Vote): Button {
  return { label: vote, intent: { do: 'vote', operation, vote } };
}

/** SQL for the durable engine's own tables, which have a schema or a file of their own. */
async function runs(room: Room, text: string): Promise<unknown[]> {
  if (isPostgres) return room.database.run(text.replace('workflow_runs', 'openworkflow.workflow_runs'));
  const file = new DatabaseSync(`${room.database.url}-runs`, { timeout: 5_000 });
  try {
    file.exec('pragma foreign_keys = on');
    return file.prepare(text).all();
  } finally {
    file.close();
  }
}

function untilRun(room: Room, condition: string): Promise<void> {
  return room.until(
    async () => (await runs(room, `select 1 from workflow_runs where ${condition}`)).length > 0,
    condition,
  );
}

test('many operations, each decided the moment its card is there', { timeout: 60_000 }, async () => {
  const room = await openRoom({ pace: 0.001, seed: { orders: 60 } });
  const servers = room.sim
    .state()
    .orders.filter(({ status, vps }) => status === 'active' && vps?.power === 'on')
    .map(({ id }) => id);
  const decide = async (server: string, n: number) => {
    const operation = await ask(room, `restart ${server}`, n);
    const decidedAt = Date.now();
    await room.click('operator', vote(operation, 'confirm'), { replica: n + 1 });
    await room.until(() => isUnderWay(room, operation), `${operation} to begin`);
    return Date.now() - decidedAt;
  };
  // Two at a time: what one waits for is its run, and not that all the others are worked on.
  for (let n = 0; n < 12; n += 2) {
    const waitedMs = await Promise.all(servers.slice(n, n + 2).map((server, m) => decide(server, n + m)));
    expect(Math.max(...waitedMs)).toBeLessThan(sweptAfterMs);
  }
  await room.settle();
});

test('declined before anything carries it, as after a crash: its end is told all the same', async () => {
  const room = await openRoom();
  const operation = await ask(room, 'restart web-1', 0);
  await untilRun(room, 'worker_id is null');
  await room.store.operations.patch(operation, { runId: null });
  await runs(room, 'delete from workflow_runs');
  await room.click('operator', vote(operation, 'decline'));
  await room.settle();
  expect(room.story()).toContain('    @operator declined by @operator: no reason given. Nothing was done.');
});

test('decided, and the process that was to wake its run is gone: the sweep comes along', async () => {
  const room = await openRoom();
  const operation = await ask(room, 'restart web-1', 0);
  await room.until(async () => (await room.store.operations.find(operation))?.runId !== null);
  await room.store.votes.cast({ operationId: operation, userId: people.operator ?? '', vote: 'confirm' });
  await room.store.operations.move(operation, 'waiting', 'approved');
  room.skip(sweptAfterMs);
  await room.replicas[0]?.sweep();
  await room.until(() => isUnderWay(room, operation), 'the operation to begin');
  await room.settle();
});

test('a button of a card whose messages are forgotten answers, and posts no second card', async () => {
  const room = await openRoom();
  const operation = await ask(room, 'restart web-1', 0);
  await room.click('operator', vote(operation, 'withdraw'));
  await untilRun(room, "status = 'completed'");
  await room.settle();
  await room.pass(31 * 86_400_000);
  await room.replicas[0]?.sweep();
  await room.click('operator', vote(operation, 'confirm'));
  expect(room.transcript()).toContain('(only @operator) Closed: Restart web-1');
  expect(await room.database.run('select key from messages')).toEqual([]);
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
    const room = await openRoom();
    await room.database.run(slowly);
    const operation = await ask(room, 'restart web-1', 0);
    await room.until(async () => {
      const waits = await room.database.run(
        `select 1 from openworkflow.step_attempts where kind = 'signal-wait' and status = 'running'`,
      );
      return waits.length > 0;
    }, 'the run to wait');
    const decidedAt = Date.now();
    await room.press('operator', 'Confirm', { replica: 1 });
    await room.until(() => isUnderWay(room, operation), 'the operation to begin');
    expect(Date.now() - decidedAt).toBeLessThan(sweptAfterMs);
    await room.database.run('drop function slow_rest, slow_signal cascade');
  });

  test('a signal whose sender was killed before it roused the run: the next one finds it', async () => {
    const room = await openRoom();
    const operation = await ask(room, 'restart web-1', 0);
    await untilRun(room, 'worker_id is null');
    await room.database.run(
      `insert into openworkflow.workflow_signals
         (namespace_id, id, signal, data, workflow_run_id, step_attempt_id, created_at)
       select namespace_id, gen_random_uuid(), context->>'signal', 'null', workflow_run_id, id, now()
       from openworkflow.step_attempts where kind = 'signal-wait' and status = 'running'`,
    );
    const decidedAt = Date.now();
    await room.press('operator', 'Confirm', { replica: 1 });
    await room.until(() => isUnderWay(room, operation), 'the operation to begin');
    expect(Date.now() - decidedAt).toBeLessThan(sweptAfterMs);
  });
});
