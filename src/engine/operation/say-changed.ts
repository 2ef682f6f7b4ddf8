import type { Plan } from '../../core/plan/plan.ts';
import type { Rule } from '../../core/policy/policy.ts';
import { sayRule } from '../../core/policy/say-rule.ts';
import type { Json } from '../../core/text/json.ts';
import { plain } from '../../core/view/view.ts';
import { type Pinned, sayPinned } from '../access/pins.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

/** Sentences about a plan that is not the approved one. */

/** Words for facts whose values are version numbers, which mean nothing to people. */
const ofChannel: Readonly<Record<string, string>> = {
  'policy version': 'The rights of this channel',
  'alerts version': 'The alerts of this channel',
};

export const upgraded = 'The bot was upgraded since it was requested.';

/** Another version may word the same facts differently, so no difference is shown. */
export function wasUpgraded({ plan }: Pick<Operation, 'plan'>, { settings }: Pick<EngineContext, 'settings'>): boolean {
  return plan.madeBy !== undefined && plan.madeBy !== settings.version;
}

export function sayChanged({ plan }: Pick<Operation, 'plan'>, difference: string): string {
  const kept = Object.keys(plan.facts).flatMap((fact) => ofChannel[fact] ?? [])[0];
  if (kept !== undefined) return `${kept} changed since the request.`;
  const [target] = plan.targets;
  const name = target?.kind === 'channel' ? 'This channel' : (target?.name ?? plan.title);
  return `${name} changed since the request. ${difference}`.trim();
}

/**
 * Explains why more is required than at the approval although the facts are the same: a higher risk or a stricter rule.
 */
export function graver(
  operation: Operation,
  { raised }: Pick<Plan<Json>, 'raised'>,
  { rule, pins }: { readonly rule: Rule; readonly pins: readonly Pinned[] },
): string {
  const pinnedBefore = new Set((operation.plan.pins ?? []).map(({ key }) => key));
  const since = pins.filter(({ key }) => !pinnedBefore.has(key));
  if (since.length > 0) return `${sayPinned(since)}. It was pinned after the request: ${sayRule(rule)}.`;
  return raised !== undefined && operation.risk !== raised.risk
    ? `its risk is higher now than when it was requested. ${plain(raised.why)}`
    : `the rule of this channel changed since the request: ${sayRule(rule)}.`;
}
