import { eachAtMost } from '../../core/async/each-at-most.ts';
import { createSharedRuns } from '../../core/async/shared-runs.ts';
import { tooManyFavorites } from '../../core/command/own-settings.ts';
import { says, type View } from '../../core/view/view.ts';
import type { OperationRow } from '../../store/records/operation-row.ts';
import type { EngineContext, LastRead } from '../context/engine-context.ts';
import type { Engine } from '../context/ports.ts';
import { homeOpenForMs } from '../context/time-limits.ts';
import { drawHome } from './draw-home.ts';
import { createHomeReads } from './home-reads.ts';
import { type HomeChoice, unusual } from './home-servers.ts';
import { readableOrders, setFavorite } from './own-settings.ts';

/** Merges changes that come together, such as a vote, the start and the end. */
const gatherMs = 300;
const atOnce = 4;
const mostPeople = 200;
const shownOn = /^(card|alert):/;

const firstPage: HomeChoice = { filter: unusual, page: 1 };

/** Updates the Home tab of everyone who opened it lately: each change of a message may change Home. */
export function createOpenHomes(getContext: () => EngineContext) {
  const listeners = new Set<Parameters<Engine['onHomeChange']>[0]>();
  const reads = createHomeReads(getContext);
  const publishAll = createSharedRuns(publish);
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let isStopped = false;

  function publishSoon(): void {
    if (isStopped || timer !== undefined || listeners.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      round = publishAll('').catch((error) => getContext().log.warn({ err: error }, 'could not update Home'));
    }, gatherMs);
  }

  async function publish(): Promise<void> {
    const context = getContext();
    const since = context.now() - homeOpenForMs;
    const recent = [...(await context.store.values.all('home'))]
      .filter(([, { at }]) => at > since)
      .toSorted(([, a], [, b]) => b.at - a.at)
      .slice(0, mostPeople);
    await eachAtMost(atOnce, recent, ([user, opening]) => publishTo(user, opening));
  }

  async function publishTo(user: string, choice: HomeChoice): Promise<void> {
    const view = await drawHome(getContext(), user, reads, choice);
    await Promise.all([...listeners].map((listener) => listener(user, view)));
  }

  /** Stores the shown filter and page, so that the next update keeps them. */
  async function noteOpening(user: string, next: (before: HomeChoice) => HomeChoice): Promise<HomeChoice> {
    const { store, now, log } = getContext();
    let choice: HomeChoice = next(firstPage);
    await store.values
      .change('home', user, (before) => {
        choice = next(before ?? firstPage);
        return { ...choice, at: now() };
      })
      .catch((error) => log.warn({ err: error }, 'could not record that Home is open'));
    return choice;
  }

  return {
    open: async (user: string): Promise<View> => {
      const choice = await noteOpening(user, ({ filter }) => ({ filter, page: 1 }));
      return drawHome(getContext(), user, reads, choice);
    },
    turnTo: async (user: string, { filter, page }: HomeChoice) => {
      await noteOpening(user, () => ({ filter, page }));
      await publishTo(user, { filter, page });
    },
    /** Adds or removes a favorite of this person, if they may read the server. */
    mark: async (user: string, { order, isFavorite }: { readonly order: string; readonly isFavorite: boolean }) => {
      const context = getContext();
      const isReadable = await readableOrders(context, user);
      const change = isReadable(order) ? await setFavorite(context, user, order, isFavorite) : 'same';
      const full = says(`${tooManyFavorites} Remove one first.`);
      if (change === 'full') await context.messenger.postEphemeral({ channel: '', kind: 'home' }, user, full);
      await publishTo(user, await noteOpening(user, (before) => before));
    },
    /** Updates this person's Home, if they opened it lately. */
    refresh: async (user: string) => {
      const { store, now, log } = getContext();
      const opening = await store.values.get('home', user);
      if (opening === undefined || opening.at <= now() - homeOpenForMs) return;
      // The change is stored: a Home that cannot be drawn now is drawn at the next update.
      await publishTo(user, opening).catch((error) => log.warn({ err: error }, 'could not update Home'));
    },
    /** Reports a changed message: a card or an alert. */
    note: (key: string, operation?: OperationRow) => {
      if (!shownOn.test(key)) return;
      if (operation !== undefined && operation.endedAt !== null) {
        reads.powers.forget();
        reads.balance.forget();
      }
      publishSoon();
    },
    onChange: (listener: Parameters<Engine['onHomeChange']>[0]) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lastRead: { power: reads.powers.last, balance: reads.balance.last } satisfies LastRead,
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
