import type { Target } from '../core/account/account.ts';
import type { BotReader } from '../core/command/bot-port.ts';
import type { ProtectionOf } from '../core/policy/protection.ts';
import { signs } from '../core/view/signs.ts';
import { type Text, text } from '../core/view/view.ts';

/** ` · 📌 pinned` behind the name in a list; for a request, if one of its targets is protected. */
export function protectionMark(protectionOf: ProtectionOf, ...targets: readonly Target[]): string {
  return targets.some((target) => protectionOf(target) !== undefined) ? ` · ${signs.protected} pinned` : '';
}

/** `📌 pinned: the shop runs on it · @lead`; a name and no mention, which would notify the person. */
export async function protectionField(bot: Pick<BotReader, 'protections' | 'nameOf'>, target: Target): Promise<Text> {
  const protection = (await bot.protections())(target);
  if (protection === undefined) return '';
  const by =
    protection.by === null ? text('the policy of ', { channel: protection.channel }) : await bot.nameOf(protection.by);
  return text(`${signs.protected} pinned: ${protection.why} · `, by);
}
