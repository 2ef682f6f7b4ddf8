import type { BotReader, OperationSummary } from '../../core/command/bot-port.ts';
import { sayState, stateSign } from '../../core/plan/say-state.ts';
import { type Button, menuPart, type Row, runButton, type Span, text, type ViewPart } from '../../core/view/view.ts';
import { protectionMark } from '../protection-mark.ts';

/** A list of requests, with the protections of their targets and links to their cards. */
export async function operationList(
  all: readonly OperationSummary[],
  bot: Pick<BotReader, 'cardLinks' | 'protections'>,
) {
  const protectionOf = await bot.protections();
  return {
    all,
    linksOf: (shown: readonly OperationSummary[]) => bot.cardLinks(shown.map(({ id }) => id)),
    columns: [{ name: 'Request' }, { name: 'State' }, { name: 'Asked' }],
    row: (operation: OperationSummary, links?: ReadonlyMap<string, string>): Row => {
      const { id, title, endedAt, targets, requester, channel, createdAt } = operation;
      // The protection of today says nothing about a request that has ended.
      const protection = endedAt === null ? protectionMark(protectionOf, ...targets) : '';
      const link = links?.get(id);
      return [
        text(link === undefined ? title : titleOf(operation, link), protection),
        stateOf(operation),
        [{ user: requester }, ' in ', { channel }, ', ', { date: createdAt, style: 'full' }],
      ];
    },
  } as const;
}

/** The title, linked to the card if the link is known. */
export function titleOf({ title }: OperationSummary, link: string | undefined): Span {
  return link === undefined ? { bold: title } : { link, text: title };
}

/** Opens one of the requests with all its facts. */
export function showOne({ id, title }: OperationSummary): Button {
  return { label: title, intent: { do: 'review', operation: id }, opens: true };
}

/** A menu that stops one of the running requests. */
export function stopOne(operations: readonly OperationSummary[]): ViewPart[] {
  const running = operations.filter(({ state, isStopped }) => state === 'running' && !isStopped);
  return menuPart(
    'Stop one',
    running.map(({ id, title }) => runButton(title, `request stop ${id}`)),
  );
}

function stateOf(operation: OperationSummary): string {
  if (operation.waitsFor !== null && operation.endedAt === null)
    return `${stateSign('waiting')} waiting for "Continue"`;
  // The provider's numbers of its jobs.
  const jobs = operation.steps.flatMap((step) => (step.job && step.state === 'accepted' ? [step.job.jobId] : []));
  return `${sayState(operation)}${jobs.length === 0 ? '' : ` · job ${jobs.slice(0, 3).join(', ')}`}`;
}
