import type { History, SealedLine } from '../../sandbox/judge/history.ts';

/** Converts rows to the judge's types. */

export function lineOf(row: Readonly<Record<string, unknown>>): SealedLine {
  const { operation_id: operationId, data, ...rest } = row;
  // The row has the columns of the audit's table.
  return { ...rest, operationId, data: JSON.parse(String(data)) } as SealedLine;
}

/** The freezes of everything in the audit. */
export function freezesIn(audit: readonly SealedLine[]): History['freezes'] {
  return audit
    .filter(({ kind, data }) => kind === 'freeze' && data.scope === 'all')
    .map(({ at, data }) => {
      const ended = audit.find(
        (line) => line.kind === 'freeze' && line.data.text === `freeze ${String(data.id)} ended`,
      );
      return { from: at, to: ended?.at ?? (typeof data.until === 'number' ? data.until : null) };
    });
}
