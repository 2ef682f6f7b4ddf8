import { z } from 'zod';
import { eachAtMost } from '../../core/limit.ts';
import type { View } from '../../core/view.ts';
import { minute } from '../../core/words.ts';
import type { OperationRow } from '../../store/operation-row.ts';
import { createSettings } from '../../store/settings.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Engine } from '../context/ports.ts';
import { home } from './home.ts';
import { createPowers } from './powers.ts';

/** Keeps the Home tab right of everybody who opened it lately: whatever changes a message may change it. */
export interface Homes {
  readonly open: (user: string) => Promise<View>;
  /** A message changed: a card, or an alert. */
  readonly note: (key: string, operation?: OperationRow) => void;
  readonly onChange: Engine['onHomeChange'];
  readonly stop: () => Promise<void>;
}

/** Slack says when a person opens the tab, and not when they leave it. */
const openForMs = 15 * minute;
/** Changes come in groups: a vote, the start and the end within a second. */
const gatherMs = 300;
const atOnce = 4;
const mostPeople = 200;
const shownOn = /^(card|alert):/;

const openingSchema = z.object({ at: z.number() });

export function createHomes(getContext: () => EngineContext): Homes {
  const listeners = new Set<Parameters<Engine['onHomeChange']>[0]>();
  const powers = createPowers(getContext);
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let isDue = false;
  let isStopped = false;
  const openings = () => createSettings(getContext().store, 'home', openingSchema);

  function publishSoon(): void {
    isDue = true;
    if (isStopped || timer !== undefined || round !== undefined || listeners.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      isDue = false;
      round = publish()
        .catch((error) => getContext().log.warn({ err: error }, 'bringing Home up to date'))
        .finally(() => {
          round = undefined;
          if (isDue) publishSoon();
        });
    }, gatherMs);
  }

  async function publish(): Promise<void> {
    const context = getContext();
    const since = context.now() - openForMs;
    const recent = [...(await openings().all())]
      .filter(([, { at }]) => at > since)
      .toSorted(([, a], [, b]) => b.at - a.at)
      .slice(0, mostPeople);
    await eachAtMost(atOnce, recent, async ([user]) => {
      const view = await home(context, user, powers);
      await Promise.all([...listeners].map((listener) => listener(user, view)));
    });
  }

  return {
    open: async (user) => {
      const context = getContext();
      const at = context.now();
      await openings()
        .change(user, () => ({ at }))
        .catch((error) => context.log.warn({ err: error }, 'recording that Home is open'));
      return home(context, user, powers);
    },
    note: (key, operation) => {
      if (!shownOn.test(key)) return;
      if (operation !== undefined && operation.endedAt !== null) powers.forget();
      publishSoon();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
