import type { Target } from '../core/account/account.ts';
import type { BotReader } from '../core/command/bot.ts';
import type { PinOf } from '../core/policy/pins.ts';
import { signs } from '../core/view/signs.ts';
import { type Text, text } from '../core/view/view.ts';

/** ` · 📌 pinned` behind the name in a list; for a request, if one of its targets is pinned. */
export function pinMark(pinOf: PinOf, ...targets: readonly Target[]): string {
  return targets.some((target) => pinOf(target) !== undefined) ? ` · ${signs.pinned} pinned` : '';
}

/** `📌 pinned: the shop runs on it · @lead`; a name and no mention, which would notify the person. */
export async function pinField(bot: Pick<BotReader, 'pins' | 'nameOf'>, target: Target): Promise<Text> {
  const pin = (await bot.pins())(target);
  if (pin === undefined) return '';
  const by = pin.by === null ? text('the policy of ', { channel: pin.channel }) : await bot.nameOf(pin.by);
  return text(`${signs.pinned} pinned: ${pin.why} · `, by);
}
