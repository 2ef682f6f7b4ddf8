import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startProvider } from '../../sandbox/provider/server.ts';
import { openStore, type Store } from '../../src/store/database.ts';
import { addPast } from '../../test/support/bot/past-operations.ts';
import { openConsole } from '../../test/support/database/console.ts';
import type { TestDatabase } from '../../test/support/database/databases.ts';
import { runPostgresServer } from '../../test/support/database/postgres-process.ts';
import { type Amount, atMost, type Context, median, pause, type Row } from './measure.ts';
import { openStage, type Stage } from './stage.ts';

const day = 86_400_000;

/**
 * With years of ended requests, the bot's own work, a scrape, a card and commands should cost as much as with a few, on
 * both databases.
 */
export async function byPast(context: Context, sizes: readonly [least: number, most: number]): Promise<Row[]> {
  const file = join(context.folder, 'past.db');
  const onSqlite = await byPastOn(context, sizes, {
    engine: 'sqlite',
    url: file,
    run: async (text) => {
      const database = new DatabaseSync(file);
      const rows = database.prepare(text).all();
      database.close();
      return rows;
    },
  });
  const server = await runPostgresServer({ settings: [] });
  const client = await openConsole(server.url);
  try {
    const { run } = client;
    return [...onSqlite, ...(await byPastOn(context, sizes, { engine: 'postgres', url: server.url, run }))];
  } finally {
    await client.close();
    await server.remove();
  }
}

async function byPastOn(
  { amount, folder, say }: Context,
  [least, most]: readonly [least: number, most: number],
  { engine, url: databaseUrl, run }: Pick<TestDatabase, 'engine' | 'url' | 'run'>,
): Promise<Row[]> {
  const provider = await startProvider({ seed: { orders: 20 } });
  const measured: Past[] = [];
  try {
    const first = await openStage({ app: 'hostler', folder, provider, databaseUrl, rules: { disruptive: 'none' } });
    await first.acknowledged('restart web-1');
    await first.ended(1);
    await first.close();
    let before = 0;
    for (const size of [least, most]) {
      say(`${size} past requests, ${engine}`);
      await addPast({ engine, run }, { count: size - before, from: before, endedAt: Date.now() - day, hasAudit: true });
      before = size;
      const store = await openStore(databaseUrl);
      const sweepMs = await sweepCost(store, amount);
      await store.close();
      const system = await openStage({ app: 'hostler', folder, provider, databaseUrl, rules: { disruptive: 'none' } });
      try {
        const figures = new Map([
          ['a sweep', sweepMs],
          ['a scrape', await scrapeCost(system, amount)],
          ['a card', await cardCost(databaseUrl, amount)],
        ]);
        for (const line of ['requests', 'requests mine', 'audit', 'jobs', 'status web-1'])
          figures.set(`/host ${line}`, await commandCost(system, line, amount));
        measured.push({ size, figures });
      } finally {
        await system.close();
      }
    }
  } finally {
    await provider.close();
  }
  const [few, many] = measured;
  if (few === undefined || many === undefined) return [];
  return [...many.figures].map(([name, ms]): Row => {
    const ratio = ms / (few.figures.get(name) ?? Number.NaN);
    return {
      what: `${most} past requests, ${engine}: ${name}`,
      unit: 'ms',
      hostler: ms,
      ratio,
      note: `${few.figures.get(name)?.toFixed(1)} ms with ${least}`,
      // Two milliseconds allow for a page that is not in memory.
      ...atMost(ms, 2 + 1.5 * (few.figures.get(name) ?? 0), `about as with ${least}: at most 1.5 times, and 2 ms`),
    };
  });
}

interface Past {
  readonly size: number;
  readonly figures: ReadonlyMap<string, number>;
}

const rounds: Readonly<Record<Amount, number>> = { full: 25, quick: 15, smoke: 1 };

/** The cost of the timers' statements: the recovery, due turns, and rules that read the bot's own rows. */
async function sweepCost(store: Store, amount: Amount): Promise<number> {
  return medianMs(rounds[amount], async () => {
    await store.operations.holdAll('offline', 0);
    await store.inbox.unfinished(100);
    await store.turns.claimDue('bench', 1, 16);
    await store.turns.underWay();
    await store.locks.releaseLeft();
    await store.steps.jobsSince(Date.now() - 60_000);
    await store.steps.touchedSince(Date.now() - 60_000);
    await store.alerts.busyChannels(Date.now());
  });
}

/** The cost of a scrape. /metrics caches counts for two seconds. */
async function scrapeCost(system: Stage, amount: Amount): Promise<number> {
  const scrape = async () => void (await (await fetch(`http://127.0.0.1:${system.app.port}/metrics`)).text());
  const taken: number[] = [];
  for (let n = 0; n < Math.min(rounds[amount], 5); n++) {
    await pause(2_100);
    taken.push(await medianMs(1, scrape));
  }
  return median(taken);
}

/** The cost of drawing the card of a request. */
async function cardCost(databaseUrl: string, amount: Amount): Promise<number> {
  const store = await openStore(databaseUrl);
  const [newest] = await store.operations.list({ limit: 1 });
  const ms = await medianMs(rounds[amount], async () => {
    await store.cards.put(newest?.id ?? '', () => undefined);
  });
  await store.close();
  return ms;
}

async function commandCost(system: Stage, line: string, amount: Amount): Promise<number> {
  for (let n = 0; n < rounds[amount]; n++) await system.answered(line);
  const taken: number[] = [];
  for (let n = 0; n < rounds[amount]; n++) taken.push(await system.answered(line));
  return median(taken);
}

async function medianMs(times: number, work: () => Promise<void>): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now();
    await work();
    taken.push(performance.now() - startedAt);
  }
  return median(taken);
}
