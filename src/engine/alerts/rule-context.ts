import { z } from 'zod';
import { domainTarget, orderTarget, type Target } from '../../core/account/account.ts';
import type { ObservedKind } from '../../core/alert/alert.ts';
import type { JobSeen, SweepContext } from '../../core/alert/alert-rule.ts';
import type { Reader } from '../../provider/client.ts';
import type { JobRow } from '../../store/records/steps.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { seeAnswers } from './answers.ts';
import { drift } from './drift.ts';

export const sweepEveryMs = 60_000;
/** Maximum number of servers that one sweep reads. */
const mostPerSweep = 100;
/** Equal to the lifetime of the commands' cache, so that a sweep shares the reads of people. */
const accountMaxAgeMs = 30_000;
/** The lists of thousands of orders are most of a sweep's work: rules that need only names read them less often. */
const namesMaxAgeMs = 5 * 60_000;

/** Tolerance for a sweep that starts a little early. */
export const slackMs = 5_000;

/** True for a time noted before the clock was set back: ignore it. The clocks of other replicas are ahead by less. */
export function isToCome(at: number, now: number): boolean {
  return at > now + sweepEveryMs;
}

/** The target with its present tags and project; an alert stores those of its first finding. */
export function presentTarget({ accountReader }: EngineContext, target: Target): Target {
  const account = accountReader.peek();
  const order = target.kind === 'order' && account?.orders.find(({ id }) => id === target.id);
  const domain = target.kind === 'domain' && account?.domains.find(({ name }) => name === target.id);
  return order ? orderTarget(order) : domain ? domainTarget(domain) : target;
}

export type ForRule = ReturnType<typeof createSweepContext>;

/** The context of one sweep, whose rules share reads. */
export function createSweepContext(context: EngineContext) {
  const { store, reader, accountReader, now } = context;
  const reads = new Map<string, Promise<unknown>>();
  const once: SweepContext<Reader>['once'] = (what, read) => {
    const reading = reads.get(what) ?? read();
    reads.set(what, reading);
    // One name always stands for the same read.
    return reading as ReturnType<typeof read>;
  };
  return ({ everyMs }: { readonly everyMs: number }, isWatched: (target: Target) => boolean): SweepContext<Reader> => ({
    reader,
    now: now(),
    once,
    isWatched,
    account: () => once('account', () => accountReader.read({ maxAgeMs: accountMaxAgeMs })),
    names: () => once('names', () => accountReader.read({ maxAgeMs: namesMaxAgeMs })),
    pickDue: (kind, keys, withinMs) => pickDue(context, kind, keys, { withinMs, everyMs }),
    drift: (kind, seen, how) => drift(context, kind, seen, how),
    probeServers: async (orders) => {
      const { domains } = await accountReader.read({ maxAgeMs: namesMaxAgeMs });
      return seeAnswers(context, orders, domains);
    },
    newServers: async (since) => {
      const created = await store.values.list('created');
      return [...created.values()].filter(({ at }) => at >= since).map(({ value }) => value);
    },
    unfinished: async (since) => {
      const steps = await store.steps.touchedSince(since);
      return steps.flatMap(({ state, target, startedAt, endedAt }) =>
        state === 'done' || startedAt === null ? [] : [{ target, startedAt, endedAt }],
      );
    },
    jobs: async (since) => (await store.steps.jobsSince(since)).flatMap(readJob),
  });
}

/** Spreads reads over sweeps: each reads its share, longest unread first. */
async function pickDue(
  context: EngineContext,
  kind: ObservedKind,
  keys: readonly string[],
  { withinMs, everyMs }: { withinMs: number; everyMs: number },
): Promise<readonly string[]> {
  const { store, now } = context;
  const lastAt = await store.values.list('turn', `${kind}:`);
  const last = (key: string) => {
    const at = lastAt.get(key)?.at ?? 0;
    return isToCome(at, now()) ? 0 : at;
  };
  // Scaled by the rule's interval: a rule that runs every half hour reads the share of thirty sweeps in one run.
  const share = Math.ceil((keys.length * Math.max(everyMs, sweepEveryMs)) / withinMs);
  const due = keys
    // Keys that were never read are always due, since their usual value must be learned first.
    .filter((key) => now() - last(key) >= withinMs - slackMs || last(key) === 0)
    .toSorted((a, b) => last(a) - last(b))
    .slice(0, Math.min(mostPerSweep, Math.max(share, 1)));
  await store.values.write('turn', Object.fromEntries(due.map((key) => [`${kind}:${key}`, null])), now());
  return due;
}

export const jobSchema = z.object({ orderId: z.string(), jobId: z.number(), action: z.string() });

function readJob({ operationId, label, job, state, note, acceptedAt, endedAt, channel }: JobRow): JobSeen[] {
  const parsed = jobSchema.safeParse(job).data;
  if (parsed === undefined) return [];
  const end = endedAt === null ? undefined : state === 'done' || state === 'failed' ? state : 'unknown';
  return [{ ...parsed, label, operation: operationId, channel, acceptedAt, end, note: note ?? '' }];
}
