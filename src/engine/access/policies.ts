import type { ChannelPosture } from '../../core/command/bot-port.ts';
import type { ChannelStanding } from '../../core/policy/membership.ts';
import { canonicalJson } from '../../core/text/json.ts';
import type { Store } from '../../store/database.ts';
import { openKeyv, readAll } from '../../store/keyv.ts';
import type { ValueOf } from '../../store/records/value-kinds.ts';
import type { Policies } from '../context/access-port.ts';
import type { Channel, Directory } from '../context/ports.ts';

type Record = ValueOf<'policy'>;

function postureFrom({ isShared, isPrivate, teams = [] }: Channel, joined: readonly string[] = []): ChannelPosture {
  return { isShared, isPrivate, teams: [...new Set([...teams, ...(isShared ? joined : [])])].sort() };
}

/** Channel policies by channel id, in Keyv. Every save is a compare-and-set on the shown version. */
export function createPolicies(store: Store, directory: Pick<Directory, 'channel'>): Policies {
  const keyv = openKeyv(store, 'policy');

  /** Writes through a separate Keyv, which refuses a record that somebody has changed since this read. */
  async function change(channel: string, next: (before: Record | undefined) => Record | undefined): Promise<boolean> {
    const compared = openKeyv(store, 'policy', { isCompared: true });
    const record = next(await compared.get(channel));
    return record !== undefined && compared.set(channel, record);
  }

  async function postureOf(channel: string): Promise<ChannelPosture> {
    const facts = await directory.channel(channel, 0);
    return postureFrom(facts, (await keyv.get(channel))?.joined);
  }

  function note(channel: string, posture: ChannelPosture): Promise<boolean> {
    return change(channel, (current) => current && { ...current, posture });
  }

  return {
    get: async (channel) => (await keyv.get(channel))?.policy,
    all: async () => new Map([...(await readAll(keyv))].map(([channel, { policy }]) => [channel, policy])),
    save: async (channel, policy, expectedVersion) => {
      const posture = await postureOf(channel).catch(() => null);
      return change(channel, (before) => {
        if ((before?.policy.version ?? 0) !== expectedVersion) return undefined;
        return { ...before, policy: { ...policy, version: expectedVersion + 1 }, posture: before?.posture ?? posture };
      });
    },
    standing: async (channel) => standingOf(channel, await keyv.get(channel)),
    here: async (channel) => {
      const record = await keyv.get(channel);
      return { policy: record?.policy, standing: (maxAgeMs) => standingOf(channel, record, maxAgeMs) };
    },
    posture: postureOf,
    noteOrganization: async (channel, team, hasJoined) => {
      await change(channel, (current) => {
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
    const facts = await directory.channel(channel, maxAgeMs).catch(() => undefined);
    if (facts === undefined) return 'unknown';
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
