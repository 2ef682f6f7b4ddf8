import type { RawArgs } from '../../core/grammar/shapes.ts';
import type { AnyCommand } from '../context/dependencies.ts';

/** The numbers of the form pages that are shown with these values. */
export function pagesShown(command: Pick<AnyCommand, 'pages' | 'skips'>, raw: RawArgs): number[] {
  return (command.pages ?? []).map((_, page) => page).filter((page) => command.skips?.(page, raw) !== true);
}

/** The next page to show; undefined after the last. */
export function pageAfter(
  command: Pick<AnyCommand, 'pages' | 'skips'>,
  raw: RawArgs,
  page: number,
): number | undefined {
  return pagesShown(command, raw).find((later) => later > page);
}

/** The names of the arguments on later pages. */
export function namesAfter(
  command: Pick<AnyCommand, 'pages' | 'skips'>,
  raw: RawArgs,
  page: number,
): readonly string[] {
  const later = pagesShown(command, raw).filter((shown) => shown > page);
  return later.flatMap((shown) => command.pages?.[shown] ?? []);
}

/** Drops the values of skipped pages, which were filled in before a choice that skips them. */
export function withoutSkipped(command: Pick<AnyCommand, 'pages' | 'skips'>, raw: RawArgs): RawArgs {
  const shown = new Set(pagesShown(command, raw));
  const left = new Set((command.pages ?? []).flatMap((names, page) => (shown.has(page) ? [] : names)));
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !left.has(name)));
}
