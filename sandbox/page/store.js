/** The server's entries by key, and their listeners. */

/** @type {Map<string, any>} */
const entries = new Map();
/** @type {Set<{prefixes: readonly string[], run: () => void}>} */
const listeners = new Set();
let skewMs = 0;

export const get = (key) => entries.get(key);

/** All values under a prefix. */
export function list(prefix) {
  const found = [];
  for (const [key, value] of entries) if (key.startsWith(prefix)) found.push(value);
  return found;
}

/** The sandbox's time, which can be ahead of the browser's. */
export const now = () => Date.now() + skewMs;

/** Calls `run` once for each change under one of these prefixes, until the returned function is called. */
export function watch(prefixes, run) {
  const listener = { prefixes, run };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const kept = { 'request/': 300, 'delivery/': 300 };

function prune() {
  for (const [prefix, most] of Object.entries(kept)) {
    const keys = [...entries.keys()].filter((key) => key.startsWith(prefix));
    for (const key of keys.slice(0, Math.max(0, keys.length - most))) entries.delete(key);
  }
}

/** @param {{clear: string[], drop: string[], set: [string, any][], nowMs: number}} change */
export function apply({ clear, drop, set, nowMs }, isWhole) {
  skewMs = nowMs - Date.now();
  const touched = new Set([...clear, ...drop, ...set.map(([key]) => key)]);
  if (isWhole) entries.clear();
  for (const prefix of clear) for (const key of [...entries.keys()]) if (key.startsWith(prefix)) entries.delete(key);
  for (const key of drop) entries.delete(key);
  for (const [key, value] of set) entries.set(key, value);
  prune();
  for (const { prefixes, run } of [...listeners]) {
    if (isWhole || prefixes.some((prefix) => [...touched].some((key) => key.startsWith(prefix)))) run();
  }
}
