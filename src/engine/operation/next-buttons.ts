import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { timingKey } from '../../core/grammar/timing-keys.ts';
import { isTrouble, type OperationState } from '../../core/plan/operation.ts';
import { areas } from '../../core/policy/areas.ts';
import type { RefusalReason } from '../../core/view/errors.ts';
import { type Button, runButton } from '../../core/view/view.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { isSilent } from './ends.ts';
import type { Operation, OperationStep } from './read-operation.ts';

/** Ends in which certainly nothing was applied. An unknown end may have been applied. */
const canBeAskedAgain: readonly OperationState[] = ['failed', 'expired'];
/** Temporary reasons of a refusal. After a changed plan there is a new card instead. */
const passing: readonly (string | null)[] = ['frozen', 'locked', 'unavailable'] satisfies RefusalReason[];

/** Longest line in a button: a cut line would be a different request. */
const longestLine = 1_900;

/**
 * Buttons of a card that make another request: while it waits, the same request one step at a time if that is safer;
 * after an end other than done, the same request again and the status of its only server.
 */
export function nextButtons(
  context: EngineContext,
  operation: Operation,
  steps: readonly Pick<OperationStep, 'comeback' | 'state'>[],
): readonly Button[] {
  const { state, args, plan, endReason, when } = operation;
  const command = commandAt(context, operation.command);
  if (command === undefined) return [];
  if (operation.isSentBack) return changeButton(command, operation);
  if (when.kind === 'weekly') return [];
  const lineWith = (raw: RawArgs) => lineOf(command, raw, plan.reason);
  if (state === 'waiting') {
    // Without the argument, steps run one at a time.
    const { parallel: _, ...others } = args;
    const slower = lineWith({ ...others, ...timingArgs(operation) });
    const isOffered = plan.warning?.isAvoidable === true && slower.length <= longestLine;
    return isOffered ? [{ label: 'One at a time', intent: { do: 'run', line: slower, replaces: operation.id } }] : [];
  }
  const isPast = operation.startsAt !== null && operation.startsAt <= context.now();
  const line = lineWith({ ...args, ...(isPast ? {} : timingArgs(operation)) });
  const isUndone =
    (canBeAskedAgain.includes(state) || (state === 'refused' && passing.includes(endReason))) &&
    steps.every((step) => step.state !== 'done');
  const isAgain = isUndone && line.length <= longestLine;
  const [target, ...others] = plan.targets;
  const isOneServer = others.length === 0 && target?.kind === 'order' && command.area === areas.servers;
  return [
    ...(isAgain ? [runButton('Ask again', line)] : []),
    // The server may be in an unwanted state, so people check it next.
    ...(isOneServer && isSilent(steps)
      ? [runButton('Rescue mode', `rescue on ${target.id}`), runButton('Hard reset…', `hard-reset ${target.id}`)]
      : []),
    ...(isOneServer && isTrouble(state)
      ? [runButton('Status', `status ${target.id}`), runButton('Stats', `stats ${target.id}`)]
      : []),
  ];
}

/** Opens the form of the request, filled in. */
function changeButton(command: AnyCommand, operation: Operation): Button[] {
  const { args, plan, channel } = operation;
  const line = lineOf(command, { ...args, ...timingArgs(operation) }, plan.reason);
  if (line.length > longestLine) return [];
  const intent = { do: 'form', line, in: channel, atStart: true } as const;
  return [{ label: 'Change it…', intent, style: 'primary', opens: true }];
}

/** The options that ask for the same hour again. A maintenance window that the rule requires needs none. */
export function timingArgs({ startsAt, when }: Pick<Operation, 'startsAt' | 'when'>): RawArgs {
  if (when.kind === 'now') return {};
  const { words, ifFrozen } = when;
  const frozen = ifFrozen === 'wait' ? { [timingKey('if-frozen')]: [ifFrozen] } : {};
  if (when.kind === 'weekly')
    return {
      [timingKey('every')]: [words],
      [timingKey('until')]: [new Date(when.until).toISOString()],
      [timingKey('runs')]: [String(when.mostRuns)],
      ...frozen,
    };
  const within = when.kind === 'window' ? { [timingKey('window')]: [when.window.name] } : {};
  if (when.kind === 'window' && words === when.window.name) return { ...within, ...frozen };
  if (startsAt === null || words === '') return frozen;
  return { [timingKey('at')]: [new Date(startsAt).toISOString()], ...within, ...frozen };
}
