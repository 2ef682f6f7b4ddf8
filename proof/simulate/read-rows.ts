import type { History, SealedLine } from '../../sandbox/judge/history.ts';

/** Turns rows into what the judge reads. */

export function lineOf(row: Readonly<Record<string, unknown>>): SealedLine {
  const { operation_id: operationId, data, ...rest } = row;
  // The columns of the audit, as its table has them.
  return { ...rest, operationId, data: JSON.parse(String(data)) } as SealedLine;
}

/** Freezes of everything, as the audit has them. */
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
