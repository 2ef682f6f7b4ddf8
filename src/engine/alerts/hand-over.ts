import type { EngineContext } from '../context/engine-context.ts';
import { acknowledgedForMs } from './acknowledge.ts';
import { persist } from './lifecycle.ts';
import { readAlert } from './records.ts';

/** Puts somebody on an open alert; false when it is not open any more. The publisher tells them, once. */
export async function handOver(
  context: Pick<EngineContext, 'alerts' | 'audit' | 'now' | 'store'>,
  actor: string,
  id: string,
  to: string,
): Promise<boolean> {
  const { store, now } = context;
  const found = await store.alerts.find(id);
  if (found === undefined) return false;
  const forMs = await acknowledgedForMs(context, found.channel);
  const isDone = await persist(context, found, async () => {
    const row = await store.alerts.find(id);
    if (row === undefined || row.resolvedAt !== null) return false;
    const at = now();
    const isMine = await store.alerts.change(id, row.version, {
      state: 'acknowledged',
      byUser: to,
      until: at + forMs,
      sinceAt: at,
      handedBy: actor === to ? null : actor,
    });
    return isMine || 'lost';
  });
  if (!isDone) return false;
  await context.audit({
    kind: 'alert',
    actor,
    channel: found.channel,
    text: `handed over to @${to}: ${readAlert(found).finding.title}`,
    data: { alert: id, to },
  });
  await context.alerts.publish(found.channel);
  return true;
}
