import { type SelectQueryBuilder, sql } from 'kysely';
import { isStepEnd, type StepState, stepTransitions } from '../../core/plan/operation.ts';
import { createBatcher } from '../batcher.ts';
import { type Context, hasChanged, parseJson, rowsAs, textList } from '../dialect.ts';
import { createJsonColumns } from '../json-columns.ts';
import type { Schema, StepsTable } from '../schema.ts';
import { createKeyedRead } from '../shared-reads.ts';

export const stepJson = createJsonColumns(['data'], ['receipt', 'job', 'comeback']);

export const toStep = (row: StepsTable) => stepJson.parse(row);
export type StepRow = ReturnType<typeof toStep>;

/** `state` defaults to `pending`. */
export type NewStep = Pick<StepRow, 'n' | 'target' | 'label' | 'data'> &
  Partial<Pick<StepRow, 'command' | 'note' | 'part' | 'state'>>;

/** Columns that may change together with the state. */
export type StepPatch = Partial<
  Pick<StepRow, 'attempt' | 'comeback' | 'data' | 'receipt' | 'job' | 'note' | 'startedAt' | 'acceptedAt' | 'endedAt'>
>;

interface Begun extends Required<Pick<StepPatch, 'attempt' | 'data'>>, Pick<StepPatch, 'comeback'> {
  readonly owner: string;
}

type Steps = ReturnType<typeof createSteps>;
/** A target that one of the bot's steps touched, and the step's command. */
export type TouchedTarget = Awaited<ReturnType<Steps['touchedSince']>>[number];
export type JobRow = Awaited<ReturnType<Steps['jobsSince']>>[number];

/** More than the steps of an operation that run at once. */
const mostNext = 100;

