import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Stores messages and views as files, one of each shape, to be validated elsewhere. */

export interface DrawnView {
  readonly surface: 'message' | 'modal' | 'home';
  /** The request that caused it, such as `/host restart web-1`. */
  readonly command: string;
  /** The sent message or view. */
  readonly payload: unknown;
}

export type ViewRecorder = (view: DrawnView) => void;

/** Fields whose values are part of a block's shape. */
const shaping = new Set(['type', 'style', 'level', 'align', 'status', 'width', 'callback_id']);

/** Slack's limits of lengths: texts that exceed different limits have different shapes. */
const limits = [0, 24, 75, 150, 300, 1000, 2000, 3000, 4000, 10_000];
const lengthClass = (length: number): number => limits.filter((limit) => length > limit).length;

/** The shape of a payload, equal for payloads whose texts and lists differ only within Slack's limits. */
function shapeOf(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return shaping.has(name) ? value : lengthClass(value.length);
  if (typeof value === 'number') return 0;
  if (Array.isArray(value)) {
    const items = value.map((item) => JSON.stringify(shapeOf(item)));
    const count = items.length > 10 ? Math.floor(Math.log2(items.length)) : items.length;
    return [count, ...items.filter((item, index) => item !== items[index - 1])];
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, shapeOf(item, key)]));
}

export function recordViews(folder: string): ViewRecorder {
  mkdirSync(folder, { recursive: true });
  const recorded = new Set<string>();
  return (view) => {
    const shape = JSON.stringify(shapeOf(view.payload));
    const name = `${view.surface}-${createHash('sha256').update(shape).digest('hex').slice(0, 16)}.json`;
    if (recorded.has(name)) return;
    recorded.add(name);
    try {
      // Several processes may record the same shape; the first file stays.
      writeFileSync(join(folder, name), `${JSON.stringify(view, null, 2)}\n`, { flag: 'wx' });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  };
}

/** The recorder for `npm --prefix proof run views`; undefined otherwise. */
export const askedRecorder = (): ViewRecorder | undefined => {
  const folder = process.env.HOSTLER_VIEWS_DIR;
  return folder === undefined || folder === '' ? undefined : recordViews(folder);
};
