import type { Target } from '../../core/account/account.ts';
import { isInScope, sayScope } from '../../core/policy/freeze-scope.ts';
import { Refusal } from '../../core/view/errors.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';

export interface Frozen {
  /** `this channel`, `tag:web` */
  readonly what: string;
  readonly until: number | null;
  readonly reason: string;
}

/** The freeze, of those known now, that blocks these targets here at this time. The bot's own settings are never frozen. */
export async function frozenAt(
  { store }: Pick<EngineContext, 'store'>,
  channel: string,
  targets: readonly Target[],
  at: number,
): Promise<Frozen | undefined> {
  if (targets.length > 0 && targets.every((target) => target.kind === 'channel')) return undefined;
  const hit = (await store.freezes.active(at)).find(({ scope }) => isInScope(scope, channel, targets));
  if (hit === undefined) return undefined;
  return { what: sayScope(hit.scope), until: hit.until, reason: hit.reason };
}

/** The freeze that blocks these targets here now. */
export function frozenBy(context: EngineContext, channel: string, targets: readonly Target[]) {
  return frozenAt(context, channel, targets, context.now());
}

export async function mustNotBeFrozen(...asked: Parameters<typeof frozenBy>): Promise<void> {
  const frozen = await frozenBy(...asked);
  if (frozen === undefined) return;
  throw new Refusal('frozen', text('Not now: ', sayFrozen(frozen)), { stored: `Not now: ${sayFrozenBriefly(frozen)}` });
}

/** A sentence with the end of the freeze. */
export function sayFrozen({ what, until, reason }: Frozen): Text {
  return text(`${what} is frozen `, sayUntil({ until }), `: ${reason}.`);
}

export function sayUntil({ until }: Pick<Frozen, 'until'>): Text {
  return until === null ? 'until somebody ends it' : ['until ', { date: until, style: 'full' }];
}

/** The freeze without its end, for stored texts, which hold no dates. */
export function sayFrozenBriefly({ what, reason }: Frozen): string {
  return `${what} is frozen: ${reason}.`;
}
