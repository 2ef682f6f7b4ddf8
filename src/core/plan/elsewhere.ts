import { type Span, type Text, text } from '../view/view.ts';
import type { Plan } from './plan.ts';

/** `a grant of #web would reach more`; undefined if the plan changes the reach of no other channel. */
export function sayElsewhere({ widens = [] }: Pick<Plan<unknown>, 'widens'>, here: string): Text | undefined {
  const others = widens.filter(({ channel }) => channel !== here);
  if (others.length === 0) return undefined;
  const channels = others.flatMap(({ channel }, at): Span[] => [at === 0 ? '' : ' and of ', { channel }]);
  return text('a grant of ', channels, ' would reach more');
}
