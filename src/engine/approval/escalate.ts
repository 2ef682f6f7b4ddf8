import { escalatesAfter } from '../../core/policy/escalation.ts';
import { noticeOf } from '../../core/policy/policy.ts';
import { toJson } from '../../core/text/json.ts';
import { sayDuration } from '../../core/text/words.ts';
import { says, type Text, text, type View } from '../../core/view/view.ts';
import { membersOf } from '../access/asked-people.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { redraw } from '../operation/create.ts';
import { entryOf } from '../operation/entry-of.ts';
import { type Operation, shownRuleSchema } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';
import { sendToApprovers } from './notify-approvers.ts';

const kind = 'escalated';
export const escalationKey = ({ id }: Pick<Operation, 'id'>) => `escalate:${id}`;

/** The time at which the second group of a rule may approve, too; undefined without such a group, or if the group may approve already. */
export function escalatesAt({ demands, createdAt, isEscalated }: Operation): number | undefined {
  const spans = isEscalated ? [] : demands.flatMap((demand) => escalatesAfter(demand) ?? []);
  return spans.length === 0 ? undefined : createdAt + Math.min(...spans);
}

/**
 * Lets the second group approve once the time is over, and returns true if the row changed. The row comes first: a
 * process that is killed before it asked them finds in the next turn that nobody was asked.
 */
export async function escalate(context: EngineContext, operation: Operation): Promise<boolean> {
  const { store, now } = context;
  const at = escalatesAt(operation);
  if (at !== undefined && now() >= at) {
    const row = await store.operations.find(operation.id);
    const rule = row && shownRuleSchema.parse(row.rule);
    return store.operations.changeWaiting(operation.id, { rule: toJson({ ...rule, isEscalated: true }) });
  }
  if (operation.isEscalated) await askSecondGroup(context, operation);
  return false;
}

/** Once. The messages come before the audit entry: after a crash in between, they are put again under the same keys. */
async function askSecondGroup(context: EngineContext, operation: Operation): Promise<void> {
  if ((await context.store.audit.list({ operationId: operation.id, kind, limit: 1 })).length > 0) return;
  await redraw(context, operation.id);
  const to = operation.demands.flatMap(({ rule }) => rule.escalate?.to ?? []);
  const notice = noticeOf(operation.rule);
  const key = escalationKey(operation);
  const sent =
    notice === 'dm' ? await sendToApprovers(context, operation, key, [...(await membersOf(context, to))]) : [];
  if (sent.length === 0 && notice !== 'none') await notifyThread(context, operation, key, secondAsked(operation, to));
  await context.audit({
    ...entryOf(operation),
    kind,
    actor: undefined,
    text: `undecided for too long, so more people may approve: ${operation.plan.title}`,
    data: { to: [...to] },
    unlessThere: [kind],
  });
}

/** `Hard reset web-1 was not decided within 30 min: @leads may approve it as well until today 4:14.` */
function secondAsked({ plan, demands, expiresAt }: Operation, to: readonly string[]): View {
  const spans = demands.flatMap((demand) => escalatesAfter(demand) ?? []);
  const until: Text = expiresAt === null ? '' : [' until ', { date: expiresAt, style: 'full' }];
  const names = to.flatMap((subject, at): Text => {
    const id = subject.slice(subject.indexOf(':') + 1);
    return [...(at === 0 ? [] : [', ']), subject.startsWith('user:') ? { user: id } : { group: id }];
  });
  const after = sayDuration(Math.min(...spans));
  return says(
    text({ bold: plan.title }, ` was not decided within ${after}: `, names, ' may approve it as well', until, '.'),
  );
}
