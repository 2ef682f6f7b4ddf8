import type { Reading } from '../../core/targets/targets.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';

/** Answers for a command and a person: it may name what they may do it to, or read where it is about nothing of the account. */
export function maySeeFor({ capability }: Pick<AnyCommand, 'capability'>, access: Access): Reading['maySee'] {
  const needed = capability === 'none' || capability === 'admin' ? 'read' : capability;
  return (target) => access.may(needed, target);
}
