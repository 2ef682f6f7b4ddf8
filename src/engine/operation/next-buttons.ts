import { lineOf } from '../../core/grammar/parse.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import type { OperationState } from '../../core/plan/operation.ts';
import { areas } from '../../core/policy/areas.ts';
import type { RefusalReason } from '../../core/view/errors.ts';
import type { Button } from '../../core/view/view.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import type { Operation, OperationStep } from './record.ts';

/** It is known that it was not done. An unknown end may have been, and of several steps those that were done would be repeated. */
const canBeAskedAgain: readonly OperationState[] = ['failed', 'expired'];
/** Reasons of a request that did not run which pass by themselves. After a change there is a new card. */
const passing: readonly (string | null)[] = ['frozen', 'locked', 'unavailable'] satisfies RefusalReason[];
/** The server may not be as it was wanted, so people look at it next. */
const wantsALook: readonly OperationState[] = ['failed', 'unknown', 'unverified'];

/** A button holds so much of a line; the rest would be another request. */
const longestLine = 1_900;

/**
 * Buttons of a card that ask for something else: while it waits, the same one step at a time where that is safer; when it
 * did not end as done, the same once more and a look at the one server it was about.
 */
export function nextButtons(
  context: Pick<EngineContext, 'commands'>,
  operation: Operation,
  steps: readonly Pick<OperationStep, 'state'>[],
): readonly Button[] {
  const { state, args, plan, endReason } = operation;
  const command = commandAt(context, operation.command);
  if (command === undefined) return [];
  const lineWith = (raw: RawArgs) => lineOf(command, raw, plan.reason);
  if (state === 'waiting') {
    const slower = lineWith(withoutParallel(args));
    const isOffered = plan.warning?.isAvoidable === true && slower.length <= longestLine;
    return isOffered ? [{ label: 'One at a time', intent: { do: 'run', line: slower, replaces: operation.id } }] : [];
  }
  const line = lineWith(args);
  const isUndone =
    (canBeAskedAgain.includes(state) || (state === 'refused' && passing.includes(endReason))) &&
    steps.every((step) => step.state !== 'done');
  const isAgain = isUndone && line.length <= longestLine;
  const [target, ...others] = plan.targets;
  const isOneServer = others.length === 0 && target?.kind === 'order' && command.area === areas.servers;
  return [
    ...(isAgain ? [{ label: 'Ask again', intent: { do: 'run', line } } as const] : []),
    ...(isOneServer && wantsALook.includes(state)
      ? [
          { label: 'Status', intent: { do: 'run', line: `status ${target.id}` } } as const,
          { label: 'Stats', intent: { do: 'run', line: `stats ${target.id}` } } as const,
        ]
      : []),
  ];
}

/** One at a time is how steps run when nothing else is asked for. */
function withoutParallel({ parallel: _, ...args }: RawArgs): RawArgs {
  return args;
}
