import { randomBytes } from 'node:crypto';
import type { Changes } from '../changes.ts';
import type { ViewRecorder } from '../view-recorder.ts';
import type { PayloadDelivery } from './delivery/types.ts';
import type { SlackFaults } from './faults.ts';
import type { RuleSet } from './rules.ts';
import type { SimChannel, SimPerson, SlackState, UserGroup } from './state.ts';

type ChangeKind = 'message' | 'ephemeral' | 'modal' | 'home' | 'person' | 'group' | 'channel' | 'file' | 'delivery';

export interface SlackChange {
  kind: ChangeKind;
  /** The id of the channel, person, group, file or payload, by kind. */
  id: string;
  ts?: string;
}

export interface RecordedRequest {
  method: string;
  args: Record<string, unknown>;
  atMs: number;
  status: number;
  ok: boolean;
  error: string | null;
  /** The `ts` of the message in the answer. */
  ts: string | null;
}

/** A workspace and everything that acts on it. */
export interface Workspace extends Changes<SlackChange> {
  state: SlackState;
  nowMs(): number;
  triggerLifeMs: number;
  /** `http://host:port`, for links to the simulation. */
  origin: string;
  faults: SlackFaults;
  rules: RuleSet;
  /** The person's last act as text. */
  lastAct: string;
  record?: ViewRecorder | undefined;
  delivery: PayloadDelivery;
  requests: RecordedRequest[];
}

export function nextId(state: SlackState, prefix: string): string {
  state.counter += 1;
  return `${prefix}0${state.counter.toString(36).toUpperCase().padStart(9, '0')}`;
}

/** A unique timestamp, even within a millisecond or after a restart, since timestamps are the ids of messages. */
export function nextTs(workspace: Workspace): string {
  const micros = Math.max(Math.floor(workspace.nowMs() * 1000), workspace.state.lastTsMicros + 1);
  workspace.state.lastTsMicros = micros;
  return `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`;
}

export const nowS = (workspace: Workspace): number => Math.floor(workspace.nowMs() / 1000);

export const secret = (bytes = 12): string => randomBytes(bytes).toString('hex');

export function findPerson(state: SlackState, ref: string): SimPerson | undefined {
  const name = ref.replace(/^@/, '');
  return state.people.find((person) => person.id === ref || person.name === name);
}

export function findGroup(state: SlackState, ref: string): UserGroup | undefined {
  const handle = ref.replace(/^@/, '');
  return state.groups.find((group) => group.id === ref || group.handle === handle);
}

export function findChannel(state: SlackState, ref: string): SimChannel | undefined {
  const name = ref.replace(/^#/, '');
  return state.channels.find((channel) => channel.id === ref || (channel.kind !== 'im' && channel.name === name));
}

export const isStranger = (state: SlackState, person: SimPerson): boolean => person.teamId !== state.team.id;
