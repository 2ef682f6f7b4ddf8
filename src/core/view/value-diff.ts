import type { DiffLine } from './view.ts';

/** The diff of one value: `name web-1` → `name web-old`. */
export function valueDiff(of: string, before: string, after: string): DiffLine[] {
  return [
    { sign: '−', text: `${of}  ${before}` },
    { sign: '+', text: `${of}  ${after}` },
  ];
}

/** The removed and the added lines, without lines in both. */
export function linesDiff(before: readonly string[], after: readonly string[]): DiffLine[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((text): DiffLine => ({ sign: '−', text })),
    ...after.filter((line) => !before.includes(line)).map((text): DiffLine => ({ sign: '+', text })),
  ];
}
