import type { Insertable, SelectQueryBuilder, Updateable } from 'kysely';
import type { Json } from '../core/json.ts';
import { isStepEnd, type StepState, stepTransitions } from '../core/operation.ts';
import { jsonText, jsonTextOrNull, parseJson, parseJsonOrNull, textList } from './columns.ts';
import type { Context } from './dialect.ts';
import { isForThisVersion } from './own-rows.ts';
import { listSlots, prepared, setSlots } from './prepared.ts';
import type { Schema, StepsTable } from './schema.ts';
import { createKeyedRead } from './shared-reads.ts';

export interface StepRow extends Omit<StepsTable, 'data' | 'receipt' | 'job'> {
  data: Json;
  receipt: Json | null;
  job: Json | null;
}

/** `state` is `pending` when it is not given. */
export type NewStep = Pick<StepRow, 'n' | 'target' | 'label' | 'data'> & { state?: StepState; note?: string };

/** Columns that may change together with the state. */
export type StepPatch = Partial<
  Pick<
    StepRow,
    | 'attempt'
    | 'data'
    | 'receipt'
    | 'job'
    | 'note'
    | 'watchOwner'
    | 'watchUntil'
    | 'startedAt'
    | 'acceptedAt'
    | 'endedAt'
  >
>;

/** The process that watches the step from then on, for so long. */
export interface StepWatch {
  readonly owner: string;
  readonly forMs: number;
}

/** The provider has it, and its end is not known yet. */
const watchedStates: readonly StepState[] = ['accepted', 'verifying', 'reading'];

/** A target that a step of ours touched, and by which command. */
export interface TouchedTarget extends Pick<StepRow, 'target' | 'data' | 'state' | 'startedAt' | 'endedAt'> {
  readonly command: string;
}

export interface JobRow extends Pick<StepRow, 'operationId' | 'label' | 'state' | 'note' | 'endedAt'> {
  readonly channel: string;
  readonly requester: string;
  readonly job: Json;
  readonly acceptedAt: number;
}

export type Steps = ReturnType<typeof createSteps>;

