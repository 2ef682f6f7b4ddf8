import { count } from '../../core/text/words.ts';
import { notice, text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { putForEach } from '../context/outbox.ts';

/**
 * Moves everything that belongs to a channel to its new id. This does not restore rights: the channel is shared now,
 * and its rights are suspended until an admin confirms them (policies.ts).
 */
export async function moveChannel(context: EngineContext, { from, to }: Record<'from' | 'to', string>): Promise<void> {
  const { store, settings } = context;
  const { settings: made, openOperations, hooks } = await store.channels.contents(from);
  if (made + openOperations + hooks > 0) {
    const moved = `${count(made, 'setting')}, ${count(openOperations, 'open request')} and ${count(hooks, 'webhook')}`;
    // The message comes before the move: after a crash in between, Slack delivers the event again.
    const done = `the channel has another id: ${from} is ${to} now; moved: ${moved}`;
    await context.audit({ kind: 'channel', channel: to, text: done, data: { from, to } });
    const isAuditChannel = settings.auditChannel === from;
    const words = text(
      'Slack gave a channel another id, as it does when a private channel is shared: ',
      { code: from },
      ' is ',
      { channel: to },
      ' (',
      { code: to },
      `) now. Its policy, alerts and requests moved along: ${moved}. Change the id in your files, where they name it`,
      isAuditChannel ? ', and in HOSTLER_AUDIT_CHANNEL.' : '.',
    );
    const auditChannel = (isAuditChannel ? to : settings.auditChannel) ?? [];
    await putForEach(context, [settings.admins, auditChannel].flat(), `moved:${from}:${to}`, notice('warning', words));
  }
  await store.channels.move(from, to);
  context.alerts.publishSoon(to);
}
