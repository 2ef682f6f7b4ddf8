import { type Target, targetKey } from '../../core/account/account.ts';
import { Refusal } from '../../core/view/errors.ts';
import { type Text, text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';

export interface Frozen {
  /** `this channel`, `tag:web` */
  readonly what: string;
  readonly until: number | null;
  readonly reason: string;
}

/** Finds the freeze that blocks these targets here now. The bot's own settings are never frozen. */
export async function frozenBy(context: EngineContext, channel: string, targets: readonly Target[]) {
  if (targets.length > 0 && targets.every((target) => target.kind === 'channel')) return undefined;
  const { store, now } = context;
  const tags = new Set(targets.flatMap((target) => target.tags.map((tag) => `tag:${tag.toLowerCase()}`)));
  const keys = new Set(targets.map(targetKey));
  const hit = (await store.freezes.active(now())).find(
    ({ scope }) =>
      scope === 'all' || scope === `channel:${channel}` || tags.has(scope.toLowerCase()) || keys.has(scope),
  );
  if (hit === undefined) return undefined;
  const what = hit.scope === 'all' ? 'everything' : hit.scope === `channel:${channel}` ? 'this channel' : hit.scope;
  return { what, until: hit.until, reason: hit.reason };
}

export async function mustNotBeFrozen(...asked: Parameters<typeof frozenBy>): Promise<void> {
  const frozen = await frozenBy(...asked);
  if (frozen === undefined) return;
  throw new Refusal('frozen', text('Not now: ', sayFrozen(frozen)), { stored: `Not now: ${sayFrozenBriefly(frozen)}` });
}

/** A sentence with the end of the freeze. */
export function sayFrozen({ what, until, reason }: Frozen): Text {
  const end: Text = until === null ? 'until somebody ends it' : ['until ', { date: until, style: 'full' }];
  return text(`${what} is frozen `, end, `: ${reason}.`);
}

/** The freeze without its end, for stored texts, which hold no dates. */
export function sayFrozenBriefly({ what, reason }: Frozen): string {
  return `${what} is frozen: ${reason}.`;
}
