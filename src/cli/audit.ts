import { openStore } from '../store/database.ts';
import { type Cli, CliError } from './cli.ts';
import { usages } from './usage.ts';

export async function runAudit({ argv, config, print }: Cli): Promise<number> {
  const [verb] = argv;
  if (verb !== 'verify' && verb !== 'export') throw new CliError(`What to do with the audit?\n${usages.audit}`);
  const store = await openStore(config.databaseUrl);
  try {
    if (verb === 'export') {
      for await (const row of store.audit.exportAll()) print(JSON.stringify(row));
      return 0;
    }
    const verdict = await store.audit.verify();
    print(verdict.ok ? `✓ ${verdict.count} rows, every link holds` : `✕ row ${verdict.seq}: ${verdict.why}`);
    return verdict.ok ? 0 : 1;
  } finally {
    await store.close();
  }
}