export function createSteps({ db, dialect, now, clock, build }: Context) {
  const watched = (limit: number) =>
    db
      .selectFrom('steps')
      .selectAll()
      // Written as in the index on steps under way; all of these are.
      .where('startedAt', 'is not', null)
      .where('endedAt', 'is', null)
      .where('state', 'in', watchedStates)
      .orderBy('startedAt')
      .orderBy('operationId')
      .orderBy('n')
      .limit(limit);

  type Selected = SelectQueryBuilder<Schema, 'steps', object>;
  /** Under way, or ended since: two questions, each with an index of its own, however much ended before. */
  const startedAndNotEndedBefore = async <Row>(
    at: number,
    read: (steps: Selected) => SelectQueryBuilder<Schema, never, Row>,
  ) => {
    const underWay = db.selectFrom('steps').where('steps.startedAt', 'is not', null).where('steps.endedAt', 'is', null);
    const ended = db.selectFrom('steps').where('steps.startedAt', 'is not', null).where('steps.endedAt', '>=', at);
    return [...(await read(underWay).execute()), ...(await read(ended).execute())];
  };

  const ofOperations = prepared(({ ids }: { readonly ids: string }) =>
    db.selectFrom('steps').selectAll().where(dialect.isAmong('operationId', ids)).orderBy('operationId').orderBy('n'),
  );
  const listAll = async (operationIds: readonly string[]): Promise<StepRow[]> => {
    if (operationIds.length === 0) return [];
    const { rows } = await ofOperations(db, { ids: textList(operationIds) });
    return rows.map(toStep);
  };

  interface Move {
    readonly operationId: string;
    readonly n: number;
    readonly allowed: readonly StepState[];
    readonly at: number;
    readonly set: Updateable<StepsTable>;
    readonly attempt: string;
    readonly watchMs: number;
  }
  const moveStep = prepared(({ operationId, n, at, attempt, watchMs }: Move, shape: string) => {
    const [count, accepted, watched, attempted, ...columns] = shape.split(',');
    return db
      .updateTable('steps')
      .set(setSlots<Updateable<StepsTable>>(columns))
      .$if(accepted !== '', (query) => query.set(({ fn, val }) => ({ acceptedAt: fn.coalesce('acceptedAt', val(at)) })))
      .$if(watched !== '', (query) => query.set({ watchUntil: clock(watchMs, true) }))
      .where('operationId', '=', operationId)
      .where('n', '=', n)
      .where('state', 'in', listSlots<StepState>('allowed', Number(count)))
      .$if(attempted !== '', (query) => query.where('attempt', '=', attempt));
  });
  interface Begin {
    readonly operationId: string;
    readonly n: number;
    readonly attempt: string;
    readonly data: string;
    readonly at: number;
  }
  const begin = prepared(({ operationId, n, attempt, data, at }: Begin) =>
    db
      .updateTable('steps')
      .set({ attempt, data, state: 'running', startedAt: at })
      .where('operationId', '=', operationId)
      .where('n', '=', n)
      .where('state', '=', 'pending')
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('operations').select('id').where('id', '=', operationId).where('stopBy', 'is', null)),
      ),
  );

  const listOf = createKeyedRead(async (operationIds) =>
    Map.groupBy(await listAll(operationIds), (step) => step.operationId),
  );

  return {
    list: async (operationId: string): Promise<readonly StepRow[]> => (await listOf(operationId)) ?? [],

    /** Of several operations in one question, in the order of their ids. */
    listAll,

    /** One conditional UPDATE: true for exactly one of all who try. The times of the new state are written with it. */
    async move(
      operationId: string,
      n: number,
      from: StepState | readonly StepState[],
      to: StepState,
      { watch, ...patch }: StepPatch & { readonly watch?: StepWatch } = {},
      /** Only for the process that sent it: the attempt that the row names. */
      attempt?: string,
    ): Promise<boolean> {
      const allowed = typeof from === 'string' ? [from] : from;
      for (const state of allowed) {
        if (!stepTransitions[state].includes(to)) throw new Error(`a step never goes from ${state} to ${to}`);
      }
      const at = now();
      const set: Updateable<StepsTable> = {
        ...(to === 'running' && { startedAt: at }),
        ...(isStepEnd(to) && { endedAt: at }),
        ...encodePatch(patch),
        state: to,
        ...(watch && { watchOwner: watch.owner }),
      };
      const shape = [
        allowed.length,
        to === 'accepted' || to === 'verifying' ? 'accepted' : '',
        watch === undefined ? '' : 'watched',
        attempt === undefined ? '' : 'attempt',
        ...Object.keys(set),
      ].join();
      const values = { operationId, n, allowed, at, set, attempt: attempt ?? '', watchMs: watch?.forMs ?? 0 };
      const { numAffectedRows = 0n } = await moveStep(db, values, shape);
      return numAffectedRows > 0n;
    },

    /**
     * `pending → running`, which opens the way to the provider. The same statement checks that nobody stopped the
     * operation, since the calls to the provider after it was read take seconds.
     */
    async begin(
      operationId: string,
      n: number,
      patch: { readonly attempt: string; readonly data: Json },
    ): Promise<boolean> {
      const values = { operationId, n, attempt: patch.attempt, data: jsonText(patch.data), at: now() };
      const { numAffectedRows = 0n } = await begin(db, values);
      return numAffectedRows > 0n;
    },

    /** Its target was seen away since the request was sent. */
    async sawAway(operationId: string, n: number): Promise<void> {
      await db
        .updateTable('steps')
        .set({ seenAway: 1 })
        .where('operationId', '=', operationId)
        .where('n', '=', n)
        .where('seenAway', '=', 0)
        .execute();
    },

    /** True when the watch was free, had lapsed, or is held by `owner`, who then holds it for so long. */
    async claimWatch(operationId: string, n: number, owner: string, forMs: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('steps')
        .set({ watchOwner: owner, watchUntil: clock(forMs) })
        .where('operationId', '=', operationId)
        .where('n', '=', n)
        .where(({ or, eb }) =>
          or([eb('watchOwner', 'is', null), eb('watchOwner', '=', owner), eb('watchUntil', '<=', clock())]),
        )
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Steps whose end is awaited and that nobody watches, the longest running first. */
    async unwatched(limit: number): Promise<StepRow[]> {
      const rows = await watched(limit)
        .where(({ or, eb }) => or([eb('watchOwner', 'is', null), eb('watchUntil', '<=', clock())]))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('operations')
              .select('operations.id')
              .whereRef('operations.id', '=', 'steps.operationId')
              .where(isForThisVersion({ build, clock })),
          ),
        )
        .execute();
      return rows.map(toStep);
    },

    /** Steps of ours that were under way at some moment since. */
    async touchedSince(at: number): Promise<TouchedTarget[]> {
      const rows = await startedAndNotEndedBefore(at, (steps) =>
        steps
          .innerJoin('operations', 'operations.id', 'steps.operationId')
          .select(['operations.command', 'target', 'data', 'steps.state', 'steps.startedAt', 'steps.endedAt']),
      );
      return rows.map((row) => ({ ...row, data: parseJson(row.data) }));
    },

    /** Steps that follow a job: those under way, and those that ended since. */
    async jobsSince(at: number): Promise<JobRow[]> {
      const rows = await startedAndNotEndedBefore(at, (steps) =>
        steps
          .innerJoin('operations', 'operations.id', 'steps.operationId')
          .select(['operationId', 'label', 'job', 'steps.state', 'note', 'acceptedAt', 'steps.endedAt'])
          .select(['operations.channel', 'operations.requester'])
          .where('job', 'is not', null),
      );
      return rows.flatMap(({ job, acceptedAt, ...row }) =>
        job === null || acceptedAt === null ? [] : [{ ...row, acceptedAt, job: parseJson(job) }],
      );
    },
  };
}

/** The row as it will be stored. */
export function newStepRow(operationId: string, { n, target, label, data, state, note }: NewStep): StepRow {
  return {
    operationId,
    n,
    target,
    label,
    data,
    state: state ?? 'pending',
    note: note ?? null,
    attempt: null,
    receipt: null,
    job: null,
    watchOwner: null,
    watchUntil: 0,
    startedAt: null,
    acceptedAt: null,
    endedAt: null,
    seenAway: 0,
  };
}

export function stepValues(operationId: string, step: NewStep): Insertable<StepsTable> {
  return { ...newStepRow(operationId, step), data: jsonText(step.data), receipt: null, job: null };
}

function encodePatch({ data, receipt, job, ...plain }: StepPatch): Updateable<StepsTable> {
  return {
    ...plain,
    ...(data !== undefined && { data: jsonText(data) }),
    ...(receipt !== undefined && { receipt: jsonTextOrNull(receipt) }),
    ...(job !== undefined && { job: jsonTextOrNull(job) }),
  };
}

export function toStep(row: StepsTable): StepRow {
  return { ...row, data: parseJson(row.data), receipt: parseJsonOrNull(row.receipt), job: parseJsonOrNull(row.job) };
}
