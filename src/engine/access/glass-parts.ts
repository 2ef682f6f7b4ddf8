import { type Target, targetKey } from '../../core/account/account.ts';
import type { Glass } from '../../core/plan/broken-glass.ts';
import { type Plan, sayElsewhere } from '../../core/plan/plan.ts';
import { mayBreakGlass } from '../../core/policy/may-break-glass.ts';
import type { Rule } from '../../core/policy/policy.ts';
import { type Button, text, type ViewPart } from '../../core/view/view.ts';
import type { OperationRow } from '../../store/records/operation-row.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { voterOf } from './count-votes.ts';
import { decideOn, weightsOf } from './weights.ts';

/** The broken glass of a request: a person whom the policy names ran it without its approvals. */

interface Unlocked extends Pick<OperationRow, 'channel' | 'command' | 'requester' | 'startsAt'> {
  readonly plan: Pick<Plan<unknown>, 'widens'> & { readonly targets: readonly Target[]; readonly isSeveral?: boolean };
  readonly rule: Rule;
}

/** Why nobody can break the glass of this request; undefined if a person whom the policy names can. */
export function whyNoGlass({ channel, plan, rule, startsAt }: Unlocked): string | undefined {
  if (typeof rule !== 'object') return 'it needs no approval';
  if (startsAt !== null) return 'it is for a later hour';
  if (plan.targets.some(({ kind }) => kind === 'channel')) return 'it changes what people may do here';
  if (sayElsewhere(plan, channel) !== undefined) return 'a grant of another channel would reach more';
  const targets = new Set(plan.targets.map(targetKey));
  return plan.isSeveral === true || targets.size !== 1 ? 'it is about several things' : undefined;
}

/** True if the card offers it: the policy names somebody, and the request is of a kind for which it can be done. */
export async function offersGlass({ policies }: EngineContext, operation: Unlocked): Promise<boolean> {
  if (whyNoGlass(operation) !== undefined) return false;
  return (await policies.get(operation.channel))?.breakGlass !== undefined;
}

/** Whether this person may: named by the policy, and with the right to request the same here. */
export async function mayBreak(context: EngineContext, operation: Unlocked, user: string, maxAgeMs?: number) {
  const access = await voterOf(context, operation, user, maxAgeMs);
  const named = mayBreakGlass(await context.policies.get(operation.channel), access.actor);
  if (!named.ok) return { ...named, isUnsure: access.isUnsure };
  const command = commandAt(context, operation.command);
  const right = command && decideOn(access, weightsOf(command, operation.plan));
  if (right?.allowed === true) return { ok: true } as const;
  const because = right?.because ?? 'this version has no such command';
  return { ok: false, because, isUnsure: access.isUnsure } as const;
}

type With<Key extends keyof OperationRow> = Pick<OperationRow, Key> & { readonly glass: Glass | null };

/** The lines of the card about it. */
export function glassParts({ glass, startedAt }: With<'startedAt'>): ViewPart[] {
  if (glass === null) return [];
  const { by, why, closed, isVoid } = glass;
  const isOpen = isVoid === undefined && closed === undefined;
  const runs = startedAt === null ? 'It runs without approvals.' : 'It ran without approvals. Somebody else closes it.';
  const closing = closed?.by ? text('Closed by ', { user: closed.by }, `: “${closed.found}”.`) : '';
  const now = isVoid === undefined ? (isOpen ? runs : closing) : `It no longer counts: ${isVoid}.`;
  const words = text({ user: by }, ` broke the glass: “${why}”. `, now);
  return [{ kind: 'notice', tone: isOpen ? 'warning' : 'info', text: words }];
}

export function closeGlassButtons({ id, glass }: With<'id'>): Button[] {
  if (glass === null || glass.closed !== undefined) return [];
  return [{ label: 'Close break glass…', intent: { do: 'vote', operation: id, vote: 'found' }, opens: true }];
}
