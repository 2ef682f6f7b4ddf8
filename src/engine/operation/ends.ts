import { stateWords } from '../../core/plan/say-state.ts';
import { firstFew } from '../../core/text/words.ts';
import { text, type View, type ViewPart } from '../../core/view/view.ts';
import type { Operation, OperationStep } from './record.ts';

/** How a request ended, in the words of its card, its thread and the audit. */

/** The one reply in the thread. It mentions the person who asked where they may not know the end yet. */
export function endReply(operation: Operation, steps: readonly OperationStep[], isNews: boolean): View {
  const failed = steps.filter(
    (step) => step.state === 'failed' || step.state === 'unknown' || step.state === 'unverified',
  );
  const parts: ViewPart[] = [
    {
      kind: 'text',
      text: isNews ? [{ user: operation.requester }, ` ${endSentenceOf(operation)}`] : endSentenceOf(operation),
    },
  ];
  // The first one is in the sentence above.
  if (failed.length > 1) {
    parts.push({
      kind: 'text',
      text: failed
        .slice(0, 20)
        .map((step) => `${step.label}: ${step.note ?? step.state}`)
        .join('\n'),
    });
  }
  const [first, ...more] = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  return { summary: text(first ?? '', ...more.flatMap((words) => ['\n', words])), parts };
}

/** With the title: an end before anything was sent does not name what it is about. */
export function endSentenceOf({ endText, plan, startedAt, state }: Pick<Operation, EndFields>): string {
  if (endText === null) return `${plan.title}: ${stateWords[state]}.`;
  return startedAt === null || state === 'refused'
    ? `${plan.title}: ${endText.charAt(0).toLowerCase()}${endText.slice(1)}`
    : endText;
}

type EndFields = 'endText' | 'plan' | 'startedAt' | 'state';

/** `2 of 5 done, 1 failed; not started: web-3 and db-1, because everything is frozen.` Empty where there is one step only. */
export function tally(steps: readonly OperationStep[]): string {
  if (steps.length < 2) return '';
  const numberOf = (state: OperationStep['state']) => steps.filter((step) => step.state === state).length;
  const others = (['unverified', 'failed', 'unknown'] as const)
    .filter((state) => numberOf(state) > 0)
    .map((state) => `, ${numberOf(state)} ${stateWords[state]}`)
    .join('');
  const left = steps.filter((step) => step.state === 'skipped');
  const why = left.find((step) => step.note !== null)?.note;
  const because = why === undefined || why === null ? '' : `, because ${why.replace(/[.]$/, '')}`;
  const notStarted =
    left.length === 0
      ? ''
      : `; not started: ${firstFew(
          left.map(({ label }) => label),
          8,
        )}${because}`;
  return `${numberOf('done')} of ${steps.length} done${others}${notStarted}.`;
}
