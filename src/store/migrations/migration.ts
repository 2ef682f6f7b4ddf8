import type { SqlDialect } from '../dialect.ts';

export interface Migration {
  version: number;
  name: string;
  statements: (dialect: Pick<SqlDialect, 'serialKey' | 'text'>) => readonly string[];
}
