import type { OperationSummary } from '../../core/bot.ts';
import type { Text, ViewPart } from '../../core/view.ts';

/** Requests as a table: what, state, who, where, when. */
export function operationsTable(operations: readonly OperationSummary[]): ViewPart {
  return {
    kind: 'table',
    columns: [{ name: 'Request' }, { name: 'State' }, { name: 'By' }, { name: 'In' }, { name: 'When' }, { name: 'Id' }],
    rows: operations.map(operationRow),
  };
}

export function operationRow(operation: OperationSummary): Text[] {
  return [
    operation.title,
    stateOf(operation),
    [{ user: operation.requester }],
    [{ channel: operation.channel }],
    [{ date: operation.createdAt, style: 'full' }],
    operation.id,
  ];
}

function stateOf(operation: OperationSummary): string {
  if (operation.waitsFor !== null && operation.endedAt === null) return 'waits';
  if (operation.state !== 'running') return operation.state;
  const jobs = operation.steps.flatMap((step) =>
    step.job && step.state === 'accepted' ? [`job ${step.job.jobId}`] : [],
  );
  return jobs.length === 0 ? 'running' : `running, ${jobs.slice(0, 3).join(', ')}`;
}
