import type { Store } from '../../src/store/database.ts';
import { asTask, endInterval, forgetAllBut, roughly } from './tasks.ts';

type Row = Awaited<ReturnType<Store['operations']['find']>>;

/** The row with which a round of a turn begins. */
interface Round {
  readonly row: Row;
  /** A round that follows the check begins with its time. */
  readonly isAfterCheck: boolean;
  /** How often it has read its steps. */
  looks: number;
}

/** True when the function that is being called was called by the bot's file of this name. */
function isCalledBy(file: string): boolean {
  const [, ...frames] = (new Error().stack ?? '').split('\n');
  return frames.find((frame) => !frame.includes('forget.ts'))?.includes(`/${file}:`) === true;
}

/**
 * The store of a process, in which a piece of work forgets what it does not need any more: who wants a turn remembers nothing
 * of what led to it, and who gives a turn back or ends a payload goes on with nothing else. Each round of a turn begins with
 * its row, each look of a round at the steps with those, and a vote that is stored with the list of the votes.
 */
export function forgetWhatIsOver(
  store: Store,
  process: string,
  /** Called with the row with which the next turn begins. */
  onTurn: (operation: string, row: string) => void,
): Store {
  const { claim, ask, giveBack, due } = store.turns;
  const { finish } = store.inbox;
  const rounds = new Map<string, Round>();
  const beginRound = (operation: string, row: Row): Round => {
    const last = rounds.get(operation)?.row;
    const round = { row, isAfterCheck: last?.state === 'approved' && last.heldAt === null, looks: 0 };
    rounds.set(operation, round);
    return round;
  };
  const beginTurn = (operation: string, row: Row): void => {
    rounds.delete(operation);
    beginRound(operation, row);
    onTurn(operation, nameOf('row', [row]));
  };
  const nameOf = (what: string, args: readonly unknown[]) => `${what} ${roughly(JSON.stringify(args))}`;
  return {
    ...store,
    turns: {
      ...store.turns,
      claim: (...args) =>
        asTask(process, nameOf('claim', args), async () => {
          const row = await claim(...args);
          beginTurn(args[0], row);
          return row;
        }),
      ask: (...args) => asTask(process, nameOf('ask', args), () => ask(...args)),
      due: async (...args) => {
        const found = await due(...args);
        // Each of them is claimed by a piece of work of its own.
        endInterval();
        return found;
      },
      giveBack: (...args) => {
        forgetAllBut(nameOf('give back', args));
        return giveBack(...args);
      },
    },
    operations: {
      ...store.operations,
      find: async (id) => {
        const [isRound, isTurn] = [isCalledBy('advance.ts'), isCalledBy('runner.ts')];
        const row = await store.operations.find(id);
        if (isTurn) beginTurn(id, row);
        if (isRound) forgetAllBut(nameOf('round', [beginRound(id, row)]));
        return row;
      },
      move: async (...args) => {
        const isDecided = isCalledBy('decide.ts');
        const isMoved = await store.operations.move(...args);
        // The row is read again, or drawn.
        if (isDecided) forgetAllBut('decided');
        return isMoved;
      },
    },
    steps: {
      ...store.steps,
      list: async (id) => {
        const isLook = isCalledBy('work.ts');
        const steps = await store.steps.list(id);
        const round = rounds.get(id);
        if (!isLook || round === undefined) return steps;
        forgetAllBut(nameOf('steps', [round.row, round.looks++ === 0 && round.isAfterCheck, steps]));
        return steps;
      },
    },
    votes: {
      ...store.votes,
      list: async (id) => {
        const isCast = isCalledBy('vote.ts');
        const votes = await store.votes.list(id);
        if (isCast) forgetAllBut(nameOf('votes', [votes.map((vote) => JSON.stringify(vote)).sort()]));
        return votes;
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
