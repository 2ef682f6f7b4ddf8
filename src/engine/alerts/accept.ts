import type { RightAs } from '../../core/alert/alert.ts';
import { isSeen } from '../../core/alert/on-it-button.ts';
import { hashOf } from '../../core/text/json.ts';
import type { AlertRow } from '../../store/records/alert-messages.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { persist } from './lifecycle.ts';
import { readAlert } from './records.ts';

/**
 * Accepts the value shown by an alert as the usual one, for every channel. False if the value is not the one that the
 * person saw: a sweep may have read another before its edit of the message arrived. The caller has checked the person's
 * right.
 */
export async function acceptAlert(
  context: Pick<EngineContext, 'alerts' | 'audit' | 'now' | 'store'>,
  actor: string,
  [row]: readonly AlertRow[],
  shown: string | undefined,
): Promise<boolean> {
  const { store, now } = context;
  const finding = row && readAlert(row).finding;
  if (row === undefined || finding?.rightAs === undefined || !isSeen(finding.rightAs, shown)) return false;
  const { kind, key, seen, label, ended = label } = finding.rightAs;
  const observed = (await store.values.find(kind, [key])).get(key);
  if (observed === undefined || hashOf(observed.value.seen) !== seen) return false;
  if (kind === 'zone') await store.zoneVersions.accept(key.toLowerCase(), observed.at, actor);
  // The note is for a sweep that has just read the observation and will write it again.
  await store.values.write('accepted', { [`${kind}:${key}`]: { by: actor, seen } }, now());
  await store.values.write(kind, { [key]: { usual: observed.value.seen, seen: observed.value.seen } }, observed.at);
  await context.audit({
    kind: 'alert',
    actor,
    channel: row.channel,
    text: `${ended}: ${finding.title}`,
    data: { alert: row.id, accepted: `${kind}:${key}` },
  });
  for (const channel of await closeEverywhere(context, row, finding.rightAs, actor))
    await context.alerts.publish(channel);
  return true;
}

/** Closes the alerts about this value and returns their channels. */
async function closeEverywhere(
  context: Pick<EngineContext, 'alerts' | 'now' | 'store'>,
  { rule, cause }: Pick<AlertRow, 'rule' | 'cause'>,
  { label, seen, ended = label }: RightAs,
  actor: string,
): Promise<ReadonlySet<string>> {
  const { store, now } = context;
  const channels = new Set<string>();
  for (const { channel } of (await store.alerts.openRules()).filter((open) => open.rule === rule)) {
    await persist(context, { channel, rule, cause }, async () => {
      const row = (await store.alerts.active(channel, rule)).find((candidate) => candidate.cause === cause);
      const finding = row && readAlert(row).finding;
      if (row === undefined || finding?.rightAs?.seen !== seen) return true;
      const isStored = await store.alerts.change(row.id, row.version, {
        state: 'accepted',
        resolvedAt: now(),
        endText: `${ended}: ${finding.target.name}`,
        byUser: actor,
        until: null,
        handedBy: null,
        calmSince: null,
      });
      if (isStored) channels.add(channel);
      return isStored || 'lost';
    });
  }
  return channels;
}
