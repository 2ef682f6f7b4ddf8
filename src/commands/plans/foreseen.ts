import type { Foresee } from '../../core/command/close-lines.ts';
import type { Reader } from '../../provider/client.ts';
import { type ChangeStep, changeStep } from '../dns/changes.ts';

type Entry = Awaited<ReturnType<Reader['dns']['entries']>>[number];

/** Reads the provider as it will be after the lines before this one: the power of servers and the records of zones. */
export const foreseenBy: Foresee<Reader> = (context, before) => {
  if (before.length === 0) return context;
  const { reader } = context;
  const status: Reader['vps']['status'] = async (...asked) => {
    const read = await reader.vps.status(...asked);
    const last = before.findLast((state) => state.kind === 'power' && state.order === asked[0].order_id);
    return last?.kind === 'power' ? { ...read, status: last.power } : read;
  };
  const entries: Reader['dns']['entries'] = async (...asked) => {
    const read: readonly Entry[] = await reader.dns.entries(...asked);
    const records = before.filter((state) => state.kind === 'record').filter(({ domain }) => domain === asked[0].name);
    const changes = records.map(({ change }) => changeStep.parse(change));
    return [...changes.reduce(after, read)];
  };
  return { ...context, reader: { ...reader, vps: { ...reader.vps, status }, dns: { ...reader.dns, entries } } };
};

/** A record that does not exist yet has a negative number; sameRecord finds the real one before the write. */
function after(zone: readonly Entry[], change: ChangeStep): readonly Entry[] {
  if (change.do === 'add') return [...zone, { ...change.after, id: Math.min(0, ...zone.map(({ id }) => id)) - 1 }];
  if (change.do === 'remove') return zone.filter(({ id }) => id !== change.id);
  const host = change.before.host === change.after.host ? {} : { host: change.after.host };
  return zone.map((entry) =>
    entry.id === change.id ? { ...entry, ...change.after, host: entry.host, ...host } : entry,
  );
}
