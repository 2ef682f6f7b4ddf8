import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { atMost, median, quantile, type Section } from '../measure.ts';
import { durableAmounts } from '../operations.ts';
import { openStage } from '../stage.ts';

/**
 * From the click to the card that shows it, for a crowd of simultaneous clicks, a few times: the slowest click of a
 * single crowd would not be a p99.
 */
export const durableClick: Section = {
  name: 'durable-click',
  title: 'From a click to the edited card',
  run: async ({ amount, folder }) => {
    const { together, warmUp, rounds } = durableAmounts[amount];
    const provider = await startProvider({ seed: { orders: warmUp + rounds * together } });
    const file = join(folder, 'confirmed.db');
    const system = await openStage({
      app: 'hostler',
      folder,
      provider,
      databaseUrl: file,
      rules: { routine: 'confirm', disruptive: 'confirm' },
    });
    try {
      const servers = provider.sim.state().orders.map(({ id }) => id);
      const lines = servers.map((server) => `rename ${server} bench-${server}`);
      await system.confirmed(lines.slice(0, warmUp));
      await system.ended(warmUp);
      const tookMs: number[] = [];
      for (let done = warmUp; done < lines.length; done += together) {
        tookMs.push(...(await system.confirmed(lines.slice(done, done + together))));
        await system.ended(done + together);
      }
      const p99 = quantile(tookMs, 0.99);
      return [
        {
          what: `Click to edited card, ${together} at once, p99`,
          unit: 'ms',
          hostler: p99,
          note: `${median(tookMs).toFixed(0)} ms at the median of ${tookMs.length}`,
          ...atMost(p99, 150, 'at most 150 ms'),
        },
        { what: '100,000 such requests: size', unit: 'MB', hostler: (keptBytes(file) * 0.1) / lines.length },
      ];
    } finally {
      await system.close();
      await provider.close();
    }
  },
};

/** The bytes of all that stays of requests, with indexes; the free bytes of a small file's pages do not count. */
function keptBytes(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true });
  const row = db
    .prepare(
      `select sum(pgsize - unused) as bytes from dbstat where name in
        (select name from sqlite_schema where tbl_name in ('operations', 'steps', 'votes', 'audit'))`,
    )
    .get();
  db.close();
  return Number(row?.bytes ?? 0);
}
