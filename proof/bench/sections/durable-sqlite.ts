import { join } from 'node:path';
import { atLeast, type Section } from '../measure.ts';
import { rate, rowsOf } from '../operations.ts';

export const durableSqlite: Section = {
  name: 'durable-sqlite',
  title: 'Durable operations per second on SQLite',
  run: async (context) => {
    const sqlite = await rate(join(context.folder, 'durable.db'), 1, context);
    return rowsOf('SQLite, one process', sqlite, atLeast(sqlite.rate, 120, 'at least 120'));
  },
};
