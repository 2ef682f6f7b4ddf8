import { type Target, targetKey } from '../../core/account/account.ts';
import type { Prepared } from '../../core/command/command.ts';
import type { ShownPlan } from '../../core/plan/plan.ts';
import type { Capability, Risk } from '../../core/policy/policy.ts';
import { strictest } from '../../core/policy/strictest.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyAction, AnyCommand } from '../context/dependencies.ts';

/** The right, the risk and the targets of a request, or of each part of a plan of several lines. */

export interface Weight {
  readonly capability: Capability | 'none';
  readonly risk: Risk;
  readonly targets: readonly Target[];
}

/** The part of a command that decides on its rights. */
export type Weighted = Pick<AnyCommand, 'capability' | 'risk'> & Pick<AnyAction, 'isOfLines'>;

type Weights = readonly [Weight, ...Weight[]];

/** Throws for a plan of several lines without its parts, on which nobody can decide. */
function orWhole(parts: readonly Weight[] | undefined, command: Weighted, whole: () => Weight): Weights {
  const [first, ...others] = parts ?? [];
  if (first !== undefined) return [first, ...others];
  if (command.isOfLines) throw new Error('a plan of several lines has no parts');
  return [whole()];
}

/** Of a line that was read and not planned. */
export function weightsOfLine(
  command: Weighted,
  { targets, parts }: Pick<Prepared, 'targets'> & Pick<ReturnType<AnyAction['prepare']>, 'parts'>,
): Weights {
  const each = parts?.map(({ command: { capability, risk }, targets }) => ({ capability, risk, targets }));
  return orWhole(each, command, () => ({ capability: command.capability, risk: command.risk, targets }));
}

/** Of a request; `risk`: that of its plan. */
export function weightsOf(
  command: Weighted,
  { parts, targets }: Pick<ShownPlan, 'parts' | 'targets'>,
  risk: Risk = command.risk,
): Weights {
  return orWhole(parts, command, () => ({ capability: command.capability, risk, targets }));
}

/** Of one step of a request: its part, and the targets of the step. */
export function weightOfStep(
  command: Weighted,
  plan: Pick<ShownPlan, 'parts' | 'targets'>,
  { part, target }: { readonly part: number; readonly target: string },
): Weights {
  const named = plan.targets.filter((candidate) => targetKey(candidate) === target);
  const targets = named.length === 0 ? plan.targets : named;
  const own = plan.parts?.[part];
  return orWhole(own && [{ ...own, targets }], command, () => ({ ...command, targets }));
}

export function decideOn(access: Access, weights: Weights) {
  const [first, ...others] = weights;
  const decide = ({ capability, risk, targets }: Weight) => access.decide(capability, risk, targets);
  return strictest([decide(first), ...others.map(decide)], access.actor.isAdmin);
}
