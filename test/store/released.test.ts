import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ops, people } from '../support/fake-slack.ts';
import { startTestBot } from '../support/test-bot.ts';

// The database of each schema there was, as the bot of that time left it in the middle of its work: one request has
// ended, one waits for Confirm, one has sent the first of two steps (test/fixtures/released/README.md).

const folder = join(import.meta.dirname, '../fixtures/released');

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'the rows of schema %i are read, and the work in them continues',
  async (level) => {
    const sql = readFileSync(join(folder, `schema-${level}.sql`), 'utf8');
    const at = Number(/^-- at (\d+)/.exec(sql)?.[1]);
    // Two minutes later, when the leases of that process are over: what was decided is still meant, and what waits for people has time left.
    const bot = await startTestBot({
      engine: 'sqlite',
      replicas: 1,
      build: 1_000,
      jobMs: 50,
      rows: { sql, at: at + 120_000 },
    });
    const rows = await bot.store.operations.list({ limit: 9 });
    const [waiting] = rows.filter(({ state }) => state === 'waiting');
    const [running] = rows.filter(({ state }) => state === 'running');
    expect(rows.map(({ state }) => state).sort()).toEqual(['done', 'running', 'waiting']);

    // The job of the first step, at a provider that was asked for it before.
    await fetch(`${bot.provider.url}/vps/34-12345/restart/`, {
      method: 'POST',
      headers: { authorization: `Api-Key ${bot.provider.key}` },
    });
    const ends = async (id = '') => {
      await bot.until(async () => {
        await bot.replicas[0]?.sweep();
        bot.replicas[0]?.wake(id);
        return (await bot.store.operations.find(id))?.endedAt !== null;
      }, 'its end');
      return (await bot.store.operations.find(id))?.state;
    };
    expect(await ends(running?.id)).toBe('done');
    // The first was sent by the old bot, and is not sent again by this one.
    expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/', 'POST /vps/34-12399/restart/']);

    const accepted = bot.replicas[0]?.engine.accept({
      id: 'confirmed',
      actor: people.operator ?? '',
      place: { channel: ops, kind: 'channel' },
      at: bot.now(),
      ask: { kind: 'intent', intent: { do: 'vote', operation: waiting?.id ?? '', vote: 'confirm' } },
    });
    if (await accepted?.stored) await accepted?.run();
    const state = await ends(waiting?.id);
    // Facts that can no longer be compared are asked again, and nothing runs before.
    const { length: written } = bot.writes();
    expect([state, written]).toEqual(state === 'done' ? ['done', 3] : ['refused', 2]);
    expect(await bot.store.audit.verify()).toMatchObject({ ok: true });
  },
);
