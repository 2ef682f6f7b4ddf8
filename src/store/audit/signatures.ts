import { randomUUID } from 'node:crypto';
import type { Context } from '../dialect.ts';
import { type Head, lockEnd, readHead } from './audit-append.ts';
import { type AuditEnd, createChainSigner, genesis } from './audit-chain.ts';
import { type AuditEntry, link } from './audit-lines.ts';
import { besideAudit, newerThanAudit } from './beside-audit.ts';

/** `foreign`: signed with an unknown key, or unsigned. Signing it would confirm what someone else wrote. */
export type Signed = 'present' | 'renewed' | 'foreign';

/** Reasons not to write a row: it would leave the end unsigned for good. */
export const unwritable = {
  keyless: "new rows of the audit must be signed: set HOSTLER_SECRET_KEY to the bot's key",
  removed:
    'the audit is empty or ends too early, and other rows beside it show that its rows were removed: restore a backup, or run hostler rotate --sign-anew, which adds a row that says so',
  foreign:
    'HOSTLER_SECRET_KEY is not the key that the audit in this database is signed with: set that key, or give it as HOSTLER_SECRET_KEY_PREVIOUS',
} as const;

/** The first row of each audit. The random text makes its hash differ from that of every other installation. */
const installed = (): AuditEntry => {
  return { kind: 'installed', text: 'this installation of Hostler began', data: { random: randomUUID() } };
};

/** Signs the end of the audit, and signs it again after the key has changed. */
export function createSignatures({ db, dialect, now }: Context, keys: readonly Uint8Array[] = []) {
  const signer = createChainSigner(keys);
  const stateOf = (end: AuditEnd, signature: string | null): Signed => {
    if (signature !== null && signature === signer.sign(end)) return 'present';
    return signer.isSigned(end, signature) ? 'renewed' : 'foreign';
  };
  const locked = <T>(work: (transaction: Context['db'], row: Head) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (transaction) => work(transaction, await lockEnd(transaction, dialect)));
  const setEnd = async (transaction: Context['db'], { seq, hash }: AuditEnd): Promise<AuditEnd> => {
    const end = { seq, hash };
    const head = { ...end, signature: signer.sign(end) };
    await transaction.updateTable('auditHead').set(head).where('id', '=', 1).execute();
    return end;
  };
  const append = async (transaction: Context['db'], { seq, hash }: AuditEnd, entry: AuditEntry): Promise<AuditEnd> => {
    const line = link(entry, seq + 1, now(), hash);
    await transaction.insertInto('audit').values(line).execute();
    return setEnd(transaction, line);
  };
  const isRemoved = async ({ seq }: AuditEnd, reading = db): Promise<boolean> =>
    (await (seq === 0 ? besideAudit : newerThanAudit)(reading)) !== undefined;
  return {
    /**
     * Begins an audit without rows, unless other rows show that its rows were removed: a process that writes adds its
     * first row, any other signs its end.
     */
    async begin(isWriting: boolean): Promise<void> {
      const head = await readHead(db).executeTakeFirst();
      if (!signer.hasKey || head?.seq !== 0) return;
      await locked(async (transaction, row) => {
        if (row.seq > 0 || (await isRemoved(row, transaction))) return;
        await (isWriting ? append(transaction, genesis, installed()) : setEnd(transaction, genesis));
      });
    },

    /** The reason not to write to the audit with these keys, if any. An audit begun without a key stays unsigned. */
    async refusal(): Promise<keyof typeof unwritable | undefined> {
      const row = await readHead(db).executeTakeFirst();
      if (row === undefined || (row.signature === null && row.seq > 0)) return undefined;
      if (await isRemoved(row)) return 'removed';
      if (!signer.hasKey) return 'keyless';
      return signer.isSigned(row, row.signature) ? undefined : 'foreign';
    },

    /** Signs with the first key an end that another key signed. */
    renew: (): Promise<Signed> =>
      locked(async (transaction, row) => {
        const state = (await isRemoved(row, transaction)) ? 'foreign' : stateOf(row, row.signature);
        if (state === 'renewed') await setEnd(transaction, row);
        return state;
      }),

    /** Appends the entry and signs the end, regardless of its previous signature. */
    signAnew: (entryOf: (end: AuditEnd) => AuditEntry): Promise<AuditEnd> =>
      locked((transaction, { seq, hash }) => append(transaction, { seq, hash }, entryOf({ seq, hash }))),
  };
}
