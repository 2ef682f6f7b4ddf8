import { renameSync, writeFileSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';

/** Loaded into Hostler with `--import`: counts SQLite's statements, and writes the number to BENCH_COUNT at SIGUSR2. */
let count = 0;

for (const name of ['all', 'get', 'run'] as const) {
  const original: (...values: never[]) => unknown = StatementSync.prototype[name];
  Object.defineProperty(StatementSync.prototype, name, {
    value(this: StatementSync, ...values: unknown[]) {
      count += 1;
      return Reflect.apply(original, this, values);
    },
  });
}

process.on('SIGUSR2', () => {
  const file = process.env.BENCH_COUNT ?? '';
  writeFileSync(`${file}.new`, String(count));
  renameSync(`${file}.new`, file);
});
