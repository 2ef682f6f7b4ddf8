import type { Selectable } from 'kysely';
import type { Context } from '../dialect.ts';
import type { AuditHeadTable } from '../schema.ts';
import { type AuditEnd, type ChainPart, createChainSigner, genesis } from './audit-chain.ts';
import { type AuditEntry, link } from './audit-lines.ts';
import { besideAudit } from './beside-audit.ts';

/** `foreign`: signed with an unknown key, or unsigned. Signing it would confirm what someone else wrote. */
export type Signed = 'present' | 'renewed' | 'foreign';

/** Reasons not to write a row: it would leave the end unsigned for good. */
export const unwritable = {
  keyless: "new rows of the audit must be signed: set HOSTLER_SECRET_KEY to the bot's key",
  removed:
    'the audit is empty, and the requests, votes or archives beside it show that its rows were removed: restore a backup, or run hostler rotate --sign-anew, which begins the audit again with a row that says so',
  foreign:
    'HOSTLER_SECRET_KEY is not the key that the audit in this database is signed with: set that key, or give it as HOSTLER_SECRET_KEY_PREVIOUS',
} as const;

/** Makes the signatures of both ends of the audit, and renews them after the key has changed. */
export function createSignatures({ db, dialect, now }: Context, keys: readonly Uint8Array[] = []) {
  const signer = createChainSigner(keys);
  const stateOf = (part: ChainPart, end: AuditEnd, signature: string | null): Signed => {
    if ((part === 'base' && end.seq === 0) || (signature !== null && signature === signer.sign(part, end)))
      return 'present';
    return signer.isSigned(part, end, signature) ? 'renewed' : 'foreign';
  };
  /** Runs the work with the head locked, so that no process appends meanwhile. */
  const locked = <T>(work: (transaction: Context['db'], row: Selectable<AuditHeadTable>) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (transaction) => {
      const row = await transaction
        .selectFrom('auditHead')
        .selectAll()
        .where('id', '=', 1)
        .$if(dialect.hasRowLocks, (query) => query.forUpdate())
        .executeTakeFirstOrThrow();
      return work(transaction, row);
    });
  const isRemoved = async ({ seq }: AuditEnd, reading = db): Promise<boolean> =>
    seq === 0 && (await besideAudit(reading)) !== undefined;
  const headOf = () => db.selectFrom('auditHead').select(['seq', 'hash', 'signature']).executeTakeFirst();
  return {
    /** Signs the end of a chain without rows, unless requests, votes or archives show that its rows were removed. */
    async begin(): Promise<void> {
      if (!signer.hasKey) return;
      const row = await headOf();
      if (row?.seq !== 0 || stateOf('head', row, row.signature) === 'present' || (await isRemoved(row))) return;
      await db
        .updateTable('auditHead')
        .set({ signature: signer.sign('head', genesis) })
        .where('id', '=', 1)
        .where('seq', '=', 0)
        .execute();
    },

    /**
     * The reason not to write to the audit with these keys, if any. An audit that started without a key stays
     * unsigned.
     */
    async refusal(): Promise<keyof typeof unwritable | undefined> {
      const row = await headOf();
      if (row === undefined || (row.signature === null && row.seq > 0)) return undefined;
      if (await isRemoved(row)) return 'removed';
      if (!signer.hasKey) return 'keyless';
      return signer.isSigned('head', row, row.signature) ? undefined : 'foreign';
    },

    /** Signs with the first key the ends that another key signed. */
    renew: (): Promise<Signed> =>
      locked(async (transaction, row) => {
        const base = { seq: row.baseSeq, hash: row.baseHash };
        const states = [stateOf('head', row, row.signature), stateOf('base', base, row.baseSignature)];
        if (states.includes('foreign') || (await isRemoved(row, transaction))) return 'foreign';
        if (!states.includes('renewed')) return 'present';
        await transaction
          .updateTable('auditHead')
          .set({ signature: signer.sign('head', row), baseSignature: signer.sign('base', base) })
          .where('id', '=', 1)
          .execute();
        return 'renewed';
      }),

    /** Appends the entry and signs both ends, regardless of their previous signatures. */
    signAnew: (entryOf: (end: AuditEnd) => AuditEntry): Promise<AuditEnd> =>
      locked(async (transaction, row) => {
        const line = link(entryOf({ seq: row.seq, hash: row.hash }), row.seq + 1, now(), row.hash);
        const end = { seq: line.seq, hash: line.hash };
        const baseSignature = signer.sign('base', { seq: row.baseSeq, hash: row.baseHash });
        await transaction.insertInto('audit').values(line).execute();
        await transaction
          .updateTable('auditHead')
          .set({ ...end, signature: signer.sign('head', end), baseSignature })
          .where('id', '=', 1)
          .execute();
        return end;
      }),
  };
}

export type Signatures = ReturnType<typeof createSignatures>;
