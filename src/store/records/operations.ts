import { type Kysely, sql } from 'kysely';
import { nextTurn, slicesOf } from '../../core/async/in-slices.ts';
import type { OperationFilter } from '../../core/command/bot-port.ts';
import type { OperationState } from '../../core/plan/operation.ts';
import { isEnd, openStates, operationTransitions, timedStates } from '../../core/plan/operation.ts';
import type { Json } from '../../core/text/json.ts';
import { createBatcher } from '../batcher.ts';
import { type Context, countRows, hasChanged, operationAt, rowsAs, textList } from '../dialect.ts';
import { openList } from '../open-states.ts';
import type { Schema } from '../schema.ts';
import { createKeyedRead } from '../shared-reads.ts';
import { createHolds } from './holds.ts';
import { createHours } from './hours.ts';
import type { NewMessage } from './message-row.ts';
import { createMessageStore } from './messages.ts';
import { type NewOperation, newOperationRow, type OperationRow, operationJson, toOperation } from './operation-row.ts';
import { type NewStep, newStepRow, stepJson } from './steps.ts';

/** Columns that may change together with the state. */
export type OperationPatch = Partial<
  Pick<
    OperationRow,
    | 'decidedAt'
    | 'delayWhy'
    | 'endReason'
    | 'endText'
    | 'expiresAt'
    | 'outcome'
    | 'outside'
    | 'readyAt'
    | 'startsAt'
    | 'begins'
    | 'undo'
  >
>;
/** Columns that may change without the state. */
export type OperationFields = Partial<Pick<OperationRow, 'delayWhy' | 'undoneBy'>>;

interface Insertion {
  readonly operation: NewOperation;
  readonly steps: readonly NewStep[];
  readonly card: NewMessage | readonly NewMessage[] | undefined;
  readonly also: AlsoChanged | undefined;
}

/** Another request, which changes in the commit that stores this one: the one that it replaces, or its standing approval. */
export interface AlsoChanged {
  readonly id: string;
  /** False if that request is no longer as it was read: then neither is stored. */
  readonly change: (on: Kysely<Schema>) => Promise<boolean>;
}

/** The order in which every process locks operations, so that no two wait for each other. */
function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}

