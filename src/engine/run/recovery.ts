import type { EngineContext } from '../context/engine-context.ts';

const everyMs = 5_000;
const soonMs = 250;
/** Longer than a turn usually takes; a process that was to wake somebody and ended is the only reason. */
const stalledAfterMs = 10_000;
const reviveEveryMs = 30_000;
const tidyEveryMs = 10 * 60_000;
/** Of a process that ended; the rest five seconds later. */
const takenOverAtOnce = 500;
/** Each gets a run of its own, which takes a while: in between, people are answered. */
const carriedAtOnce = 20;
const day = 86_400_000;

/** What nobody is woken for: leftovers of a crash, and what has had its time. */
export function createRecovery(
  context: EngineContext,
  {
    resume,
    watch,
    revive,
  }: {
    resume: () => Promise<void>;
    watch: (operation: string, n: number) => void;
    revive: () => Promise<void>;
  },
) {
  const { store, now, log } = context;
  let timer: NodeJS.Timeout | undefined;
  let next: NodeJS.Timeout | undefined;
  let tidiedAt = 0;
  let revivedAt = 0;
  let isRunning = false;
  let isStopped = false;

  async function once(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await resume();
      const left = await store.operations.withoutRun(now() - 2_000, carriedAtOnce);
      for (const id of left) await context.startRun(id);
      // The start waits for one round, not for all that a crash may have left.
      if (left.length === carriedAtOnce) soon();
      // At the start whatever stands still was left by a process that ended.
      const isFirst = revivedAt === 0;
      for (const id of await store.operations.stalled(now() - (isFirst ? 0 : stalledAfterMs))) context.wake(id);
      // Their runs rest by the machine's clock; ours may have gone further, as the sandbox's does.
      for (const id of await store.operations.expired(now())) context.wake(id);
      if (now() - revivedAt > reviveEveryMs) {
        revivedAt = now();
        await revive();
      }
      // What a process that ended looked after: whoever comes first takes it over.
      for (const step of await store.steps.unwatched(now(), takenOverAtOnce)) watch(step.operationId, step.n);
      await store.secrets.purge(now());
      if (now() - tidiedAt > tidyEveryMs) await tidy();
    } finally {
      isRunning = false;
    }
  }

  async function tidy(): Promise<void> {
    tidiedAt = now();
    await store.forms.purge(now());
    await store.inbox.prune(now() - 3 * day);
    await store.messages.prune(now() - 30 * day);
    await store.freezes.prune(now() - 90 * day);
    await store.entries.prune(now());
  }

  const onceOrWarn = () => void once().catch((error) => log.warn({ err: error }, 'sweeping'));

  function soon(): void {
    if (isStopped) return;
    clearTimeout(next);
    next = setTimeout(onceOrWarn, soonMs);
    next.unref();
  }

  return {
    once,
    start: () => {
      timer = setInterval(onceOrWarn, everyMs);
      timer.unref();
    },
    stop: () => {
      isStopped = true;
      clearInterval(timer);
      clearTimeout(next);
    },
  };
}
