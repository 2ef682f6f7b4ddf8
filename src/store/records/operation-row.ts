import type { Insertable } from 'kysely';
import { isEnd, type OperationState, unansweredMs } from '../../core/plan/operation.ts';
import type { Json } from '../../core/text/json.ts';
import { jsonText, jsonTextOrNull, parseJson, parseJsonOrNull } from '../dialect.ts';
import type { OperationsTable } from '../schema.ts';

export interface OperationRow
  extends Omit<
    OperationsTable,
    'args' | 'place' | 'rule' | 'plan' | 'timing' | 'glass' | 'outcome' | 'undo' | 'outside'
  > {
  args: Json;
  place: Json;
  rule: Json;
  plan: Json;
  timing: Json | null;
  glass: Json | null;
  outcome: Json | null;
  undo: Json | null;
  outside: Json | null;
}

type Given =
  | 'id'
  | 'command'
  | 'args'
  | 'channel'
  | 'requester'
  | 'place'
  | 'risk'
  | 'rule'
  | 'policyVersion'
  | 'plan'
  | 'factsHash';
/** Columns of the next turn, which turns.ts writes. */
type TurnColumns = 'nextTurnAt' | 'turnOwner' | 'turnUntil' | 'turnFailures';
/** Columns that start empty; holds.ts and hours.ts write most of them. */
type Later =
  | 'heldAt'
  | 'heldWhy'
  | 'delayWhy'
  | 'continuedAt'
  | 'stopBy'
  | 'stopAt'
  | 'undoneBy'
  | 'glass'
  | 'outside'
  | 'outsideSince';
/** Absent columns default to null, `state` to `waiting` and `createdAt` to now. */
export type NewOperation = Pick<OperationRow, Given> &
  Partial<Omit<OperationRow, Given | TurnColumns | Later | 'updatedAt'>>;

/** The row as it will be stored. */
export function newOperationRow(operation: NewOperation, at: number): OperationRow {
  return {
    state: 'waiting',
    createdAt: at,
    thread: null,
    supersedes: null,
    startsAt: null,
    timing: null,
    readyAt: null,
    expiresAt: null,
    decidedAt: null,
    startedAt: null,
    endedAt: null,
    endReason: null,
    endText: null,
    outcome: null,
    undo: null,
    ...operation,
    // A waiting request is due when it stays unanswered for a while, any other at once.
    nextTurnAt: firstTurnAt(operation.state ?? 'waiting', Math.min(operation.expiresAt ?? at, at + unansweredMs)),
    turnOwner: null,
    turnUntil: 0,
    turnFailures: 0,
    updatedAt: at,
    heldAt: null,
    heldWhy: null,
    delayWhy: null,
    continuedAt: null,
    stopBy: null,
    stopAt: null,
    undoneBy: null,
    glass: null,
    outside: null,
    outsideSince: null,
  };
}

export function operationValues(operation: NewOperation, at: number): Insertable<OperationsTable> {
  const { args, place, rule, plan, timing, glass, outcome, undo, outside, ...plain } = newOperationRow(operation, at);
  return {
    ...plain,
    args: jsonText(args),
    place: jsonText(place),
    rule: jsonText(rule),
    plan: jsonText(plan),
    timing: jsonTextOrNull(timing),
    glass: jsonTextOrNull(glass),
    outcome: jsonTextOrNull(outcome),
    undo: jsonTextOrNull(undo),
    outside: jsonTextOrNull(outside),
  };
}

function firstTurnAt(state: OperationState, whenWaiting: number): number | null {
  if (isEnd(state)) return null;
  return state === 'waiting' ? whenWaiting : 0;
}

export function toOperation(row: OperationsTable): OperationRow {
  return {
    ...row,
    args: parseJson(row.args),
    place: parseJson(row.place),
    rule: parseJson(row.rule),
    plan: parseJson(row.plan),
    timing: parseJsonOrNull(row.timing),
    glass: parseJsonOrNull(row.glass),
    outcome: parseJsonOrNull(row.outcome),
    undo: parseJsonOrNull(row.undo),
    outside: parseJsonOrNull(row.outside),
  };
}
