import type { Alert } from '../../core/alert/alert.ts';
import type { Freeze } from '../../core/command/bot-port.ts';
import { isInScope, sayScope } from '../../core/policy/freeze-scope.ts';
import { firstLines } from '../../core/text/words.ts';
import { says } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { beginOf, sayMinutes } from './alert-view.ts';
import { presentTarget } from './rule-context.ts';

const mostRead = 1_000;
const mostNamed = 5;

/** The mutes of a channel that are in force. */
export async function mutesIn({ store, now }: EngineContext, channel: string): Promise<readonly Freeze[]> {
  return (await store.freezes.mutes()).filter(({ mutedIn, until }) => mutedIn === channel && (until ?? 0) > now());
}

/** False for an alert about the account or an order, such as one that ends soon: a mute is for what people work on. */
export function isMutedBy(context: EngineContext, { scope }: Freeze, { rule: name, finding }: Alert): boolean {
  const rule = context.alertRules.find((candidate) => candidate.name === name);
  return rule?.isAboutOrder !== true && isInScope(scope, '', [presentTarget(context, finding.target)]);
}

/**
 * Says what each mute of the channel that is over has held back, and ends it. The message comes first: after a crash in
 * between it is put again, which posts nothing. What holds still is posted like any alert.
 */
export async function endMutes(context: EngineContext, channel: string): Promise<void> {
  const { store, now, outbox, accountReader } = context;
  const own = (await store.freezes.mutes()).filter(({ mutedIn }) => mutedIn === channel);
  for (const mute of own.filter(({ until }) => (until ?? 0) <= now())) {
    const alerts = (await store.alerts.openSince(mute.since, mostRead)).filter((alert) => alert.channel === channel);
    const held = alerts.filter((alert) => isHeldSince(alert, mute.since) && isMutedBy(context, mute, alert));
    const each = held.map((alert) => sayHeld(alert, mute));
    const words =
      held.length === 0 ? 'Nothing was held back.' : `Held back: ${firstLines(each, mostNamed).join('; ')}.`;
    const name = sayScope(mute.scope, accountReader.peek());
    await outbox.put({ key: `mute:${mute.id}`, channel, view: says(`Mute of ${name} ended. ${words}`) });
    await store.freezes.end(mute.id);
  }
}

/** True for an alert that was never posted, and for the return of one that nobody was notified of. */
function isHeldSince({ message, escalatedAt }: Alert, since: number): boolean {
  return message === null || (escalatedAt !== null && escalatedAt >= since);
}

/** `off for 12 min, on again`; of a tag `web-1 is off for 12 min, web-1 is on again`. */
function sayHeld(alert: Alert, { scope, until }: Freeze): string {
  const { finding, message, escalatedAt, resolvedAt, endText } = alert;
  const subject = `${finding.target.name} is `;
  const short = (words: string) =>
    !scope.startsWith('tag:') && words.startsWith(subject) ? words.slice(subject.length) : words;
  const began = message === null ? null : escalatedAt;
  const lasted = sayMinutes((resolvedAt ?? until ?? 0) - (began ?? beginOf(alert)));
  return `${short(finding.title)} for ${lasted}, ${resolvedAt === null ? 'not over' : short(endText ?? 'over')}`;
}
