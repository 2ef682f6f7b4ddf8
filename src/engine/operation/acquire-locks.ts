import { mayKnow, targetKey } from '../../core/account/account.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { defined } from '../../core/text/defined.ts';
import type { AuditEntry, AuditedChange } from '../../store/audit/audit-lines.ts';
import type { OperationPatch } from '../../store/records/operations.ts';
import type { LocksTable } from '../../store/schema.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { freshMs } from '../context/time-limits.ts';
import { announceEnd } from './announce-end.ts';
import { recordEntry } from './entry-of.ts';
import { findOperation, type Operation } from './read-operation.ts';

/** The locks that a request holds on its targets, so that no other request changes them meanwhile. */

/** Acquires the locks. Returns a sentence about the request that holds one of the targets, or undefined on success. */
export async function acquireLocks(context: EngineContext, operation: Operation): Promise<string | undefined> {
  const { id, requester, channel, plan } = operation;
  const wanted = [...new Set(plan.targets.map(targetKey))];
  for (const released = new Set<string>(); ; ) {
    const lock = await context.store.locks.acquire(wanted, { operationId: id, owner: requester, reason: plan.title });
    if (lock.ok) return undefined;
    const { operationId, target: key } = lock.holder;
    if (released.has(operationId) || !(await releaseIfEnded(context, lock.holder))) {
      const name = plan.targets.find((target) => targetKey(target) === key)?.name ?? 'it';
      const access = await context.accessOf(requester, channel, freshMs);
      return `${name} is locked by ${await sayHolder(context, lock.holder, access, requester)}`;
    }
    released.add(operationId);
  }
}

/**
 * True if the request that holds the lock has ended, and releases the lock. A process killed between an end and its
 * announcement leaves the lock behind, so the announcement, which releases it, is repeated first.
 */
export async function releaseIfEnded(context: EngineContext, { operationId }: Pick<LocksTable, 'operationId'>) {
  const holder = await findOperation(context, operationId);
  if (holder === undefined) await context.store.locks.release(operationId, context.owner);
  else if (isEnd(holder.state)) await announceEnd(context, holder);
  else return false;
  return true;
}

/** Names the request that holds a lock, if the reader may read everything that its title names. */
export async function sayHolder(
  context: Parameters<typeof findOperation>[0],
  { operationId, reason }: Pick<LocksTable, 'operationId' | 'reason'>,
  access: Pick<Access, 'channel' | 'may'>,
  requester: string,
): Promise<string> {
  const holder = await findOperation(context, operationId);
  const isNamed = holder !== undefined && mayKnow({ ...holder.plan, requester: holder.requester }, requester, access);
  return isNamed ? `"${reason}"` : 'another request';
}

/** Lets a decided request wait, and records `entry`. The locks go first, so that a killed process leaves none. */
export async function waitUnlocked(
  context: EngineContext,
  operation: Operation,
  state: 'scheduled' | 'cooling',
  patch: OperationPatch,
  entry?: { readonly kind: 'scheduled' | 'moved'; readonly data: AuditEntry['data'] },
): Promise<'next'> {
  const { id, plan } = operation;
  const { locks, operations } = context.store;
  await locks.release(id, context.owner);
  const change: AuditedChange = (on) => operations.move(id, 'approved', state, patch, on);
  if (entry === undefined) await change();
  else await recordEntry(context, operation, entry.kind, plan.title, { ...defined({ data: entry.data }), change });
  return 'next';
}
