import { firstFew, shortened } from '../text/words.ts';
import { recordText, ttlText, valueText } from './record.ts';
import { zoneChanges } from './zone-diff.ts';
import type { RecordDifference } from './zone-version.ts';

const short = (words: string) => shortened(words, 50);

/** `www A 192.0.2.1 → 192.0.2.9`, `+ api A 192.0.2.3`, `− old CNAME x` */
export function sayDifference({ removed, added }: RecordDifference, most = 2): string {
  const lines = zoneChanges(
    removed.map((record, id) => ({ ...record, id })),
    added,
    { keep: false },
  ).map((change) => {
    if (change.do === 'add') return `+ ${short(recordText(change.after))}`;
    if (change.do === 'remove') return `− ${short(recordText(change.before))}`;
    const { before, after } = change;
    if (before.host !== after.host || before.type !== after.type)
      return `${short(recordText(before))} → ${after.type} ${short(valueText(after))}`;
    return valueText(before) === valueText(after)
      ? `${after.host} ${after.type} ttl ${ttlText(before)} → ${ttlText(after)}`
      : `${short(recordText(before))} → ${short(valueText(after))}`;
  });
  return firstFew(lines, most);
}
