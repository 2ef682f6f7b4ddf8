import { choice, optional } from '../../core/command/args.ts';
import { moment } from '../../core/command/time-args.ts';
import { day } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { says } from '../../core/view/view.ts';
import { formButton, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';

export const away = defineQuery({
  path: 'away',
  title: 'Away',
  summary: 'Say until when you are away: the bot then asks others for approvals',
  examples: ['away until monday', 'away off'],
  alsoCalled: ['out of office', 'vacation', 'i am away'],
  args: {
    off: optional(choice({ of: ['off'], hint: 'You are back.' })),
    until: optional(moment({ place: 'option', after: ['until'], hint: 'Such as monday or 2h.', maxMs: 90 * day })),
  },
  capability: 'none',
  visibility: 'person',
  run: async ({ off, until }, { own }) => {
    if (off === undefined && until === undefined) {
      const since = await own.awayUntil();
      const form = [formButton('Until when…', 'away')];
      if (since === null) return says('You are here: the bot asks you for approvals.', form);
      return says(
        ['You are away until ', { date: since, style: 'full' }, '.'],
        [runButton('Back again', 'away off'), ...form],
      );
    }
    if (!(await own.setAway(off === undefined ? (until ?? null) : null)))
      throw new Refusal('changed', 'You changed this elsewhere a moment ago. Try again.');
    if (off !== undefined || until === undefined) return says('You are back: the bot asks you for approvals again.');
    return says([
      'You are away until ',
      { date: until, style: 'full' },
      '. The bot asks others for approvals; you may still decide. ',
      { code: '/host away off' },
      ' ends it.',
    ]);
  },
});
