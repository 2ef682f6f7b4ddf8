import { z } from 'zod';
import type { ChannelStanding } from '../../core/evaluate.ts';
import { policySchema } from '../../core/policy.ts';
import type { Store } from '../../store/database.ts';
import { createSettings } from '../../store/settings.ts';
import type { Policies } from '../context/access-port.ts';
import type { Channel, Directory } from '../context/ports.ts';

const recordSchema = z.object({
  policy: policySchema,
  /** What the channel was like when an admin last said that its rights hold; null until it is first looked at. */
  posture: z.object({ isShared: z.boolean(), isPrivate: z.boolean() }).nullable(),
});
type Record = z.infer<typeof recordSchema>;

/** Channel policies in Keyv, by channel id. Every save is a compare-and-set on the version that was shown. */
export function createPolicies(store: Store, directory: Pick<Directory, 'channel'>): Policies {
  const settings = createSettings(store, 'policy', recordSchema);

  async function postureOf(channel: string): Promise<Record['posture']> {
    const { isShared, isPrivate } = await directory.channel(channel);
    return { isShared, isPrivate };
  }

  function note(channel: string, posture: Record['posture']): Promise<boolean> {
    return settings.change(channel, (found) => found && { policy: found.policy, posture });
  }

  return {
    get: async (channel) => (await settings.get(channel))?.policy,
    all: async () => new Map([...(await settings.all())].map(([channel, { policy }]) => [channel, policy])),
    save: async (channel, policy, expectedVersion) => {
      const posture = await postureOf(channel).catch(() => null);
      return settings.change(channel, (before) => {
        if ((before?.policy.version ?? 0) !== expectedVersion) return undefined;
        return { policy: { ...policy, version: expectedVersion + 1 }, posture: before?.posture ?? posture };
      });
    },
    standing: async (channel) => standingOf(channel, await settings.get(channel)),
    here: async (channel) => {
      const record = await settings.get(channel);
      return { policy: record?.policy, standing: (maxAgeMs) => standingOf(channel, record, maxAgeMs) };
    },
    confirm: async (channel) => note(channel, await postureOf(channel)),
  };

  async function standingOf(channel: string, record: Record | undefined, maxAgeMs?: number): Promise<ChannelStanding> {
    let facts: Channel;
    try {
      facts = await directory.channel(channel, maxAgeMs);
    } catch {
      return 'unknown';
    }
    if (facts.isArchived) return 'archived';
    const confirmed = record?.posture;
    if (facts.isShared && !confirmed?.isShared) return 'shared';
    if (confirmed?.isPrivate && !facts.isPrivate) return 'became_public';
    // A policy applied from a file: from now on the channel must stay as it is found here.
    if (record?.posture === null) await note(channel, { isShared: facts.isShared, isPrivate: facts.isPrivate });
    return 'ok';
  }
}
