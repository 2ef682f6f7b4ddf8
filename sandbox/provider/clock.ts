const timerMaxMs = 2 ** 31 - 1;

interface Due {
  readonly dueAt: number;
  readonly key: string;
  readonly run: () => void;
}

export interface Clock {
  now(): number;
  offsetMs(): number;
  /** Moves the clock and runs everything that becomes due, in order, each at its own time. */
  advance(ms: number): void;
  /** Schedules a function; the same key replaces the earlier one. */
  schedule(key: string, dueAt: number, run: () => void): void;
  unschedule(key: string): void;
  /** Clears the schedule and restarts at real time plus the offset. */
  restart(offsetMs: number): void;
  stop(): void;
}

/** Real time plus an offset, with one unref'd timer for the next function. */
export function createClock(): Clock {
  let offset = 0;
  let pinned: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let heap: Due[] = [];
  const current = new Map<string, Due>();

  const now = () => pinned ?? Date.now() + offset;

  /** The earliest function that is still scheduled. */
  function next(): Due | undefined {
    for (let top = heap[0]; top; top = heap[0]) {
      if (current.get(top.key) === top) return top;
      pop(heap);
    }
    return undefined;
  }

  function pump(until: number): void {
    for (let due = next(); due && due.dueAt <= until; due = next()) {
      pop(heap);
      current.delete(due.key);
      const outer = pinned;
      pinned = Math.min(Math.max(due.dueAt, now()), until);
      try {
        due.run();
      } finally {
        pinned = outer;
      }
    }
  }

  function arm(): void {
    clearTimeout(timer);
    const due = next();
    if (!due) return;
    timer = setTimeout(
      () => {
        pump(now());
        arm();
      },
      Math.min(Math.max(due.dueAt - now(), 0), timerMaxMs),
    );
    timer.unref();
  }

  return {
    now,
    offsetMs: () => offset,
    advance(ms) {
      pump(now() + ms);
      offset += ms;
      arm();
    },
    schedule(key, dueAt, run) {
      const due = { dueAt, key, run };
      current.set(key, due);
      push(heap, due);
      if (pinned === undefined && heap[0] === due) arm();
    },
    unschedule: (key) => void current.delete(key),
    restart(offsetMs) {
      heap = [];
      current.clear();
      offset = offsetMs;
      arm();
    },
    stop() {
      heap = [];
      current.clear();
      clearTimeout(timer);
    },
  };
}

function push(heap: Due[], due: Due): void {
  let at = heap.length;
  heap.push(due);
  while (at > 0) {
    const parentAt = (at - 1) >> 1;
    const parent = heap[parentAt];
    if (!parent || parent.dueAt <= due.dueAt) break;
    heap[at] = parent;
    at = parentAt;
  }
  heap[at] = due;
}

function pop(heap: Due[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let childAt = 2 * at + 1;
    const left = heap[childAt];
    if (!left) break;
    const right = heap[childAt + 1];
    if (right && right.dueAt < left.dueAt) childAt += 1;
    const child = right && right.dueAt < left.dueAt ? right : left;
    if (child.dueAt >= last.dueAt) break;
    heap[at] = child;
    at = childAt;
  }
  heap[at] = last;
}
