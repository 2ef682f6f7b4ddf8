import { targetKey } from '../../core/account/account.ts';
import type { Finding, Offer } from '../../core/alert/alert.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { stateWords } from '../../core/plan/say-state.ts';
import { covers } from '../../core/policy/evaluate.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type Operation, readOperationLeniently } from '../operation/record.ts';
import { type Alert, readAlert } from './records.ts';

/** More open alerts than this are a flood, whose messages show no attempts. */
const mostOpen = 500;
const mostShown = 3;
/** The alert of a job already reports its end. */
const tellsItself = 'job';

/**
 * Shows a request on the alerts about its targets, at its start and at its end. Drawing the message reads the request,
 * so a repetition changes nothing.
 */
export async function noteAttempt(
  context: Pick<EngineContext, 'alerts' | 'now' | 'store'>,
  operation: Parameters<EngineContext['alerts']['attempted']>[0],
): Promise<void> {
  const { store, now } = context;
  const targets = new Set(operation.plan.targets.map(targetKey));
  const open = (await store.alerts.listOpen({ limit: mostOpen })).filter((row) => {
    const { target, isNews } = readAlert(row).finding;
    // A request about the whole account is not an attempt to end other alerts.
    const isOne = target.kind === 'order' || target.kind === 'domain';
    return row.rule !== tellsItself && isNews !== true && isOne && targets.has(targetKey(target));
  });
  if (open.length === 0) return;
  await store.notes.write(
    'attempt',
    Object.fromEntries(open.map(({ id }) => [`${id}:${operation.id}`, { operation: operation.id }])),
    operation.createdAt,
  );
  // A row that another process changed meanwhile is redrawn anyway.
  for (const row of open) await store.alerts.change(row.id, row.version, { seenAt: now() });
  for (const channel of new Set(open.map((row) => row.channel))) context.alerts.publishSoon(channel);
}

export interface Attempts {
  /** `10:24 Start failed: the hypervisor did not answer` */
  readonly lines: readonly Text[];
  /** The next step, after the last attempt. */
  readonly offers: readonly Offer[];
}

/** The last attempts of each of these alerts. */
export async function attemptsOf(
  context: Pick<EngineContext, 'policies' | 'store'>,
  alerts: readonly Alert[],
): Promise<ReadonlyMap<string, Attempts>> {
  const { store } = context;
  const attempts = new Map<string, Attempts>();
  for (const { id, finding, channel } of alerts.filter(({ resolvedAt }) => resolvedAt === null)) {
    const noted = [...(await store.notes.writtenAt('attempt', `${id}:`))].toSorted(([, a], [, b]) => a - b);
    const rows = await Promise.all(noted.slice(-mostShown).map(([operation]) => store.operations.find(operation)));
    const own = rows.flatMap((row) => (row === undefined ? [] : [readOperationLeniently(row)]));
    const last = own.at(-1);
    if (last === undefined) continue;
    const isNext = didNotHelp(last, finding) && (await mayBeAsked(context, channel, finding));
    attempts.set(id, {
      lines: await Promise.all(own.map(lineOf)),
      offers: isNext && finding.afterFailed !== undefined ? [finding.afterFailed] : [],
    });

    async function lineOf(operation: Operation): Promise<Text> {
      const step = (await store.steps.list(operation.id)).find(({ target }) => target === targetKey(finding.target));
      return sayAttempt(operation, finding.target.name, step?.note ?? operation.endText ?? undefined);
    }
  }
  return attempts;
}

function didNotHelp({ command, state }: Operation, { afterFailed }: Finding): boolean {
  return command === afterFailed?.command && (state === 'failed' || state === 'unknown' || state === 'unverified');
}

/** True if the channel's policy allows anyone to request the offer. */
async function mayBeAsked(
  { policies }: Pick<EngineContext, 'policies'>,
  channel: string,
  { afterFailed, target }: Finding,
): Promise<boolean> {
  const grants = (await policies.get(channel))?.grants ?? [];
  return grants.some(({ can, on }) => can.some((one) => one === afterFailed?.capability) && covers(on, target));
}

function sayAttempt(operation: Operation, name: string, note: string | undefined): Text {
  const { state, plan, requester, createdAt, endedAt } = operation;
  const at = { date: endedAt ?? createdAt, style: 'time' } as const;
  const what = plan.title.replace(` ${name}`, '');
  if (!isEnd(state)) return text(at, ` ${what} ${stateWords[state]}, asked by `, { user: requester });
  const why = state === 'done' || note === undefined ? '' : `: ${note}`;
  return text(at, ` ${what} ${stateWords[state]}${why}`);
}
