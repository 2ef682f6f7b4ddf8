import { z } from 'zod';
import { createMemory } from '../../core/async/memory.ts';
import { day, minute } from '../../core/text/words.ts';
import type { EngineContext } from '../context/engine-context.ts';

const lately = 30 * day;
/** Maximum number of the channel's newest rows that are counted. */
const mostRows = 1_000;
/** A command used less often is not a habit of the channel. */
const fewestUses = 3;

/** Audit kinds to count: a request names its command, a read its line. */
const kinds = ['asked', 'answered', 'shared'];
const dataSchema = z.object({ text: z.string(), command: z.string().optional() });

/** Counts used commands in the audit, at most once in ten minutes for each channel. */
export function createUsedMost(getContext: () => EngineContext): EngineContext['usedMost'] {
  const counts = createMemory<readonly string[]>({ lifeMs: 10 * minute, now: () => getContext().elapsed() });

  async function countIn(channel: string): Promise<readonly string[]> {
    const { store, now, commands } = getContext();
    const rows = await store.audit.lately({ channel, kinds, from: now() - lately, limit: mostRows });
    const paths = commands.map(({ path }) => path).toSorted((a, b) => b.length - a.length);
    const uses = new Map<string, number>();
    for (const { data } of rows) {
      const read = dataSchema.safeParse(data);
      if (!read.success) continue;
      const { text, command = paths.find((path) => text === path || text.startsWith(`${path} `)) } = read.data;
      if (command !== undefined) uses.set(command, (uses.get(command) ?? 0) + 1);
    }
    return [...uses]
      .filter(([, times]) => times >= fewestUses)
      .toSorted(([name, a], [other, b]) => b - a || (name < other ? -1 : 1))
      .map(([path]) => path);
  }

  return (channel) => counts.get(channel, () => countIn(channel));
}
