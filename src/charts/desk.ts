import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createKeyedQueue } from '../core/async/keyed-queue.ts';
import type { Chart } from './draw.ts';

/**
 * Draws charts in a thread, one after another: loading the libraries takes up to a second and drawing some ten
 * milliseconds, in which the bot would acknowledge no command. An error, and a drawing that takes too long, end the
 * thread: that chart fails, and the next one starts another thread. The thread never keeps the process alive.
 */
export interface ChartDesk {
  readonly draw: (chart: Chart) => Promise<Uint8Array>;
  /** Starts the thread, which loads its libraries while the values of a chart are still being read. */
  readonly warm: () => void;
  /** Ends the thread, except while it draws for another bot of this process; then it ends when it is idle. */
  readonly end: () => Promise<void>;
}

interface Limits {
  readonly waiting: number;
  /** The longest drawing, with the start of the thread. */
  readonly drawMs: number;
  /** The libraries need memory, so a thread without work ends. */
  readonly idleMs: number;
}

const usual: Limits = { waiting: 50, drawMs: 15_000, idleMs: 5 * 60_000 };

/** In the source and in the bundle, the file of the thread lies beside this one. */
const threadFile = new URL(
  import.meta.url.endsWith('.ts') ? './chart-thread.ts' : './chart-thread.js',
  import.meta.url,
);

export function createChartDesk(limits: Limits, file = threadFile): ChartDesk {
  const inTurn = createKeyedQueue();
  let thread: ReturnType<typeof startThread> | undefined;
  let waiting = 0;
  let idle: NodeJS.Timeout | undefined;

  const endThread = async () => {
    const ending = thread;
    thread = undefined;
    await ending?.worker.terminate();
  };

  const running = () => {
    if (thread?.gone.signal.aborted === true) thread = undefined;
    thread ??= startThread(file);
    return thread;
  };
  const endWhenIdle = () => {
    clearTimeout(idle);
    idle = setTimeout(endThread, limits.idleMs).unref();
  };

  const drawNow = async (chart: Chart): Promise<Uint8Array> => {
    const { worker, gone } = running();
    const late = setTimeout(() => gone.abort(new Error(`it took more than ${limits.drawMs} ms`)), limits.drawMs);
    late.unref();
    try {
      worker.postMessage(chart);
      const [picture] = await once(worker, 'message', { signal: gone.signal });
      if (picture instanceof Uint8Array) return picture;
      throw new Error('it is no picture');
    } catch (error) {
      const cause = gone.signal.aborted ? gone.signal.reason : error;
      await endThread();
      throw new Error(`drawing a chart: ${cause instanceof Error ? cause.message : cause}`, { cause });
    } finally {
      clearTimeout(late);
    }
  };

  return {
    draw: async (chart) => {
      if (waiting >= limits.waiting) throw new Error(`drawing a chart: ${waiting} others wait`);
      waiting += 1;
      clearTimeout(idle);
      try {
        return await inTurn('', () => drawNow(chart));
      } finally {
        waiting -= 1;
        if (waiting === 0) endWhenIdle();
      }
    },
    warm: () => {
      if (waiting > 0) return;
      running();
      endWhenIdle();
    },
    end: async () => {
      if (waiting === 0) await endThread();
    },
  };
}

function startThread(file: URL) {
  // The environment has the bot's secrets, which no chart needs.
  const worker = new Worker(file, { env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 128 } });
  const gone = new AbortController();
  worker.unref();
  // Without a listener, an error of the thread would end the bot.
  worker.on('error', () => {});
  worker.once('exit', () => gone.abort(new Error('its thread ended')));
  return { worker, gone };
}

export const { draw: drawChart, warm: warmCharts, end: endCharts } = createChartDesk(usual);
