import type { OperationSummary } from '../../core/command/bot.ts';
import { sayState, stateSigns } from '../../core/plan/say-state.ts';
import type { PinOf } from '../../core/policy/pins.ts';
import type { Button, Row, Span, ViewPart } from '../../core/view/view.ts';
import { menuPart } from '../buttons.ts';
import { pinMark } from '../pin-mark.ts';

/** Requests as a table, with the pins of their targets. */
export function operationsTable(
  operations: readonly OperationSummary[],
  pinOf: PinOf,
  links: ReadonlyMap<string, string> = new Map(),
): ViewPart {
  return {
    kind: 'table',
    columns: [{ name: 'Request' }, { name: 'State' }, { name: 'Asked' }],
    rows: operations.map((operation) => operationRow(operation, pinOf, links.get(operation.id))),
  };
}

export function operationRow(operation: OperationSummary, pinOf: PinOf, link?: string): Row {
  // The pin of today says nothing about a request that has ended.
  const pin = operation.endedAt === null ? pinMark(pinOf, ...operation.targets) : '';
  return [
    link === undefined ? `${operation.title}${pin}` : [titleOf(operation, link), ...(pin === '' ? [] : [pin])],
    stateOf(operation),
    [
      { user: operation.requester },
      ' in ',
      { channel: operation.channel },
      ', ',
      { date: operation.createdAt, style: 'full' },
    ],
  ];
}

/** The title, linked to the card if the link is known. */
export function titleOf({ title }: OperationSummary, link: string | undefined): Span {
  return link === undefined ? { bold: title } : { link, text: title };
}

/** A menu that opens one of the requests with all its facts. */
export function showOne(operations: readonly OperationSummary[]): ViewPart[] {
  return menuPart(
    'Show one in full',
    operations.map(({ id, title }): Button => ({ label: title, intent: { do: 'review', operation: id }, opens: true })),
  );
}

/** A menu that stops one of the running requests. */
export function stopOne(operations: readonly OperationSummary[]): ViewPart[] {
  const running = operations.filter(({ state, isStopped }) => state === 'running' && !isStopped);
  return menuPart(
    'Stop one',
    running.map(({ id, title }): Button => ({ label: title, intent: { do: 'run', line: `request stop ${id}` } })),
  );
}

function stateOf(operation: OperationSummary): string {
  if (operation.waitsFor !== null && operation.endedAt === null) return `${stateSigns.waiting} waiting for "Continue"`;
  // The provider's numbers of its jobs.
  const jobs = operation.steps.flatMap((step) => (step.job && step.state === 'accepted' ? [step.job.jobId] : []));
  return `${sayState(operation)}${jobs.length === 0 ? '' : ` · job ${jobs.slice(0, 3).join(', ')}`}`;
}
