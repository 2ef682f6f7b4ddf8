import { type AuditEnd, type ChainPart, createChainSigner } from './audit-chain.ts';
import type { Context } from './dialect.ts';

/** `foreign` is signed with none of the keys, or not at all: signing it would confirm what somebody else wrote. */
export type Signed = 'present' | 'renewed' | 'foreign';

/** The signatures of both ends of the audit, when the key that makes them is another. */
export function createSignatures({ db, dialect }: Context, keys: readonly Uint8Array[] = []) {
  const signer = createChainSigner(keys);
  const stateOf = (part: ChainPart, end: AuditEnd, signature: string | null): Signed => {
    if (end.seq === 0 || (signature !== null && signature === signer.sign(part, end))) return 'present';
    return signer.isSigned(part, end, signature) ? 'renewed' : 'foreign';
  };
  return {
    /** Signs again, with the first key, what another key signed. Nothing is appended meanwhile. */
    renew: (): Promise<Signed> =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .selectFrom('auditHead')
          .selectAll()
          .where('id', '=', 1)
          .$if(dialect.hasRowLocks, (query) => query.forUpdate())
          .executeTakeFirstOrThrow();
        const base = { seq: row.baseSeq, hash: row.baseHash };
        const states = [stateOf('head', row, row.signature), stateOf('base', base, row.baseSignature)];
        if (states.includes('foreign')) return 'foreign';
        if (!states.includes('renewed')) return 'present';
        await transaction
          .updateTable('auditHead')
          .set({ signature: signer.sign('head', row), baseSignature: signer.sign('base', base) })
          .where('id', '=', 1)
          .execute();
        return 'renewed';
      }),
  };
}

export type Signatures = ReturnType<typeof createSignatures>;