export function createOperations(context: Context) {
  const { db, dialect, now, clock } = context;
  /** One conditional UPDATE: true for exactly one of all callers. It also writes the times of the new state. */
  async function move(
    id: string,
    from: OperationState | readonly OperationState[],
    to: OperationState,
    patch: OperationPatch = {},
    on: Kysely<Schema> = db,
  ): Promise<boolean> {
    const allowed = typeof from === 'string' ? [from] : from;
    for (const state of allowed) {
      if (!operationTransitions[state].includes(to)) throw new Error(`an operation never goes from ${state} to ${to}`);
    }
    const at = now();
    // The moment that a decided operation waited for is no decision.
    const isTimed = allowed.some((state) => timedStates.includes(state));
    return (
      operationAt(id, on)
        .set({
          ...(isEnd(to) && { endedAt: at }),
          ...((to === 'approved' || to === 'declined') && !isTimed && { decidedAt: at }),
          // A reopened request is undecided again.
          ...(to === 'waiting' && { decidedAt: null }),
          ...operationJson.write(patch),
          state: to,
          updatedAt: at,
        })
        .$if(to === 'running', (query) =>
          query.set(({ fn, val }) => ({ startedAt: fn.coalesce('startedAt', val(at)) })),
        )
        // The decided operation is due now, even if this process is killed before it requests a turn.
        .$if(isTimed || allowed.includes('waiting'), (query) => query.set({ nextTurnAt: clock() }))
        .where('state', 'in', allowed)
        .$call(hasChanged)
    );
  }
  const find = createKeyedRead(async (ids) => {
    const isAsked = dialect.isAmong('id', textList(ids));
    const rows = await db.selectFrom('operations').selectAll().where(isAsked).execute();
    return new Map(rows.map((row) => [row.id, toOperation(row)]));
  });
  const messages = createMessageStore(context);
  const inserting = createBatcher({ maxItems: 50 }, (insertions: Insertion[]) =>
    db.transaction().execute(async (transaction) => {
      const at = now();
      const firsts = new Map<string, Insertion>();
      for (const insertion of insertions)
        if (!firsts.has(insertion.operation.id)) firsts.set(insertion.operation.id, insertion);
      const others = [...firsts.values()].flatMap(({ operation, also }) =>
        also === undefined ? [] : [{ ...also, newId: operation.id }],
      );
      for (const { change, newId } of others.sort(byId)) if (!(await change(transaction))) firsts.delete(newId);
      if (firsts.size === 0) return insertions.map(() => false);
      const values = [...firsts.values()]
        .map(({ operation }) => operationJson.write(newOperationRow(operation, at)))
        .sort(byId);
      const inserted = await transaction
        .insertInto('operations')
        .values(values)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .execute();
      const isNew = new Set(inserted.map(({ id }) => id));
      const first = [...firsts.values()].filter(({ operation }) => isNew.has(operation.id));
      const steps = first.flatMap((insertion) =>
        insertion.steps.map((step) => stepJson.write(newStepRow(insertion.operation.id, step))),
      );
      for (const some of slicesOf(steps)) {
        await transaction.insertInto('steps').values(some).execute();
        if (some.length < steps.length) await nextTurn();
      }
      const cards = first.flatMap(({ card }) => card ?? []);
      await messages.putAll(cards, transaction);
      return insertions.map((insertion) => first.includes(insertion));
    }),
  );

  /** Newest first. */
  const list = (filter: OperationFilter): Promise<OperationRow[]> => {
    const { requester, channel, commands, states, open, endedSince, limit, before } = filter;
    let query = db.selectFrom('operations').selectAll();
    if (requester !== undefined) query = query.where('requester', '=', requester);
    if (channel !== undefined) query = query.where('channel', '=', channel);
    if (commands !== undefined) query = query.where('command', 'in', commands);
    if (states !== undefined) query = query.where('state', 'in', states);
    if (open === true || states?.some(isEnd) === false) query = query.where('state', 'in', openList);
    else if (open === false) query = query.where('state', 'not in', openStates);
    if (endedSince !== undefined) query = query.where('endedAt', '>', endedSince);
    if (before !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '<', tuple(before.createdAt, before.id)),
      );
    }
    return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(limit).$call(rowsAs(toOperation));
  };
  return {
    ...createHolds(context),
    ...createHours(context),

    /**
     * Stores the operation with its steps and its card in one commit; inserts of the same moment share it. True for
     * exactly one of several inserts with the same id, since a form that is sent twice runs twice at the same time.
     * `also` changes in the same commit; false too if it does not.
     */
    insert: (
      operation: NewOperation,
      steps: readonly NewStep[],
      card?: NewMessage | readonly NewMessage[],
      also?: AlsoChanged,
    ): Promise<boolean> => inserting.add({ operation, steps, card, also }),

    find,
    move,

    patch: (id: string, fields: OperationFields): Promise<unknown> =>
      operationAt(id, db)
        .set({ ...fields, updatedAt: now() })
        .execute(),

    /** Stores what name servers answered after the end, if this owner has the turn. */
    noteOutside: (id: string, outside: Json, since: number, owner: string): Promise<unknown> =>
      operationAt(id, db)
        .set(operationJson.write({ outside, outsideSince: since }))
        .where('turnOwner', '=', owner)
        .execute(),

    list,

    /** The requests of a token that wait for a decision, and those since a time. */
    async countOfToken(id: string, since: number) {
      const own = db.selectFrom('operations').where('token', 'like', `{"id":"${id}"%`);
      const [waiting, lately] = await Promise.all([
        own.where('state', '=', sql.lit('waiting')).$call(countRows),
        own.where('createdAt', '>', since).$call(countRows),
      ]);
      return { waiting, lately };
    },

    /** Counts open operations only, so that a scrape does not get slower with the history. */
    async countByState(): Promise<Record<string, number>> {
      const rows = await db
        .selectFrom('operations')
        .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
        .where('state', 'in', openList)
        .groupBy('state')
        .execute();
      const counts = new Map(rows.map(({ state, count }) => [state, count]));
      return Object.fromEntries(openStates.map((state) => [state, counts.get(state) ?? 0]));
    },
  };
}
