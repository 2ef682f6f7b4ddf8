import { keyFor } from '../core/keys.ts';
import { count } from '../core/words.ts';
import { awaitsReport, reportWithinMs } from '../engine/alerts/creation-webhook.ts';
import { seal, unseal } from '../engine/operation/seal.ts';
import { openStore, type Store } from '../store/database.ts';
import { type Cli, CliError } from './cli.ts';
import { usages } from './usage.ts';

const needsBoth = `Set HOSTLER_SECRET_KEY to the new key and HOSTLER_SECRET_KEY_PREVIOUS to the one before, restart every replica with both, and run this.\n${usages.rotate}`;

/** Moves what is stored from the previous key to the present one. Each part stands alone, so it may be run again. */
export async function runRotate({ argv, config, print }: Cli): Promise<number> {
  if (argv.length > 0) throw new CliError(usages.rotate);
  const [present, previous] = config.secretKeys ?? [];
  if (present === undefined || previous === undefined) throw new CliError(needsBoth);
  if (Buffer.from(present).equals(previous))
    throw new CliError('HOSTLER_SECRET_KEY and HOSTLER_SECRET_KEY_PREVIOUS are the same: make a new key first.');
  const store = await openStore(config.databaseUrl, { auditKeys: config.auditKeys ?? [], mustExist: true });
  try {
    const left = [
      await moveSecrets(store, present, previous, print),
      await moveSignatures(store, print),
      await sayCreations(store, print),
    ];
    if (left.some(Boolean)) {
      print('Something is left. Keep HOSTLER_SECRET_KEY_PREVIOUS, and run this again.');
      return 1;
    }
    print('Nothing is left under the previous key: remove HOSTLER_SECRET_KEY_PREVIOUS, and restart.');
    return 0;
  } finally {
    await store.close();
  }
}

/** True when something is left. What opens under neither key is gone within ten minutes, as every secret is. */
async function moveSecrets(store: Store, present: Uint8Array, previous: Uint8Array, print: Cli['print']) {
  const [to, from] = [keyFor(present, 'sealed secrets'), keyFor(previous, 'sealed secrets')];
  let [moved, lost] = [0, 0];
  for (const { id, userId, sealed } of await store.secrets.list(store.now())) {
    const bound = `${id}:${userId}`;
    if (opened(sealed, to, bound) !== undefined) continue;
    const value = opened(sealed, from, bound);
    if (value === undefined) lost += 1;
    else if (await store.secrets.reseal(id, sealed, seal(value, to, bound))) moved += 1;
  }
  print(`✓ sealed passwords: ${count(moved, 'password')} sealed again with the present key`);
  if (lost > 0) print(`✕ ${count(lost, 'password')} sealed with neither key; whoever asked for it asks again`);
  return false;
}

function opened(sealed: string, key: Uint8Array, bound: string): string | undefined {
  try {
    return unseal(sealed, [key], bound);
  } catch {
    return undefined;
  }
}

async function moveSignatures(store: Store, print: Cli['print']): Promise<boolean> {
  const signed = await store.signatures.renew();
  const words = {
    present: '✓ audit: its ends are signed with the present key',
    renewed: '✓ audit: its ends are signed again with the present key',
    foreign: '✕ audit: an end is signed with neither key, and stays so: see hostler audit verify',
  };
  print(words[signed]);
  return signed === 'foreign';
}

/** The provider was given a secret made from the key of then, and keeps it. */
async function sayCreations(store: Store, print: Cli['print']): Promise<boolean> {
  const now = store.now();
  const recent = await store.operations.list({ commands: ['create'], limit: 1_000 });
  const awaited = recent.filter((row) => awaitsReport(row, now));
  const reported = await store.notes.find(
    'sealed',
    awaited.map(({ id }) => id),
  );
  const left = awaited.filter(({ id }) => !reported.has(id));
  const last = Math.max(...left.map(({ startedAt }) => (startedAt ?? now) + reportWithinMs));
  if (left.length === 0) print('✓ new servers: no report is awaited');
  else
    print(
      `· new servers: ${count(left.length, 'report')} of the provider may come signed with the previous key, until ${new Date(last).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    );
  return left.length > 0;
}
