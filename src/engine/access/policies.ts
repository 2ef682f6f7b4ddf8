import { z } from 'zod';
import type { ChannelPosture } from '../../core/command/bot.ts';
import { policySchema } from '../../core/policy/policy.ts';
import type { ChannelStanding } from '../../core/policy/standing.ts';
import { canonicalJson } from '../../core/text/json.ts';
import type { Store } from '../../store/database.ts';
import { createSettings } from '../../store/settings.ts';
import type { Policies } from '../context/access-port.ts';
import type { Channel, Directory } from '../context/ports.ts';

const recordSchema = z.object({
  policy: policySchema,
  /** The channel's posture when an admin last confirmed its rights; null until it is first read. */
  posture: z
    .object({ isShared: z.boolean(), isPrivate: z.boolean(), teams: z.array(z.string()).default([]) })
    .nullable(),
  /** Organizations that joined, according to events: Slack does not list them for every channel. */
  joined: z.array(z.string()).exactOptional(),
});
type Record = z.infer<typeof recordSchema>;

function postureFrom({ isShared, isPrivate, teams = [] }: Channel, joined: readonly string[] = []): ChannelPosture {
  return { isShared, isPrivate, teams: [...new Set([...teams, ...(isShared ? joined : [])])].sort() };
}

/** Stores channel policies by channel id. Every save is a compare-and-set on the shown version. */
export function createPolicies(store: Store, directory: Pick<Directory, 'channel'>): Policies {
  const settings = createSettings(store, 'policy', recordSchema);

  async function postureOf(channel: string): Promise<ChannelPosture> {
    const facts = await directory.channel(channel, 0);
    return postureFrom(facts, (await settings.get(channel))?.joined);
  }

  function note(channel: string, { teams, ...is }: ChannelPosture): Promise<boolean> {
    return settings.change(channel, (current) => current && { ...current, posture: { ...is, teams: [...teams] } });
  }

  return {
    get: async (channel) => (await settings.get(channel))?.policy,
    all: async () => new Map([...(await settings.all())].map(([channel, { policy }]) => [channel, policy])),
    save: async (channel, policy, expectedVersion) => {
      const posture = await postureOf(channel).then(
        ({ teams, ...is }) => ({ ...is, teams: [...teams] }),
        () => null,
      );
      return settings.change(channel, (before) => {
        if ((before?.policy.version ?? 0) !== expectedVersion) return undefined;
        return { ...before, policy: { ...policy, version: expectedVersion + 1 }, posture: before?.posture ?? posture };
      });
    },
    standing: async (channel) => standingOf(channel, await settings.get(channel)),
    here: async (channel) => {
      const record = await settings.get(channel);
      return { policy: record?.policy, standing: (maxAgeMs) => standingOf(channel, record, maxAgeMs) };
    },
    posture: postureOf,
    noteOrganization: async (channel, team, hasJoined) => {
      await settings.change(channel, (current) => {
        const others = (current?.joined ?? []).filter((other) => other !== team);
        return current && { ...current, joined: hasJoined ? [...others, team] : others };
      });
    },
    confirm: async (channel, shown) => {
      const isSame = canonicalJson({ ...(await postureOf(channel)) }) === canonicalJson({ ...shown });
      return isSame && note(channel, shown);
    },
  };

  async function standingOf(channel: string, record: Record | undefined, maxAgeMs?: number): Promise<ChannelStanding> {
    let facts: Channel;
    try {
      facts = await directory.channel(channel, maxAgeMs);
    } catch {
      return 'unknown';
    }
    if (facts.isGroupDirect) return 'group_direct';
    if (facts.isArchived) return 'archived';
    const confirmed = record?.posture;
    const now = postureFrom(facts, record?.joined);
    // The confirmation holds while no other organization has joined; if Slack names none, any may have joined.
    const isNamed = now.teams.length > 0;
    const isConfirmed =
      isNamed && confirmed?.isShared === true && now.teams.every((team) => confirmed.teams.includes(team));
    if (now.isShared && !isConfirmed) return 'shared';
    if (confirmed?.isPrivate && !facts.isPrivate) return 'became_public';
    // A policy applied from a file has no posture yet: the present one becomes the confirmed one.
    if (record?.posture === null) await note(channel, now);
    return 'ok';
  }
}
