import type { RawArgs } from '../../core/grammar/command-shape.ts';
import type { Reading } from '../../core/targets/targets.ts';
import { readingFor } from '../command/channel-of-policy.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

type Paged = Pick<AnyCommand, 'pages' | 'skips'>;

/** The numbers of the form pages that are shown with these values, later than `after`. */
export function pagesShown(command: Paged, raw: RawArgs, after = -1): number[] {
  return command.pages.map((_, page) => page).filter((page) => page > after && command.skips?.(page, raw) !== true);
}

/** Drops the values of skipped pages, which were filled in before a choice that skips them. */
export function withoutSkipped(command: Paged, raw: RawArgs): RawArgs {
  const shown = new Set(pagesShown(command, raw));
  const left = new Set(command.pages.flatMap((names, page) => (shown.has(page) ? [] : names)));
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !left.has(name)));
}

/**
 * Finds the first page with an empty field and resolves the names on earlier pages. Words for targets that this person
 * may not use stay as typed, since the id would reveal the target of a tag or an address.
 */
export async function startOf(
  context: EngineContext,
  command: AnyCommand,
  typed: RawArgs,
  access: Access,
): Promise<{ readonly raw: Record<string, string[]>; readonly page: number }> {
  const raw = toRaw(typed);
  for (const page of pagesShown(command, raw).slice(0, -1)) {
    const names = command.pages[page] ?? [];
    if (names.some((name) => raw[name] === undefined)) return { raw, page };
    try {
      const reading = await readingFor(context, command, access);
      for (const name of names) raw[name] = [...shown(command, name, raw[name] ?? [], reading, access)];
    } catch {
      // Invalid values are reported when the form is submitted.
      return { raw, page };
    }
  }
  return { raw, page: pagesShown(command, raw).at(-1) ?? 0 };
}

function shown(
  { args, capability, risk }: AnyCommand,
  name: string,
  words: readonly string[],
  reading: Reading,
  access: Access,
): readonly string[] {
  const arg = args[name];
  if (arg === undefined) return words;
  const value = arg.read(words, reading);
  return access.decide(capability, risk, arg.targets(value)).allowed ? arg.show(value) : words;
}

export function toRaw(raw: RawArgs): Record<string, string[]> {
  return Object.fromEntries(Object.entries(raw).map(([name, words]) => [name, [...words]]));
}
