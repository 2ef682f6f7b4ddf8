import type { ReadContext } from '../../core/command/command.ts';
import type { Reader } from '../../provider/client.ts';
import type { EngineContext } from '../context/engine-context.ts';

/**
 * Passes power states that people read to the alert rule for power: the next sweep starts with the servers whose state
 * differs from the last sweep. Call `note` after the read.
 */
export function noticing(
  { store, log }: Pick<EngineContext, 'log' | 'store'>,
  reads: ReadContext<Reader>,
): { readonly reads: ReadContext<Reader>; readonly note: () => Promise<void> } {
  const seen = new Map<string, string>();
  const { vps } = reads.reader;
  const status: Reader['vps']['status'] = async (params) => {
    const read = await vps.status(params);
    seen.set(params.order_id, read.status);
    return read;
  };
  return {
    reads: { ...reads, reader: { ...reads.reader, vps: { ...vps, status } } },
    note: async () => {
      if (seen.size === 0) return;
      try {
        const observed = await store.notes.observed('power', [...seen.keys()]);
        const changed = [...seen].filter(
          ([id, power]) => power !== 'unknown' && (observed.get(id)?.value ?? power) !== power,
        );
        await store.notes.write('turn', Object.fromEntries(changed.map(([id]) => [`power:${id}`, null])), 0);
      } catch (error) {
        log.warn({ err: error }, 'could not note which servers the next sweep reads first');
      }
    },
  };
}
