import { parseArgs } from 'node:util';
import { keyFor } from '../core/text/keys.ts';
import { count } from '../core/text/words.ts';
import { CliError } from '../core/view/errors.ts';
import { seal, unseal } from '../engine/context/seal-secrets.ts';
import { reportWithinMs } from '../engine/context/time-limits.ts';
import { awaitsReport } from '../engine/hooks/creation-webhook.ts';
import type { Store } from '../store/database.ts';
import { type Cli, whoseShell } from './cli.ts';
import { usages } from './usages.ts';
import { withStore } from './with-store.ts';

const needsBoth = `Set HOSTLER_SECRET_KEY to the new key and HOSTLER_SECRET_KEY_PREVIOUS to the old one, restart every replica with both, and run this.\n${usages.rotate}`;

const needsSigner =
  'Set HOSTLER_SECRET_KEY_PREVIOUS to the key that the audit is signed with, and run this again. If that key is lost, or somebody wrote to the audit without a key, stop the bot and run hostler rotate --sign-anew.';

const signedWords = {
  present: '✓ audit: its end is signed with the present key',
  renewed: '✓ audit: its end is signed again with the present key',
  foreign: '✕ audit: the end is signed with neither key and was not changed: see hostler audit verify',
} as const;

/** Moves stored values from the previous key to the present one. The parts are independent, so it may be run again. */
export async function runRotate({ argv, config, print }: Cli): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { 'sign-anew': { type: 'boolean', default: false } } });
  if (values['sign-anew']) return signAnew(config, print);
  const [present, previous] = config.secretKeys ?? [];
  if (present === undefined || previous === undefined) throw new CliError(needsBoth);
  if (Buffer.from(present).equals(previous))
    throw new CliError('HOSTLER_SECRET_KEY and HOSTLER_SECRET_KEY_PREVIOUS are the same: make a new key first.');
  return withStore(config, { mustExist: true }, async (store) => {
    await moveSecrets(store, present, previous, print);
    const signed = await store.signatures.renew();
    const isForeign = signed === 'foreign';
    print(signedWords[signed]);
    const isAwaited = await sayCreations(store, print);
    if (isForeign) print(needsSigner);
    else if (isAwaited)
      print('Some values still need the previous key. Keep HOSTLER_SECRET_KEY_PREVIOUS, and run this again.');
    else print('Nothing needs the previous key now: remove HOSTLER_SECRET_KEY_PREVIOUS, and restart.');
    return isForeign || isAwaited ? 1 : 0;
  });
}

/** Signs the audit again after its key was lost, or someone wrote without a key. A row of the audit records this. */
async function signAnew(config: Cli['config'], print: Cli['print']): Promise<number> {
  if ((config.secretKeys ?? []).length === 0) throw new CliError("Set HOSTLER_SECRET_KEY to the bot's key.");
  return withStore(config, { mustExist: true }, async (store) => {
    if ((await store.signatures.renew()) !== 'foreign') {
      print('✓ audit: its end is signed with the present key; no row was added');
      return 0;
    }
    const links = await store.audit.verify({ isOfLinks: true });
    if (!links.ok) throw new CliError(`Nothing was signed, since the chain is broken: ${links.why}.`);
    const { seq } = await store.signatures.signAnew((before) => ({
      kind: 'signed_anew',
      text:
        before.seq === 0
          ? `the rows of the audit had been removed, and a new audit was started by ${whoseShell()} at the command line`
          : `the audit up to row ${before.seq}, which no key at hand had signed, was signed anew by ${whoseShell()} at the command line`,
      data: { ...before },
    }));
    print(`✓ audit: its end is signed anew, and row ${seq} says so. Nothing proves who wrote the rows before it.`);
    return 0;
  });
}

/** Reseals the passwords that wait to be revealed. One that neither key opens expires within ten minutes. */
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
  if (lost > 0) print(`✕ ${count(lost, 'password')} sealed with neither key; its requester asks again`);
}

function opened(sealed: string, key: Uint8Array, bound: string): string | undefined {
  try {
    return unseal(sealed, [key], bound);
  } catch {
    return undefined;
  }
}

/** Reports new servers whose creation report is signed with a secret of the previous key, kept by the provider. */
async function sayCreations(store: Store, print: Cli['print']): Promise<boolean> {
  const now = store.now();
  const recent = await store.operations.list({ commands: ['create'], limit: 1_000 });
  const awaited = recent.filter((row) => awaitsReport(row, now));
  const ids = awaited.map(({ id }) => id);
  const reported = await store.values.find('sealed', ids);
  const left = awaited.filter(({ id }) => !reported.has(id));
  const last = Math.max(...left.map(({ startedAt }) => (startedAt ?? now) + reportWithinMs));
  if (left.length === 0) print('✓ new servers: no report is awaited');
  else
    print(
      `· new servers: ${count(left.length, 'report')} of the provider may come signed with the previous key, until ${new Date(last).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    );
  return left.length > 0;
}
