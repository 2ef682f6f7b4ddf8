import { type Alert, mostUrgentFirst, postedKinds } from '../../core/alert/alert.ts';
import { maySeeAlert } from '../../core/alert/alert-rule.ts';
import { aside } from '../../core/async/aside.ts';
import type { AlertReader, AlertWriter } from '../../core/command/alert-port.ts';
import type { Asking } from '../../core/command/command.ts';
import { toJson } from '../../core/text/json.ts';
import { alertsOf, handOver } from '../alerts/acknowledge.ts';
import { makeHook } from '../alerts/make-hook.ts';
import { digestFacts, nextDigest } from '../alerts/post-digest.ts';
import { createSweepContext } from '../alerts/rule-context.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { withdrawOf } from '../operation/withdraw-of.ts';

/** More than are ever open in a channel that people still read. */
const mostOpen = 10_000;

export function createAlertReader(context: EngineContext, access: Access): AlertReader {
  const { store, settings } = context;
  const seen = (alerts: readonly Alert[]) =>
    alerts
      .filter((alert) => alert.channel === access.channel && maySeeAlert(alert, context.alertRules, access))
      .toSorted(mostUrgentFirst);
  return {
    rules: context.alertRules,
    subscription: (channel) => store.values.get('subscription', channel),
    open: async () => seen(await store.alerts.listOpen({ channel: access.channel, limit: mostOpen })),
    since: async (at) => seen(await store.alerts.openSince(at, mostOpen)),
    find: (id) => alertsOf(context, id),
    hooks: (channel, kinds = postedKinds) => store.hooks.list(channel, kinds),
    whyNoEvents: context.eventPoster.whyNot,
    nextDigest: (channel, digest) => nextDigest(context, channel, digest),
    handover: (since) => {
      const { channel, actor } = access;
      const reads = createSweepContext(context)({ everyMs: 0 }, () => true);
      return digestFacts(context, { channel, reader: access, user: actor.id, since }, reads);
    },
    isReachable: settings.publicUrl !== undefined,
  };
}

/** The audit of a saved version of a channel's settings. */
export function versionEntry(kind: 'alerts' | 'policy', version: number, before: object | undefined, after: object) {
  const data = { before: toJson(before ?? null), after: toJson(after) };
  return { kind, text: `${kind}: version ${version} → ${version + 1}`, data } as const;
}

export function createAlertWriter(context: EngineContext, asking: Asking): AlertWriter {
  const { store } = context;
  const { actor } = asking;
  return {
    subscribe: async (channel, subscription, expectedVersion) => {
      const before = await store.values.get('subscription', channel);
      const isSaved = await store.values.change('subscription', channel, (stored) =>
        (stored?.version ?? 0) === expectedVersion ? { ...subscription, version: expectedVersion + 1 } : undefined,
      );
      if (isSaved) {
        await context.audit({ ...versionEntry('alerts', expectedVersion, before, subscription), actor, channel });
        // The next sweep may be a minute away, and a change before it would count as usual.
        for (const rule of Object.keys(subscription.rules)) {
          if (before?.rules[rule] === undefined)
            aside(context.alerts.checkNow(rule), context.log, 'reading for a new subscription');
        }
      }
      return isSaved;
    },
    handOver: (alerts, to) => handOver(context, actor, alerts, to),
    addHook: (hook) => makeHook(context, { ...hook, by: actor }),
    revokeHook: async (id) => {
      const entry = { kind: 'hook', actor, channel: asking.channel, text: `hook ${id} revoked` } as const;
      const isRevoked = await context.audit({ ...entry, change: (on) => store.hooks.revoke(id, on) });
      await withdrawOf(context, id, asking);
      return isRevoked;
    },
  };
}
