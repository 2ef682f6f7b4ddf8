import type { Store } from '../../src/store/database.ts';
import { asTask, forgetAllBut, roughly, tasks } from './tasks.ts';

/**
 * The store of a process, in which a piece of work forgets what it does not need any more: who wants a turn remembers nothing
 * of what led to it, and who gives a turn back or ends a payload goes on with nothing else.
 */
export function forgetWhatIsOver(
  store: Store,
  process: string,
  /** Called with a sum of the row that a claim of a turn got. */
  onClaim: (operation: string, seen: bigint) => void,
): Store {
  const { claim, ask, giveBack } = store.turns;
  const { finish } = store.inbox;
  const nameOf = (what: string, args: readonly unknown[]) => `${what} ${roughly(JSON.stringify(args))}`;
  return {
    ...store,
    turns: {
      ...store.turns,
      claim: (...args) =>
        asTask(process, nameOf('claim', args), async () => {
          const row = await claim(...args);
          onClaim(args[0], tasks.getStore()?.last ?? 0n);
          return row;
        }),
      ask: (...args) => asTask(process, nameOf('ask', args), () => ask(...args)),
      giveBack: (...args) => {
        forgetAllBut(nameOf('give back', args));
        return giveBack(...args);
      },
    },
    inbox: {
      ...store.inbox,
      finish: (...args) => {
        forgetAllBut(nameOf('finish', args));
        return finish(...args);
      },
    },
  };
}
