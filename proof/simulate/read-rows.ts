import type { History, SealedLine } from '../../sandbox/judge/history.ts';

/** Turns rows into what the judge reads, and into what tells one state from another. */

/** Says which versions of a message are later than others, and not how often it was drawn. */
export function versionsOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  underWay: Iterable<{ readonly process: string; readonly key: string; readonly version: number }>,
  isDead: (process: string) => boolean,
): unknown {
  const sent = [...underWay].filter(({ process }) => !isDead(process));
  return rows.map(({ key, wanted, delivered }) => {
    const ofIt = sent.filter((one) => one.key === key);
    const numbers = [Number(wanted), Number(delivered), ...ofIt.map(({ version }) => version)];
    const inOrder = [...new Set(numbers)].sort((a, b) => a - b);
    return [key, numbers.map((number) => inOrder.indexOf(number)), ofIt.map(({ process }) => process)];
  });
}

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
