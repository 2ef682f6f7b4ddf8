import { lineOf } from '../../core/grammar/parse.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import { firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { Pinned } from '../access/pins.ts';
import type { CommandRequest } from './command-request.ts';

/** Refuses a request for several targets of which some are pinned, and offers the line without those. */
export function withoutPinned(
  because: Text,
  pins: readonly Pinned[],
  { command, reason }: Pick<CommandRequest, 'command' | 'reason'>,
  canonical: RawArgs,
): Refusal {
  const ids = new Set(pins.map(({ key }) => key.slice(key.indexOf(':') + 1)));
  const left = Object.fromEntries(
    Object.entries(canonical).map(([name, values]) => [name, values.filter((value) => !ids.has(value))] as const),
  );
  const isShorter = Object.entries(canonical).some(([name, values]) => (left[name]?.length ?? 0) < values.length);
  const isEmpty = Object.keys(canonical).some((name) => left[name]?.length === 0);
  const names = firstFew(
    pins.map(({ name }) => name),
    3,
  );
  return new Refusal('pinned', text(because, '.'), {
    hint: 'Nothing was requested.',
    suggestions:
      isShorter && !isEmpty ? [{ label: `Without ${names}`.slice(0, 60), command: lineOf(command, left, reason) }] : [],
  });
}
