import { randomBytes } from 'node:crypto';
import type { Changes } from '../changes.ts';
import type { Delivery } from './delivery/delivery.ts';
import type { Faults } from './faults.ts';
import type { Channel, Person, SlackState, UserGroup } from './state.ts';

type ChangeKind = 'message' | 'ephemeral' | 'modal' | 'home' | 'person' | 'group' | 'channel' | 'file' | 'delivery';

export interface Change {
  kind: ChangeKind;
  /** Channel, person, group, file or payload id, whichever the kind speaks of. */
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
}

/** One workspace and everything that acts on it. */
export interface World extends Changes<Change> {
  state: SlackState;
  nowMs(): number;
  /** http://host:port, for links that must lead back here. */
  origin: string;
  faults: Faults;
  delivery: Delivery;
  requests: RecordedRequest[];
}

/** What a person cannot do, said to whoever drives the simulation. */
export class SimulationError extends Error {
  override name = 'SimulationError';
}

export function nextId(state: SlackState, prefix: string): string {
  state.counter += 1;
  return `${prefix}0${state.counter.toString(36).toUpperCase().padStart(9, '0')}`;
}

/** Timestamps are the ids of messages, so two are never equal, not even within one millisecond or after a restart. */
export function nextTs(world: World): string {
  const micros = Math.max(Math.floor(world.nowMs() * 1000), world.state.lastTsMicros + 1);
  world.state.lastTsMicros = micros;
  return `${Math.floor(micros / 1_000_000)}.${String(micros % 1_000_000).padStart(6, '0')}`;
}

export const nowS = (world: World): number => Math.floor(world.nowMs() / 1000);

export const secret = (bytes = 12): string => randomBytes(bytes).toString('hex');

export function findPerson(state: SlackState, ref: string): Person | undefined {
  const name = ref.replace(/^@/, '');
  return state.people.find((person) => person.id === ref || person.name === name);
}

export function findGroup(state: SlackState, ref: string): UserGroup | undefined {
  const handle = ref.replace(/^@/, '');
  return state.groups.find((group) => group.id === ref || group.handle === handle);
}

export function findChannel(state: SlackState, ref: string): Channel | undefined {
  const name = ref.replace(/^#/, '');
  return state.channels.find((channel) => channel.id === ref || (channel.kind !== 'im' && channel.name === name));
}

export const isStranger = (state: SlackState, person: Person): boolean => person.teamId !== state.team.id;
