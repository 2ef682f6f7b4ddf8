import { z } from 'zod';
import type { MutantGroup } from './groups.ts';
import type { Survivor } from './survivors.ts';

/** Reads what Stryker wrote and compares the mutants that survived with the list of those that may. */

const position = z.object({ line: z.number(), column: z.number() });
const reportSchema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().default(''),
          location: z.object({ start: position, end: position }),
          status: z.string(),
        }),
      ),
    }),
  ),
});

export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly from: string;
  readonly to: string;
  /** The source lines that it touches with the one before them, and where in them `from` begins. */
  readonly around: string;
  readonly offset: number;
  readonly status: string;
}

export interface GroupResult {
  readonly all: number;
  readonly killed: number;
  readonly argued: number;
  /** Survived, and no reason is listed. */
  readonly open: readonly Mutant[];
  /** Counted as killed because the tests did not end: each should be an endless loop. */
  readonly slow: readonly Mutant[];
  /** Listed, and killed or gone: the reason no longer holds. */
  readonly stale: readonly Survivor[];
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

export function mutantsIn(json: string): Mutant[] {
  const { files } = reportSchema.parse(JSON.parse(json));
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const starts = [0];
    for (const [n, letter] of [...source].entries()) if (letter === '\n') starts.push(n + 1);
    const letters = [...source];
    const at = ({ line, column }: { line: number; column: number }) => (starts[line - 1] ?? 0) + column - 1;
    const text = (from: number, to: number) => letters.slice(from, to).join('');
    return mutants.map(({ location: { start, end }, replacement, status }) => {
      const lineStart = starts[Math.max(0, start.line - 2)] ?? 0;
      const lineEnd = starts[end.line] ?? letters.length;
      return {
        file,
        line: start.line,
        from: oneLine(text(at(start), at(end))),
        to: oneLine(replacement),
        around: oneLine(text(lineStart, lineEnd)),
        // The letter keeps the space before it.
        offset: oneLine(`${text(lineStart, at(start))}x`).length - 1,
        status,
      };
    });
  });
}

/** Several places of a file may have the same text: the reason for one of them is none for the others. */
function isThere({ around, offset }: Mutant, { from, on }: Survivor): boolean {
  return on === undefined || (around.includes(on) && around.indexOf(on) + on.indexOf(from) === offset);
}

const noticed = ['Killed', 'Timeout', 'RuntimeError', 'CompileError'];

export function compare(mutants: readonly Mutant[], listed: readonly Survivor[]): GroupResult {
  const alive = mutants.filter(({ status }) => !noticed.includes(status) && status !== 'Ignored');
  const isFor = (mutant: Mutant) => (one: Survivor) =>
    one.file === mutant.file && one.from === mutant.from && one.to === mutant.to && isThere(mutant, one);
  const slow = mutants.filter(({ status }) => status === 'Timeout');
  const open = alive.filter((mutant) => !listed.some(isFor(mutant)));
  return {
    all: mutants.filter(({ status }) => status !== 'Ignored').length,
    killed: mutants.filter(({ status }) => noticed.includes(status)).length,
    argued: alive.length - open.length,
    open,
    slow,
    // A busy machine kills by time what nothing else kills: that proves nothing about a reason.
    stale: listed.filter((one) => ![...alive, ...slow].some((mutant) => isFor(mutant)(one))),
  };
}

export function hasReached({ goal }: Pick<MutantGroup, 'goal'>, { all, killed, argued, open }: GroupResult): boolean {
  return goal === 100 ? open.length === 0 : all === 0 || (killed + argued) / all >= goal / 100;
}
