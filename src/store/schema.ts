import type { Generated } from 'kysely';
import type { Alert, HookInfo } from '../core/alert/alert.ts';
import type { Freeze } from '../core/command/bot-port.ts';
import type { OperationState, StepState } from '../core/plan/operation.ts';

/**
 * All tables. Times are integer milliseconds, JSON is text, flags are 0 or 1: the same values on both engines. Columns
 * are snake_case in SQL (migrations/) and camelCase here.
 */
export interface Schema {
  schemaVersion: { version: number; name: string; appliedAt: number };
  inbox: InboxTable;
  operations: OperationsTable;
  steps: StepsTable;
  votes: VotesTable;
  locks: LocksTable;
  freezes: FreezesTable;
  messages: MessagesTable;
  audit: AuditTable;
  auditHead: AuditHeadTable;
  secrets: SecretsTable;
  forms: FormsTable;
  durations: { id: Generated<number>; kind: string; ms: number };
  storedValues: StoredValuesTable;
  alerts: AlertsTable;
  hooks: HooksTable;
  /** The newest version of each zone that was ever read, with compressed records; `isGone` is 1 once it is gone. */
  zoneHeads: { zone: string; n: number; isGone: number; hash: string; records: string };
  zoneVersions: ZoneVersionsTable;
  leases: { name: string; owner: string; until: number };
  presence: { id: string; at: number };
}

export interface InboxTable {
  key: string;
  body: string;
  receivedAt: number;
  state: 'new' | 'done';
  claimedBy: string | null;
  claimedUntil: number;
  /** How many times a process began to work on the payload. */
  begun: number;
}

export interface OperationsTable {
  id: string;
  command: string;
  args: string;
  channel: string;
  thread: string | null;
  requester: string;
  /** JSON: the token through which a machine asked, and the hash of its line; null for a request of a person. */
  token: string | null;
  risk: string;
  rule: string;
  policyVersion: string;
  plan: string;
  factsHash: string;
  state: OperationState;
  /** The hour before which it does not begin; null if it begins at once. */
  startsAt: number | null;
  /** JSON: the typed hour, and the fallback if it cannot begin then. */
  begins: string;
  /** The end of the countdown before it destroys something. */
  readyAt: number | null;
  glass: string | null;
  endReason: string | null;
  endText: string | null;
  outcome: string | null;
  undo: string | null;
  createdAt: number;
  expiresAt: number | null;
  decidedAt: number | null;
  startedAt: number | null;
  endedAt: number | null;
  updatedAt: number;
  nextTurnAt: number | null;
  turnOwner: string | null;
  turnUntil: number;
  turnFailures: number;
  /** Since when, and why, the approved operation waits for a person to click "Continue". */
  heldAt: number | null;
  heldWhy: string | null;
  /** Why the operation is retried shortly, such as a failed lookup. */
  delayWhy: string | null;
  continuedAt: number | null;
  /** The person who stopped the remaining steps. */
  stopBy: string | null;
  stopAt: number | null;
  /** The person whose later request undid the operation. */
  undoneBy: string | null;
  /** How far name servers answer the change of records, as JSON, and since when it is followed after its end. */
  outside: string | null;
  outsideSince: number | null;
}

export interface StepsTable {
  operationId: string;
  n: number;
  target: string;
  /** In a plan of several lines, the command of its line and the number of the part; null and 0 otherwise. */
  command: string | null;
  part: number;
  label: string;
  data: string;
  state: StepState;
  attempt: string | null;
  receipt: string | null;
  job: string | null;
  note: string | null;
  /** Polls of the provider in the present state: their number, the time of the last, and when the next is due. */
  looks: number;
  lookedAt: number | null;
  nextLookAt: number;
  startedAt: number | null;
  acceptedAt: number | null;
  endedAt: number | null;
  /** 1 if a poll since the request saw the target offline. */
  seenAway: number;
  /** JSON: the services that answered before the step, and whether they answer again (core/probe/comeback.ts). */
  comeback: string | null;
}

export interface VotesTable {
  operationId: string;
  userId: string;
  vote: 'confirm' | 'approve';
  at: number;
  isVoid: number;
  why: string | null;
}

export interface LocksTable {
  target: string;
  operationId: string;
  owner: string;
  reason: string;
  since: number;
}

export interface FreezesTable extends Freeze {
  endedAt: number | null;
}

export interface MessagesTable {
  seq: Generated<number>;
  key: string;
  channel: string;
  /** The message to reply to; the reply is posted after it. */
  parentKey: string | null;
  /** The thread to post in. */
  threadTs: string | null;
  /** JSON; equal text means an equal message. */
  view: string;
  wanted: number;
  delivered: number;
  ts: string | null;
  state: 'due' | 'delivered' | 'dead' | 'event';
  attempts: number;
  notBefore: number;
  claimedBy: string | null;
  claimedUntil: number;
  updatedAt: number;
  error: string | null;
}

export interface AuditTable {
  seq: number;
  at: number;
  kind: string;
  actor: string | null;
  channel: string | null;
  operationId: string | null;
  data: string;
  prev: string;
  hash: string;
}

export interface AuditHeadTable {
  id: number;
  seq: number;
  hash: string;
  signature: string | null;
}

export interface SecretsTable {
  id: string;
  userId: string;
  operationId: string | null;
  title: string;
  sealed: string;
  expiresAt: number;
}

export interface FormsTable {
  id: string;
  userId: string;
  data: string;
  createdAt: number;
  expiresAt: number;
}

export interface StoredValuesTable {
  /** A kind of value-kinds.ts, or `glass`. */
  kind: string;
  key: string;
  value: string;
  /** The time of writing. */
  at: number;
  /** Since when an observed value differs from the usual one; null while it does not. */
  changedAt: number | null;
}

export interface AlertsTable extends Omit<Alert, 'finding'> {
  finding: string;
}

export interface HooksTable extends HookInfo {
  /** SHA-256, hex. */
  tokenHash: string;
  revokedAt: number | null;
}

export interface ZoneVersionsTable {
  zone: string;
  n: number;
  /** The time of the reading that found the version. */
  at: number;
  /** The reading before, if no request explains the whole change; null otherwise. */
  since: number | null;
  isGone: number;
  /** The requests that wrote the change. */
  operations: string | null;
  /** The requester of the last of them. */
  byUser: string | null;
  /** The person who said that a change by hand is meant. */
  keptBy: string | null;
  changes: string | null;
}
