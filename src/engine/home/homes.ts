import { eachAtMost } from '../../core/async/each-at-most.ts';
import { tooManyFavorites } from '../../core/command/own-settings.ts';
import { says, type View } from '../../core/view/view.ts';
import type { OperationRow } from '../../store/records/operation-row.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { LastRead } from '../context/last-read.ts';
import type { Engine } from '../context/ports.ts';
import { homeOpenForMs } from '../context/time-limits.ts';
import { readableOrders, setFavorite } from './favorites.ts';
import { type HomeReads, home } from './home.ts';
import { type HomeChoice, unusual } from './home-servers.ts';
import { createKnownBalance } from './known-balance.ts';
import { createPowers } from './powers.ts';

/** Updates the Home tab of everyone who opened it lately: each change of a message may change Home. */
export interface Homes {
  readonly open: (user: string) => Promise<View>;
  /** Changes the filter or the page of the servers. */
  readonly turnTo: (user: string, choice: HomeChoice) => Promise<void>;
  /** Adds or removes a favorite of this person, if they may read the server. */
  readonly mark: (user: string, mark: { readonly order: string; readonly isFavorite: boolean }) => Promise<void>;
  /** Updates this person's Home, if they opened it lately. */
  readonly refresh: (user: string) => Promise<void>;
  /** Reports a changed message: a card or an alert. */
  readonly note: (key: string, operation?: OperationRow) => void;
  readonly onChange: Engine['onHomeChange'];
  readonly lastRead: LastRead;
  readonly stop: () => Promise<void>;
}

/** Merges changes that come together, such as a vote, the start and the end. */
const gatherMs = 300;
const atOnce = 4;
const mostPeople = 200;
const shownOn = /^(card|alert):/;

const firstPage: HomeChoice = { filter: unusual, page: 1 };

export function createHomes(getContext: () => EngineContext): Homes {
  const listeners = new Set<Parameters<Engine['onHomeChange']>[0]>();
  const reads: HomeReads = { powers: createPowers(getContext), balance: createKnownBalance(getContext) };
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let isDue = false;
  let isStopped = false;

  function publishSoon(): void {
    isDue = true;
    if (isStopped || timer !== undefined || round !== undefined || listeners.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      isDue = false;
      round = publish()
        .catch((error) => getContext().log.warn({ err: error }, 'could not update Home'))
        .finally(() => {
          round = undefined;
          if (isDue) publishSoon();
        });
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
    const view = await home(getContext(), user, reads, choice);
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
    open: async (user) => {
      const choice = await noteOpening(user, ({ filter }) => ({ filter, page: 1 }));
      return home(getContext(), user, reads, choice);
    },
    turnTo: async (user, { filter, page }) => {
      await noteOpening(user, () => ({ filter, page }));
      await publishTo(user, { filter, page });
    },
    mark: async (user, { order, isFavorite }) => {
      const context = getContext();
      const isReadable = await readableOrders(context, user);
      const change = isReadable(order) ? await setFavorite(context, user, order, isFavorite) : 'same';
      if (change === 'full')
        await context.messenger.postEphemeral(
          { channel: '', kind: 'home' },
          user,
          says(`${tooManyFavorites} Remove one first.`),
        );
      await publishTo(user, await noteOpening(user, (before) => before));
    },
    refresh: async (user) => {
      const { store, now, log } = getContext();
      const opening = await store.values.get('home', user);
      if (opening === undefined || opening.at <= now() - homeOpenForMs) return;
      // The change is stored: a Home that cannot be drawn now is drawn at the next update.
      await publishTo(user, opening).catch((error) => log.warn({ err: error }, 'could not update Home'));
    },
    note: (key, operation) => {
      if (!shownOn.test(key)) return;
      if (operation !== undefined && operation.endedAt !== null) {
        reads.powers.forget();
        reads.balance.forget();
      }
      publishSoon();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    lastRead: { power: reads.powers.last, balance: reads.balance.last },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await round;
    },
  };
}
