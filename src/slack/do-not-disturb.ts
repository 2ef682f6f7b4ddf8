import { z } from 'zod';
import { faultOf } from './faults.ts';
import { createMemory, type MemoryOptions } from './memory.ts';
import type { Web } from './web.ts';

const answer = z.object({
  dnd_enabled: z.boolean().default(false),
  next_dnd_start_ts: z.number().default(0),
  next_dnd_end_ts: z.number().default(0),
});

/** The present or next time of do-not-disturb; undefined if it is off, or if the workspace declined the scope. */
type QuietTime = { readonly fromMs: number; readonly toMs: number } | undefined;

export function createDoNotDisturb(web: Web, remembering: MemoryOptions, now: () => number) {
  const times = createMemory<QuietTime>(remembering);

  const read = async (user: string): Promise<QuietTime> => {
    try {
      const status = await web.call('dnd.info', { user }, answer);
      if (!status.dnd_enabled) return undefined;
      return { fromMs: status.next_dnd_start_ts * 1_000, toMs: status.next_dnd_end_ts * 1_000 };
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind === 'refused' && fault.code === 'missing_scope') return undefined;
      throw error;
    }
  };

  return async (person: string): Promise<boolean> => {
    const time = await times.get(person, () => read(person));
    return time !== undefined && time.fromMs <= now() && now() < time.toMs;
  };
}
