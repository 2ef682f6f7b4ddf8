import type { Reading } from '../../core/targets/targets.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';

/**
 * Whether a command may name a target to a person: if they may run it on the target, or may read the target if the
 * command needs no grantable right.
 */
export function maySeeFor({ capability }: Pick<AnyCommand, 'capability'>, access: Access): Reading['maySee'] {
  const needed = capability === 'none' || capability === 'admin' ? 'read' : capability;
  return (target) => access.may(needed, target);
}
