import type { AlertReader, AlertWriter } from '../../core/bot.ts';
import type { Asking } from '../../core/command.ts';
import type { View } from '../../core/view.ts';
import { text } from '../../core/view.ts';
import type { Kit } from '../kit.ts';
import { sampleId } from './act.ts';
import { makeHook } from './hooks.ts';
import { summaryOf } from './records.ts';

export function createAlertReader(kit: Kit): AlertReader {
  const { store, settings } = kit.deps;
  return {
    rules: kit.alerts.rules,
    sample: (name) => sampleView(kit, name),
    subscription: (channel) => kit.alerts.subscriptions.get(channel),
    open: async ({ channel, offset, limit }) => {
      const [rows, count] = await Promise.all([
        store.alerts.listOpen({ channel, offset, limit }),
        store.alerts.countOpen(channel),
      ]);
      return { alerts: rows.map(summaryOf), count };
    },
    find: async (id) => {
      const row = await store.alerts.find(id);
      return row && { ...summaryOf(row), channel: row.channel };
    },
    hooks: async (channel) => {
      const rows = await store.hooks.list(channel);
      return rows.map(({ id, kind, name, createdBy, createdAt, usedAt }) => ({
        id,
        kind,
        name,
        channel,
        createdBy,
        createdAt,
        usedAt,
      }));
    },
    isReachable: settings.publicUrl !== undefined,
  };
}

export function createAlertWriter(kit: Kit, asking: Asking): AlertWriter {
  const { store } = kit.deps;
  return {
    subscribe: async (channel, subscription, expectedVersion) => {
      const before = await kit.alerts.subscriptions.get(channel);
      const isSaved = await kit.alerts.subscriptions.save(channel, subscription, expectedVersion);
      if (isSaved) {
        await kit.audit({
          kind: 'alerts',
          actor: asking.actor,
          channel,
          text: `alerts of ${channel}: version ${expectedVersion} → ${expectedVersion + 1}`,
          data: JSON.parse(JSON.stringify({ before: before ?? null, after: subscription })),
        });
      }
      return isSaved;
    },
    addHook: async ({ channel, kind, name }) => {
      const made = await makeHook(kit, { channel, kind, name, by: asking.actor });
      await kit.audit({
        kind: 'hook',
        actor: asking.actor,
        channel,
        text: `hook ${made.id} made: ${kind}, ${name}`,
      });
      return made;
    },
    revokeHook: async (id) => {
      const isRevoked = await store.hooks.revoke(id, asking.actor);
      if (isRevoked)
        await kit.audit({ kind: 'hook', actor: asking.actor, channel: asking.channel, text: `hook ${id} revoked` });
      return isRevoked;
    },
  };
}

function sampleView(kit: Kit, name: string): View | undefined {
  const rule = kit.alerts.rules.find((known) => known.name === name);
  if (rule === undefined) return undefined;
  const finding = rule.sample(kit.deps.now());
  return {
    summary: `A sample: ${finding.title}`,
    parts: [
      { kind: 'heading', text: `▲ ${finding.title}`, aside: 'a sample' },
      ...finding.lines.map((line) => ({ kind: 'text', text: line }) as const),
      {
        kind: 'context',
        text: text(`This is what ${rule.name} looks like: ${rule.fires}. It clears when ${rule.clears}.`),
      },
      {
        kind: 'buttons',
        buttons: [{ label: 'Acknowledge', intent: { do: 'alert', alert: sampleId, act: 'acknowledge' } }],
      },
    ],
  };
}