export function createSteps({ db, dialect, now, clock }: Context) {
  type Selected = SelectQueryBuilder<Schema, 'steps', object>;
  /** Steps that are running, or ended since: two queries, so that each uses its own index. */
  const startedAndNotEndedBefore = async <Row>(
    at: number,
    read: (steps: Selected) => SelectQueryBuilder<Schema, never, Row>,
  ) => {
    const underWay = db.selectFrom('steps').where('steps.startedAt', 'is not', null).where('steps.endedAt', 'is', null);
    const ended = db.selectFrom('steps').where('steps.startedAt', 'is not', null).where('steps.endedAt', '>=', at);
    return [...(await read(underWay).execute()), ...(await read(ended).execute())];
  };

  const stepAt = (operationId: string, n: number) =>
    db.updateTable('steps').where('operationId', '=', operationId).where('n', '=', n);

  const listAll = async (operationIds: readonly string[], mostOfEach = Number.MAX_SAFE_INTEGER): Promise<StepRow[]> => {
    if (operationIds.length === 0) return [];
    return db
      .selectFrom('steps')
      .selectAll()
      .where(dialect.isAmong('operationId', textList(operationIds)))
      .where('n', '<', mostOfEach)
      .orderBy('operationId')
      .orderBy('n')
      .$call(rowsAs(toStep));
  };

  const listOf = createKeyedRead(async (operationIds) =>
    Map.groupBy(await listAll(operationIds), (step) => step.operationId),
  );

  const looking = createBatcher({}, async (looks: readonly (readonly (string | number)[])[]) => {
    await sql`
      update steps
      set looks = looks + 1, looked_at = ${clock()}, next_look_at = ${clock()} + look.next_in_ms,
        seen_away = case when look.is_offline = 1 then 1 else seen_away end
      from (
        select value ->> 0 as id, cast(value ->> 1 as integer) as n, value ->> 2 as state,
          cast(value ->> 3 as bigint) as next_in_ms, cast(value ->> 4 as integer) as is_offline
        from ${dialect.items(JSON.stringify(looks))}
      ) as look
      where steps.operation_id = look.id and steps.n = look.n and steps.state = look.state`.execute(db);
    return looks.map(() => undefined);
  });

  return {
    list: async (operationId: string): Promise<readonly StepRow[]> => (await listOf(operationId)) ?? [],

    /** Of an operation of many steps: those that went wrong, and the next ones behind the last that has ended. */
    async listNext(operationId: string): Promise<readonly StepRow[]> {
      const first = db
        .selectFrom('steps')
        .select(({ fn, val }) => fn.coalesce(fn.min('n'), val(0)).as('n'))
        .where('operationId', '=', operationId)
        .where('endedAt', 'is', null);
      const { n } = await first.executeTakeFirstOrThrow();
      return db
        .selectFrom('steps')
        .selectAll()
        .where('operationId', '=', operationId)
        .where((eb) =>
          eb.or([eb.between('n', n - 1, n + mostNext), eb('state', 'in', ['failed', 'unknown', 'unverified'])]),
        )
        .orderBy('n')
        .$call(rowsAs(toStep));
    },

    /** The steps of several operations in one query, in the order of the operations' ids: of each the first ones. */
    listAll,

    /**
     * One conditional UPDATE: true for exactly one of all callers. It also writes the times of the new state and makes
     * the first poll due at once. `attempt` restricts it to the process that sent that attempt.
     */
    async move(
      operationId: string,
      n: number,
      from: StepState | readonly StepState[],
      to: StepState,
      patch: StepPatch = {},
      attempt?: string,
    ): Promise<boolean> {
      const allowed = typeof from === 'string' ? [from] : from;
      for (const state of allowed) {
        if (!stepTransitions[state].includes(to)) throw new Error(`a step never goes from ${state} to ${to}`);
      }
      const at = now();
      return stepAt(operationId, n)
        .set({ ...stepJson.write(patch), state: to, looks: 0, nextLookAt: 0 })
        .$if(to === 'running', (query) => query.set({ startedAt: at }))
        .$if(isStepEnd(to), (query) => query.set({ endedAt: at }))
        .$if(to === 'accepted' || to === 'verifying', (query) =>
          query.set(({ fn, val }) => ({ acceptedAt: fn.coalesce('acceptedAt', val(at)) })),
        )
        .where('state', 'in', allowed)
        .$if(attempt !== undefined, (query) => query.where('attempt', '=', attempt ?? ''))
        .$call(hasChanged);
    },

    /**
     * `pending → running`, which permits the write to the provider. The same statement checks that no one stopped or
     * held the operation and that this process still has its turn: the calls to the provider since it was read took
     * seconds.
     */
    begin: (operationId: string, n: number, { owner, ...patch }: Begun): Promise<boolean> =>
      stepAt(operationId, n)
        .set({ ...stepJson.write(patch), state: 'running', startedAt: now() })
        .where('state', '=', 'pending')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('operations')
              .select('id')
              .where('id', '=', operationId)
              .where('stopBy', 'is', null)
              .where('heldAt', 'is', null)
              // An owner has the turn until another process claims it, also after the end of the lease.
              .where('turnOwner', '=', owner),
          ),
        )
        .$call(hasChanged),

    /** Stores a poll that did not end the state, and when the next poll is due. Polls of the same moment share a statement. */
    looked: (id: string, n: number, state: StepState, nextInMs: number, isOffline: boolean): Promise<void> =>
      looking.add([id, n, state, Math.round(nextInMs), isOffline ? 1 : 0]),

    /** The targets of all steps that ran at some time since. */
    async touchedSince(at: number) {
      const rows = await startedAndNotEndedBefore(at, (steps) =>
        steps
          .innerJoin('operations', 'operations.id', 'steps.operationId')
          .select(['operations.id as operation', 'operations.requester'])
          .select(({ fn }) => fn.coalesce('steps.command', 'operations.command').as('command'))
          .select(['target', 'data', 'steps.state', 'steps.startedAt', 'steps.endedAt']),
      );
      return rows.map((row) => ({ ...row, data: parseJson(row.data) }));
    },

    /** Steps that follow a job and are running, or ended since. */
    async jobsSince(at: number) {
      const rows = await startedAndNotEndedBefore(at, (steps) =>
        steps
          .innerJoin('operations', 'operations.id', 'steps.operationId')
          .select(['operationId', 'label', 'job', 'steps.state', 'note', 'acceptedAt', 'steps.endedAt'])
          .select('operations.channel')
          .where('job', 'is not', null),
      );
      return rows.flatMap(({ job, acceptedAt, ...row }) =>
        job === null || acceptedAt === null ? [] : [{ ...row, acceptedAt, job: parseJson(job) }],
      );
    },
  };
}

/** The row as it will be stored. */
export function newStepRow(operationId: string, step: NewStep): StepRow {
  return {
    state: 'pending',
    note: null,
    command: null,
    part: 0,
    ...step,
    operationId,
    attempt: null,
    receipt: null,
    job: null,
    looks: 0,
    lookedAt: null,
    nextLookAt: 0,
    startedAt: null,
    acceptedAt: null,
    endedAt: null,
    seenAway: 0,
    comeback: null,
  };
}
