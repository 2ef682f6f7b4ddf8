import type { ReaderAt, Target } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { letsSomebody } from '../../core/policy/evaluate.ts';
import type { Capability } from '../../core/policy/policy.ts';
import type { Reading } from '../../core/targets/targets.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

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

/** Whether a command may name a target: the person may run it there, or read it if it needs no grantable right. */
export function maySeeFor({ capability }: Pick<AnyCommand, 'capability'>, access: Access): Reading['maySee'] {
  const needed = capability === 'none' || capability === 'admin' ? 'read' : capability;
  return (target) => access.may(needed, target);
}

/** The same for a plan of several lines, with the right that the command of each line needs. */
export function seeingFor(command: Pick<AnyCommand, 'capability'>, access: Access) {
  const maySeeAs = (capability: AnyCommand['capability']) => maySeeFor({ capability }, access);
  return { maySee: maySeeFor(command, access), maySeeAs } satisfies Partial<Reading>;
}

export interface ChannelReader extends ReaderAt {
  readonly may: (capability: Capability, target: Target) => boolean;
}

/** Stands for all people who read the channel. */
export async function readerOf({ policies }: Pick<EngineContext, 'policies'>, channel: string): Promise<ChannelReader> {
  const grants = (await policies.get(channel))?.grants ?? [];
  return { channel, may: (capability, target) => letsSomebody(grants, capability, target) };
}
