import { payloadChannelName } from '../channels.ts';
import type { Dict } from '../dict.ts';
import type { SimChannel, SimPerson } from '../state.ts';
import { nextId, nextTs, secret, type Workspace } from '../workspace.ts';

const responseUrlLifeMs = 30 * 60_000;
export const responseUrlUses = 5;

/** The fields about the origin of all interactions. */
export function origin(workspace: Workspace, person: SimPerson): Dict {
  const { team, app, secrets } = workspace.state;
  return {
    user: { id: person.id, username: person.name, name: person.name, team_id: person.teamId },
    api_app_id: app.id,
    token: secrets.verificationToken,
    team: { id: team.id, domain: team.domain },
    enterprise: null,
    is_enterprise_install: false,
  };
}

export const channelRef = (channel: SimChannel): Dict => ({ id: channel.id, name: payloadChannelName(channel) });

export function issueTrigger(workspace: Workspace, person: SimPerson, viewId: string | null = null): string {
  const { state } = workspace;
  const nowMs = workspace.nowMs();
  forgetOld(state.triggers, nowMs, 60_000);
  state.counter += 1;
  const id = `${Math.floor(nowMs)}${state.counter}.${state.counter}.${secret(16)}`;
  state.triggers[id] = { userId: person.id, atMs: nowMs, isUsed: false, viewId };
  return id;
}

const lookedThroughAt = new WeakMap<object, number>();

/** Removes old entries every ten seconds. A search for each new entry used most of a command's processor time here. */
function forgetOld(table: Record<string, { atMs: number }>, nowMs: number, lifeMs: number): void {
  if (nowMs - (lookedThroughAt.get(table) ?? 0) < 10_000) return;
  lookedThroughAt.set(table, nowMs);
  for (const [key, { atMs }] of Object.entries(table)) {
    if (nowMs - atMs > lifeMs) delete table[key];
  }
}

export type SpentTrigger =
  | { userId: string; viewId: string | null }
  | { error: 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id' };

/** Uses a trigger, which is valid for one view and a short time. */
export function spendTrigger(workspace: Workspace, id: string): SpentTrigger {
  const trigger = workspace.state.triggers[id];
  if (trigger === undefined) return { error: 'invalid_trigger_id' };
  if (trigger.isUsed) return { error: 'exchanged_trigger_id' };
  if (workspace.nowMs() - trigger.atMs > workspace.triggerLifeMs) return { error: 'expired_trigger_id' };
  trigger.isUsed = true;
  return trigger;
}

export function issueResponseUrl(
  workspace: Workspace,
  person: SimPerson,
  channel: SimChannel,
  message?: { ts: string; isEphemeral: boolean; threadTs: string | null },
): string {
  const { state } = workspace;
  const nowMs = workspace.nowMs();
  forgetOld(state.responseUrls, nowMs, 2 * responseUrlLifeMs);
  const key = secret(12);
  state.responseUrls[key] = {
    userId: person.id,
    channel: channel.id,
    messageTs: message?.ts ?? null,
    isEphemeral: message?.isEphemeral ?? false,
    threadTs: message?.threadTs ?? null,
    atMs: nowMs,
    uses: 0,
  };
  return `${workspace.origin}/response/${state.team.id}/${nextId(state, '')}/${key}`;
}

export const isResponseUrlOver = (workspace: Workspace, atMs: number): boolean =>
  workspace.nowMs() - atMs > responseUrlLifeMs;

export const actionTs = (workspace: Workspace): string => nextTs(workspace);
