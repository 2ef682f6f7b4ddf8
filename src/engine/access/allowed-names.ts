import type { Target } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';

/**
 * Names the targets of a request without revealing anything: by name if the person may read all of them, else by the
 * typed words. A guessed tag or address must not reveal names.
 */
export function allowedNames(
  access: Access,
  targets: readonly Target[],
  typed: { readonly command: AnyCommand; readonly raw: RawArgs },
): string {
  const named = targets.filter(({ kind }) => kind !== 'account' && kind !== 'channel');
  if (named.every((target) => access.may('read', target)))
    return named
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', ');
  return Object.entries(typed.command.args)
    .filter(([, arg]) => arg.needsAccount)
    .flatMap(([name]) => typed.raw[name] ?? [])
    .slice(0, 3)
    .join(', ')
    .slice(0, 200);
}
