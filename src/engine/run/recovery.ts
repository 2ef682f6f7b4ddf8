import type { EngineContext } from '../context/engine-context.ts';
import { noteAbsence } from './absence.ts';

const everyMs = 5_000;
/** A process that was to wake somebody and ended is the only reason. */
const stalledAfterMs = 5_000;
const tidyEveryMs = 10 * 60_000;
/** Of a process that ended; the rest five seconds later. */
const takenOverAtOnce = 500;
const day = 86_400_000;

/** What nobody is woken for: leftovers of a crash, and what has had its time. */
export function createRecovery(
  context: EngineContext,
  {
    resume,
    watch,
  }: {
    resume: () => Promise<void>;
    watch: (operation: string, n: number) => void;
  },
) {
  const { store, now, log } = context;
  let timer: NodeJS.Timeout | undefined;
  let tidiedAt = 0;
  let isRunning = false;

  async function once(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await noteAbsence(context);
      await resume();
      for (const id of await store.turns.stalled(now() - stalledAfterMs, takenOverAtOnce)) await store.turns.ask(id);
      // What a process that ended looked after: whoever comes first takes it over.
      for (const step of await store.steps.unwatched(takenOverAtOnce)) watch(step.operationId, step.n);
      await store.secrets.purge(now());
      if (now() - tidiedAt > tidyEveryMs) await tidy();
    } finally {
      isRunning = false;
    }
  }

  async function tidy(): Promise<void> {
    tidiedAt = now();
    await store.locks.releaseLeft();
    await store.forms.purge(now());
    await store.inbox.prune(now() - 3 * day);
    await store.messages.prune(now() - 30 * day);
    await store.freezes.prune(now() - 90 * day);
    await store.entries.prune(now());
    await store.leases.prune();
  }

  const onceOrWarn = () => void once().catch((error) => log.warn({ err: error }, 'sweeping'));

  return {
    once,
    start: () => {
      timer = setInterval(onceOrWarn, everyMs);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
