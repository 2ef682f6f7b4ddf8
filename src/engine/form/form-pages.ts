import type { RawArgs } from '../../core/grammar/shapes.ts';
import type { AnyCommand } from '../context/dependencies.ts';

/** The pages of a command's form that are shown with these values, by their number. */
export function pagesShown(command: Pick<AnyCommand, 'pages' | 'skips'>, raw: RawArgs): number[] {
  return (command.pages ?? []).map((_, page) => page).filter((page) => command.skips?.(page, raw) !== true);
}

/** Undefined after the last page. */
export function pageAfter(
  command: Pick<AnyCommand, 'pages' | 'skips'>,
  raw: RawArgs,
  page: number,
): number | undefined {
  return pagesShown(command, raw).find((later) => later > page);
}

/** Names of the arguments that pages after this one ask for. */
export function namesAfter(
  command: Pick<AnyCommand, 'pages' | 'skips'>,
  raw: RawArgs,
  page: number,
): readonly string[] {
  const later = pagesShown(command, raw).filter((shown) => shown > page);
  return later.flatMap((shown) => command.pages?.[shown] ?? []);
}

/** Without the values of pages that are left out: they were given before somebody chose otherwise. */
export function withoutSkipped(command: Pick<AnyCommand, 'pages' | 'skips'>, raw: RawArgs): RawArgs {
  const shown = new Set(pagesShown(command, raw));
  const left = new Set((command.pages ?? []).flatMap((names, page) => (shown.has(page) ? [] : names)));
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !left.has(name)));
}
