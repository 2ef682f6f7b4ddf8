import { type Rule, risks, ruleFor } from '../../core/policy/policy.ts';
import { isOpenAt, type NamedWindow } from '../../core/policy/windows.ts';
import { says, text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { refuse } from '../operation/end.ts';
import { ends, reasons } from '../operation/ends.ts';
import { entryOf } from '../operation/entry-of.ts';
import { waitUnlocked } from '../operation/locks.ts';
import type { Operation } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';
import { hourIn, windowOf } from './window-hour.ts';

/** Requests that could not begin in their maintenance window. */

/** The maintenance window of a decided request, if it is closed; by the present policy of the channel. */
export async function closedWindow(
  { policies }: Pick<EngineContext, 'policies'>,
  operation: Operation,
  at: number,
  rule?: Rule,
): Promise<NamedWindow | undefined> {
  const policy = await policies.get(operation.channel);
  const risk = risks.find((candidate) => candidate === operation.risk);
  // The stored rule is that of the request; the present one may require a window since.
  const present = rule ?? (risk === undefined ? operation.rule : ruleFor(policy, risk));
  const window = windowOf(policy, { ...operation, rule: present });
  return window === undefined || isOpenAt(window, at) ? undefined : window;
}

/** Moves a decided request into the next span of its window. Its approvals stay: the card says that it may move. */
export async function moveIntoNext(
  context: EngineContext,
  operation: Operation,
  window: NamedWindow,
  at: number,
): Promise<'next'> {
  const { id, rule, plan, timing } = operation;
  if (timing?.run !== undefined)
    return refuse(context, operation, 'closed', ends.notRun(reasons.notInWindow(window.name)));
  const { timeZone } = timing ?? (await context.directory.person(operation.requester));
  const { startsAt, timing: moved } = hourIn(window, at, {
    ...{ words: timing?.window === undefined ? '' : timing.words, timeZone: timeZone ?? 'UTC', rule },
    ifFrozen: timing?.ifFrozen ?? 'refuse',
  });
  // The message comes before the move: after a crash in between, it is found and put again.
  const words = text(
    `${plan.title} begins only in the maintenance window ${window.name}. It moves to `,
    { date: startsAt ?? at, style: 'full' },
    '.',
  );
  await notifyThread(context, operation, `window:${id}:${startsAt}`, says(words));
  const hour = { startsAt, timing: { ...moved, graceMs: timing?.graceMs ?? moved.graceMs } };
  await waitUnlocked(
    context,
    operation,
    'scheduled',
    { ...hour, readyAt: null, delayWhy: null },
    {
      ...entryOf(operation),
      kind: 'moved',
      text: plan.title,
      data: { from: operation.startsAt, to: startsAt, window: window.name },
    },
  );
  return 'next';
}
