import type { Generated } from 'kysely';
import type { HookKind } from '../core/alert/alert.ts';
import type { AlertState } from '../core/alert/alert-state.ts';
import type { OperationState, StepState } from '../core/plan/operation.ts';
import type { Severity } from '../core/view/severity.ts';

/**
 * Every table. Times are integer milliseconds, JSON is text, flags are 0 or 1: the same values on both engines. Columns
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
  archives: ArchivesTable;
  secrets: SecretsTable;
  forms: FormsTable;
  durations: { id: Generated<number>; kind: string; ms: number; at: number };
  entries: EntriesTable;
  alerts: AlertsTable;
  observations: ObservationsTable;
  hooks: HooksTable;
  leases: { name: string; owner: string; until: number };
  presence: { id: string; at: number };
}

export interface InboxTable {
  key: string;
  kind: string;
  body: string;
  receivedAt: number;
  state: 'new' | 'done';
  claimedBy: string | null;
  claimedUntil: number;
  /** How often a process began to work on it. */
  begun: number;
}

export interface OperationsTable {
  id: string;
  command: string;
  args: string;
  channel: string;
  thread: string | null;
  requester: string;
  place: string;
  risk: string;
  rule: string;
  policyVersion: string;
  plan: string;
  factsHash: string;
  state: OperationState;
  endReason: string | null;
  endText: string | null;
  outcome: string | null;
  undo: string | null;
  supersedes: string | null;
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
  /** Since when, and why, the decided operation waits for somebody to click "Continue". */
  heldAt: number | null;
  heldWhy: string | null;
  /** Why it is tried again in a moment, such as a lookup that failed. */
  delayWhy: string | null;
  continuedAt: number | null;
  /** The person who stopped the remaining steps. */
  stopBy: string | null;
  stopAt: number | null;
  /** The person whose request has undone it since. */
  undoneBy: string | null;
}

export interface StepsTable {
  operationId: string;
  n: number;
  target: string;
  label: string;
  data: string;
  state: StepState;
  attempt: string | null;
  receipt: string | null;
  job: string | null;
  note: string | null;
  /** Looks at the provider in the present state, the time of the last one, and when the next is due. */
  looks: number;
  lookedAt: number | null;
  nextLookAt: number;
  startedAt: number | null;
  acceptedAt: number | null;
  endedAt: number | null;
  /** 1 when its target was seen away since the request. */
  seenAway: number;
}

export interface VotesTable {
  operationId: string;
  userId: string;
  vote: 'confirm' | 'approve';
  comment: string | null;
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

export interface FreezesTable {
  id: string;
  scope: string;
  reason: string;
  byUser: string;
  since: number;
  until: number | null;
  endedAt: number | null;
}

export interface MessagesTable {
  seq: Generated<number>;
  key: string;
  channel: string;
  userId: string | null;
  parentKey: string | null;
  threadTs: string | null;
  view: string;
  wanted: number;
  delivered: number;
  ts: string | null;
  state: 'due' | 'delivered' | 'dead';
  attempts: number;
  notBefore: number;
  claimedBy: string | null;
  claimedUntil: number;
  createdAt: number;
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
  /** The last row that is in an archive: the first one in the table follows it. */
  baseSeq: number;
  baseHash: string;
  baseSignature: string | null;
}

/** Files into which old rows were moved. */
export interface ArchivesTable {
  id: Generated<number>;
  file: string;
  /** It takes requests that ended before this time. */
  until: number;
  /** How much of the file is deleted here; what stands behind it may be there twice. */
  bytes: number;
  operations: number;
  audit: number;
  startedAt: number;
  endedAt: number | null;
  /** Somebody reported the file as lost. */
  leftAt: number | null;
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

/** Rows of Keyv. */
export interface EntriesTable {
  space: string;
  key: string;
  value: string;
  expiresAt: number | null;
}

export interface AlertsTable {
  id: string;
  channel: string;
  /** A rule's name, or `hook:` and the hook's id. */
  rule: string;
  /** The key of alerts that share one message, as monitoring groups them. */
  groupKey: string | null;
  cause: string;
  state: AlertState;
  severity: Severity;
  level: number;
  /** The worst level that was announced. */
  peak: number;
  finding: string;
  /** The start that monitoring reported, as it wrote it. */
  startsAt: string | null;
  /** The end that monitoring reported last, as it wrote it: the same end again is a repetition. */
  endsAt: string | null;
  /** The message it stands on: the id of the first alert there. */
  message: string | null;
  toldAt: number | null;
  byUser: string | null;
  until: number | null;
  /** The time since which `byUser` is on it. */
  sinceAt: number | null;
  /** The person who handed it over to `byUser`. */
  handedBy: string | null;
  /** It is no longer found, but was on and off lately. */
  calmSince: number | null;
  resolvedAt: number | null;
  endText: string | null;
  flaps: number;
  openedAt: number;
  escalatedAt: number | null;
  remindedAt: number | null;
  seenAt: number;
  version: number;
  /** The version that the message shows. */
  drawn: number;
}

export interface ObservationsTable {
  key: string;
  usual: string;
  value: string;
  seenAt: number;
  /** Since when it differs from what is usual; null while it does not. */
  changedAt: number | null;
}

export interface HooksTable {
  id: string;
  kind: HookKind;
  name: string;
  channel: string;
  /** SHA-256, hex. */
  tokenHash: string;
  createdBy: string;
  createdAt: number;
  usedAt: number | null;
  revokedBy: string | null;
  revokedAt: number | null;
}
