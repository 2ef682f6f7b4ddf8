import { targetKey } from '../../core/account/account.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { mostUrgentFirst, summaryOf } from './records.ts';

/** More open alerts than this are a flood, of which only the first are searched. */
const mostOpen = 500;

export async function openAbout(
  { store }: Pick<EngineContext, 'store'>,
  targets: ReadonlySet<string>,
): ReturnType<EngineContext['alerts']['openAbout']> {
  const rows = await store.alerts.listOpen({ limit: mostOpen });
  return rows
    .map((row) => ({ ...summaryOf(row), channel: row.channel }))
    .filter(({ finding }) => targets.has(targetKey(finding.target)))
    .toSorted(mostUrgentFirst);
}
