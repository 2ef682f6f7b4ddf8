import { sayDuration } from '../../core/text/words.ts';
import type { Text, ViewPart } from '../../core/view/view.ts';
import type { Operation } from './record.ts';

/** The hour of a scheduled request, and its promise for then. */
export function hourOf({ startsAt, timing, state, rule }: Operation): ViewPart[] {
  if (startsAt === null || timing === null || !(state === 'waiting' || state === 'scheduled')) return [];
  const { words, timeZone, graceMs, ifFrozen, frozen } = timing;
  const votes = typeof rule === 'object' ? ', the approvals' : '';
  const freeze = ifFrozen === 'wait' ? 'It waits for the end of a freeze.' : 'In a freeze it does not run.';
  const begins: Text =
    frozen === undefined
      ? ['Begins ', { date: startsAt, style: 'full' }, asTyped(words, timeZone)]
      : `Waits for the end of the freeze: ${frozen.why}`;
  return [
    { kind: 'text', text: begins },
    {
      kind: 'context',
      text: `Then the bot checks its facts, the rights${votes} and freezes again. ${freeze} If it cannot begin within ${sayDuration(graceMs)}, it asks.`,
    },
  ];
}

/** The typed words, unless they are a date already. */
function asTyped(words: string, timeZone: string): string {
  return /\d{4}-/.test(words) ? '' : ` · ${words}, ${timeZone}`;
}
