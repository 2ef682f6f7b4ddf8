import { targetKey } from '../../core/account/account.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { stateWords } from '../../core/plan/say-state.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type Operation, readOperationOrRest } from '../operation/record.ts';
import { type Alert, readAlert } from './records.ts';

/** More alerts are open at once only in a flood, whose messages show no attempts. */
const mostOpen = 500;
const mostShown = 3;
/** The alert of a job says itself how the job ended. */
const tellsItself = 'job';

/**
 * Puts a request on the messages of the alerts that are about its targets, when it is asked for and again when it ends.
 * The message reads the request when it is drawn, so a repetition changes nothing.
 */
export async function noteAttempt(
  context: Pick<EngineContext, 'alerts' | 'now' | 'store'>,
  operation: Parameters<EngineContext['alerts']['attempted']>[0],
): Promise<void> {
  const { store, now } = context;
  const targets = new Set(operation.plan.targets.map(targetKey));
  const open = (await store.alerts.listOpen({ limit: mostOpen })).filter((row) => {
    const { target, isNews } = readAlert(row).finding;
    // A request about the account as a whole has little to do with its other alerts.
    const isOne = target.kind === 'order' || target.kind === 'domain';
    return row.rule !== tellsItself && isNews !== true && isOne && targets.has(targetKey(target));
  });
  if (open.length === 0) return;
  await store.notes.write(
    'attempt',
    Object.fromEntries(open.map(({ id }) => [`${id}:${operation.id}`, { operation: operation.id }])),
    operation.createdAt,
  );
  // A row that another process wrote meanwhile is drawn again anyway.
  for (const row of open) await store.alerts.change(row.id, row.version, { seenAt: now() });
  for (const channel of new Set(open.map((row) => row.channel))) context.alerts.publishSoon(channel);
}

/** The last attempts of each of these alerts, as lines: `10:24 Start failed: the hypervisor did not answer`. */
export async function attemptsOf(
  { store }: Pick<EngineContext, 'store'>,
  alerts: readonly Alert[],
): Promise<ReadonlyMap<string, readonly Text[]>> {
  const lines = new Map<string, readonly Text[]>();
  for (const { id, finding } of alerts.filter(({ resolvedAt }) => resolvedAt === null)) {
    const noted = [...(await store.notes.writtenAt('attempt', `${id}:`))].toSorted(([, a], [, b]) => a - b);
    const own = await Promise.all(noted.slice(-mostShown).map(([operation]) => lineOf(operation)));
    const found = own.filter((line) => line !== undefined);
    if (found.length > 0) lines.set(id, found);

    async function lineOf(operationId: string): Promise<Text | undefined> {
      const row = await store.operations.find(operationId);
      if (row === undefined) return undefined;
      const operation = readOperationOrRest(row);
      const step = (await store.steps.list(operationId)).find(({ target }) => target === targetKey(finding.target));
      return sayAttempt(operation, finding.target.name, step?.note ?? operation.endText ?? undefined);
    }
  }
  return lines;
}

function sayAttempt(operation: Operation, name: string, note: string | undefined): Text {
  const { state, plan, requester, createdAt, endedAt } = operation;
  const at = { date: endedAt ?? createdAt, style: 'time' } as const;
  const what = plan.title.replace(` ${name}`, '');
  if (!isEnd(state)) return text(at, ` ${what} ${stateWords[state]}, asked by `, { user: requester });
  const why = state === 'done' || note === undefined ? '' : `: ${note}`;
  return text(at, ` ${what} ${stateWords[state]}${why}`);
}
