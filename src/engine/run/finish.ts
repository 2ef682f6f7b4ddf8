import type { DoneStep } from '../../core/command.ts';
import type { Json } from '../../core/json.ts';
import type { OperationState } from '../../core/operation.ts';
import { sayDuration } from '../../core/words.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { tally } from '../operation/card.ts';
import { end } from '../operation/end.ts';
import { endSentence } from '../operation/error-view.ts';
import type { Operation, OperationStep } from '../operation/record.ts';

const worstFirst = ['failed', 'unknown', 'unverified', 'done'] as const;

/** All steps have ended: names the operation's end and says it in words. */
export async function finish(
  context: EngineContext,
  operation: Operation,
  steps: readonly OperationStep[],
): Promise<void> {
  const { commands, now } = context;
  const to = worstFirst.find((state) => steps.some((step) => step.state === state)) ?? 'done';
  const command = commands.find((known) => known.path === operation.command);
  const took = sayTook(now() - (operation.startedAt ?? now()));
  const done: DoneStep<Json>[] = steps
    .filter((step) => step.state === 'done' || step.state === 'unverified')
    .map((step) => ({
      label: step.label,
      data: step.data,
      receipt: step.receipt ?? undefined,
      verdict: step.note === null ? undefined : { is: step.state === 'done' ? 'so' : 'unsure', text: step.note },
    }));
  const ending = command?.kind === 'action' && done.length > 0 ? command.done(done, operation) : undefined;
  const endText = words[to](operation, steps, ending?.text ?? operation.plan.title, took);
  await end(context, operation, ['running', 'reading'], to, {
    endText,
    undo: ending?.undo ?? null,
  });
}

/** What is there at once needs no time told. */
function sayTook(ms: number): string {
  return ms < 1_500 ? '' : ` in ${sayDuration(ms)}`;
}

type SayEnd = (operation: Operation, steps: readonly OperationStep[], ending: string, took: string) => string;

const words: Readonly<Record<Extract<OperationState, 'done' | 'unverified' | 'failed' | 'unknown'>, SayEnd>> = {
  done: (_, steps, ending, took) => `${ending}${took}${verified(steps)}.`,
  unverified: (_, steps, ending, took) =>
    `${ending}${took}, as far as the provider says, but I could not verify it${notes(steps, 'unverified')}`,
  failed: (operation, steps) => {
    const failed = steps.find((step) => step.state === 'failed');
    const count = steps.length > 1 ? ` ${tally(steps)}; stopped there.` : '';
    return `${failed?.note ?? `${operation.plan.title}: the job ended in error.`}${count}`;
  },
  unknown: (operation, steps) => {
    const unknown = steps.find((step) => step.state === 'unknown');
    const count = steps.length > 1 ? ` ${tally(steps)}; stopped there.` : '';
    return `${operation.plan.title}: the provider's answer was lost and reading does not settle whether it was taken. ${endSentence(unknown?.note ?? 'Nothing more could be read')} It was sent once and not again.${count}`;
  },
};

function verified(steps: readonly OperationStep[]): string {
  const [only] = steps;
  return steps.length === 1 && only?.note ? ` · ${only.note}` : '';
}

function notes(steps: readonly OperationStep[], state: string): string {
  const note = steps.find((step) => step.state === state)?.note;
  return note ? `: ${endSentence(note)}` : '.';
}
