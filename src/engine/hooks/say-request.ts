import { isEnd } from '../../core/plan/operation.ts';
import type { RunVerdict } from '../../core/plan/say-state.ts';
import { titleWithHour } from '../../core/plan/say-when.ts';
import { sayRule } from '../../core/policy/say-rule.ts';
import { defined } from '../../core/text/defined.ts';
import type { Json } from '../../core/text/json.ts';
import type { Text } from '../../core/view/view.ts';
import { countingVotes } from '../access/count-votes.ts';
import { sayNames } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { operationId } from '../context/request.ts';
import { decidersOf } from '../operation/card-names.ts';
import { replacementSeed } from '../operation/end.ts';
import { endSentenceOf } from '../operation/ends.ts';
import { type Operation, readStepLeniently } from '../operation/read-operation.ts';

const unclear: ReadonlySet<string> = new Set(['reading', 'unknown', 'unverified']);

/** The request as a machine reads it. */
export async function requestData(context: EngineContext, operation: Operation, card: string | undefined) {
  const { store, settings, directory } = context;
  const { id, state, plan, rule, startsAt, expiresAt, createdAt, endedAt, endReason } = operation;
  const say = (text: Text) => sayNames(directory, text);
  const at = (ms: number) => new Date(ms).toISOString();
  const steps = (await store.steps.list(id)).map(readStepLeniently);
  const nextId = operationId(replacementSeed(id));
  const next = endReason === 'changed' && (await store.operations.find(nextId)) !== undefined ? nextId : undefined;
  const hasRun = operation.when.kind === 'weekly' && operation.when.ran.length > 0;
  const verdict: RunVerdict = steps.some((step) => unclear.has(step.state))
    ? 'not known: do not repeat'
    : hasRun || steps.some((step) => step.state === 'done' || step.acceptedAt !== null)
      ? 'ran'
      : 'did not run';
  const mayDecide = decidersOf(operation, settings.admins);
  const isWaiting = state === 'waiting';
  return {
    id,
    state,
    title: await say(titleWithHour(operation)),
    will: await say(plan.effect),
    asked: at(createdAt),
    rule: await say(sayRule(rule)),
    steps: steps.map(({ label, state, note }) => ({ label: label || plan.title, state, note: note ?? '' })),
    ...defined({
      changes: plan.diff?.map(({ sign, text }) => `${sign} ${text}`),
      warning: plan.warning && (await say(plan.warning.text)),
      approvers: isWaiting ? await say(mayDecide) : undefined,
      approvals: isWaiting ? countingVotes(await store.votes.list(id)).length : undefined,
      until: isWaiting && expiresAt !== null ? at(expiresAt) : undefined,
      starts: startsAt === null ? undefined : at(startsAt),
      card,
      end: isEnd(state) ? { verdict, text: endSentenceOf(operation), at: at(endedAt ?? createdAt) } : undefined,
      next,
    }),
  } satisfies { readonly [key: string]: Json };
}
