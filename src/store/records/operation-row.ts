import { isEnd, unansweredMs } from '../../core/plan/operation.ts';
import { createJsonColumns } from '../json-columns.ts';
import type { OperationsTable } from '../schema.ts';

export const operationJson = createJsonColumns(
  ['args', 'rule', 'plan', 'begins'],
  ['token', 'glass', 'outcome', 'undo', 'outside'],
);

export const toOperation = (row: OperationsTable) => operationJson.parse(row);
export type OperationRow = ReturnType<typeof toOperation>;

/** Columns that a new operation may have, and their values if it has not. */
const otherwise = {
  state: 'waiting',
  thread: null,
  token: null,
  startsAt: null,
  begins: { kind: 'now' },
  readyAt: null,
  expiresAt: null,
  decidedAt: null,
  startedAt: null,
  endedAt: null,
  endReason: null,
  endText: null,
  outcome: null,
  undo: null,
} as const satisfies Partial<OperationRow>;

/** Columns that are written later. */
const atFirst = {
  turnOwner: null,
  turnUntil: 0,
  turnFailures: 0,
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
} as const satisfies Partial<OperationRow>;

/** `createdAt` defaults to now. */
type Optional = keyof typeof otherwise | 'createdAt';
export type NewOperation = Omit<OperationRow, Optional | keyof typeof atFirst | 'nextTurnAt' | 'updatedAt'> &
  Partial<Pick<OperationRow, Optional>>;

export function newOperationRow(operation: NewOperation, at: number): OperationRow {
  const { state = 'waiting', expiresAt } = operation;
  // A waiting request is due when it stays unanswered for a while, any other at once.
  const dueAt = state === 'waiting' ? Math.min(expiresAt ?? at, at + unansweredMs) : 0;
  return {
    createdAt: at,
    ...otherwise,
    ...operation,
    nextTurnAt: isEnd(state) ? null : dueAt,
    updatedAt: at,
    ...atFirst,
  };
}
