import { sayDuration } from '../../core/text/words.ts';
import type { Text } from '../../core/view/view.ts';
import type { Request } from './request.ts';

/** The response to a late click; undefined if the click is not late. */
export function pressAgain({ at, saidAt }: Pick<Request, 'at' | 'saidAt'>): Text | undefined {
  if (saidAt === undefined) return undefined;
  return [
    'You pressed this at ',
    { date: saidAt },
    `, ${sayDuration(at - saidAt)} ago. Press it again if you still want it.`,
  ];
}
