import type { ReaderAt, Target } from '../../core/account/account.ts';
import { letsSomebody } from '../../core/policy/evaluate.ts';
import type { Capability } from '../../core/policy/policy.ts';
import type { Reading } from '../../core/targets/targets.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

/**
 * Whether a command may name a target to a person: if they may run it on the target, or may read the target if the
 * command needs no grantable right.
 */
export function maySeeFor({ capability }: Pick<AnyCommand, 'capability'>, access: Access): Reading['maySee'] {
  const needed = capability === 'none' || capability === 'admin' ? 'read' : capability;
  return (target) => access.may(needed, target);
}

export interface ChannelReader extends ReaderAt {
  readonly may: (capability: Capability, target: Target) => boolean;
}

/** Stands for all people who read the channel. */
export async function readerOf({ policies }: Pick<EngineContext, 'policies'>, channel: string): Promise<ChannelReader> {
  const grants = (await policies.get(channel))?.grants ?? [];
  return { channel, may: (capability, target) => letsSomebody(grants, capability, target) };
}
