import { parseArgs } from 'node:util';
import { count as countOf } from '../core/text/words.ts';
import { CliError } from '../core/view/errors.ts';
import { plain } from '../core/view/view.ts';
import type { AuditEnd } from '../store/audit/audit-chain.ts';
import type { Cli } from './cli.ts';
import { usages } from './usages.ts';
import { withStore } from './with-store.ts';

export async function runAudit({ argv, config, print }: Cli): Promise<number> {
  const [verb, ...rest] = argv;
  if (verb !== 'verify' && verb !== 'export') throw new CliError(`Choose verify or export.\n${usages.audit}`);
  const { values } = parseArgs({ args: rest, options: { since: { type: 'string' } } });
  const since = values.since === undefined ? undefined : readEnd(values.since);
  return withStore(config, { mustExist: true }, async ({ audit }) => {
    if (verb === 'export') {
      for await (const row of audit.exportAll()) print(JSON.stringify(row));
      return 0;
    }
    const verdict = await audit.verify({ since });
    if (!verdict.ok) {
      print(`✕ row ${verdict.seq}: ${verdict.why}`);
      return 1;
    }
    const { count, hash } = verdict;
    print(`✓ ${countOf(count, 'row')}, every link holds; the end is ${count}:${hash}`);
    const installation = await audit.installation();
    if (installation !== undefined)
      print(`Installation ${installation.id} began at ${plain([{ date: installation.at }])}.`);
    if (!verdict.isSigned) print('The signature of the end was not checked, which requires HOSTLER_SECRET_KEY.');
    return 0;
  });
}

/** Reads an end such as `812:5f2c…`, which the audit channel gets daily. */
function readEnd(text: string): AuditEnd {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new CliError('--since is an end from the audit channel: a number, a colon and 64 characters.');
  return { seq: Number(seq), hash };
}
