import { count } from '../../core/text/words.ts';
import type { AlertRow } from '../../store/records/alert-messages.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { acknowledgedForMs } from './acknowledge.ts';
import { persist } from './lifecycle.ts';
import { readAlert } from './records.ts';

/** Assigns a person to open alerts; false if none is still open. The publisher notifies the person once. */
export async function handOver(
  context: Pick<EngineContext, 'alerts' | 'audit' | 'now' | 'store'>,
  actor: string,
  ids: readonly string[],
  to: string,
): Promise<boolean> {
  const at = context.now();
  const handed: AlertRow[] = [];
  for (const id of ids) {
    const row = await handOverOne(context, id, { actor, to, at });
    if (row !== undefined) handed.push(row);
  }
  const [first] = handed;
  if (first === undefined) return false;
  const what = handed.length === 1 ? readAlert(first).finding.title : count(handed.length, 'alert');
  await context.audit({
    kind: 'alert',
    actor,
    channel: first.channel,
    text: `handed over to @${to}: ${what}`,
    data: { alert: handed.map(({ id }) => id).join(' '), to },
  });
  await context.alerts.publish(first.channel);
  return true;
}

async function handOverOne(
  context: Pick<EngineContext, 'alerts' | 'store'>,
  id: string,
  { actor, to, at }: { readonly actor: string; readonly to: string; readonly at: number },
): Promise<AlertRow | undefined> {
  const { store } = context;
  const alert = await store.alerts.find(id);
  if (alert === undefined) return undefined;
  const forMs = await acknowledgedForMs(context, alert.channel);
  const isDone = await persist(context, alert, async () => {
    const row = await store.alerts.find(id);
    if (row === undefined || row.resolvedAt !== null) return false;
    const isStored = await store.alerts.change(id, row.version, {
      state: 'acknowledged',
      byUser: to,
      until: at + forMs,
      sinceAt: at,
      handedBy: actor === to ? null : actor,
    });
    return isStored || 'lost';
  });
  return isDone ? alert : undefined;
}
