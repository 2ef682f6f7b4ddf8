import type { Glass } from '../../core/plan/broken-glass.ts';
import { says, type Text, text } from '../../core/view/view.ts';
import { closeGlassButtons } from '../access/glass-parts.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { putForEach } from '../context/outbox.ts';
import { glassRemindersMs, remindGlassEveryMs } from '../context/time-limits.ts';
import { linkedTitle } from '../operation/card-links.ts';
import { approversOf } from '../operation/card-names.ts';
import { recordEntry } from '../operation/entry-of.ts';
import type { Operation } from '../operation/read-operation.ts';
import { notifyThread } from '../operation/thread.ts';

/** The messages about a broken glass: at once, again until it is closed, and at its end. Idempotent, as a turn is. */

const keyOf = ({ id }: Pick<Operation, 'id'>, { at }: Glass): string => `glass:${id}:${at}`;

/** The audit, the thread, the admins and the audit channel know of it before the request begins. */
export async function announceGlass(context: EngineContext, operation: Operation, glass: Glass): Promise<void> {
  const { settings } = context;
  const { by, at, why } = glass;
  const done = `broke the glass: ${operation.plan.title}: ${why}`;
  await recordEntry(context, operation, 'glass_broken', done, { actor: by, data: { at }, unlessThere: 'same' });
  const words = await brokenWords(context, operation, glass);
  const until = 'Somebody else closes it and says what they found; another one is barred until then.';
  const channels = [settings.admins, settings.auditChannel ?? []].flat();
  await putForEach(context, channels, keyOf(operation, glass), says(text(words, ' ', until)));
  const without = ` broke the glass: “${why}”. It runs without the approval of `;
  const thread = text({ user: by }, without, approversOf(operation, settings.admins), `. ${until}`);
  await notifyThread(context, operation, `${keyOf(operation, glass)}:thread`, says(thread));
}

/** `Hard reset web-1 in #ops: @lead broke the glass: “…”.` */
async function brokenWords(context: EngineContext, operation: Operation, { by, why }: Glass): Promise<Text> {
  const title = await linkedTitle(context, operation);
  return text(title, ' in ', { channel: operation.channel }, ': ', { user: by }, ` broke the glass: “${why}”.`);
}

/** The number of reminders that are due after this time, and the time at which the next one is. */
export function reminderAfter(elapsedMs: number): { readonly due: number; readonly nextMs: number } {
  const early = glassRemindersMs.filter((ms) => ms <= elapsedMs).length;
  const last = glassRemindersMs.at(-1) ?? 0;
  const daily = Math.max(0, Math.floor((elapsedMs - last) / remindGlassEveryMs));
  const nextMs = glassRemindersMs[early] ?? last + (daily + 1) * remindGlassEveryMs;
  return { due: early + daily, nextMs };
}

/** Reminds in the thread and the admins. After an absence of the bot, people get one reminder. */
export async function remindOfGlass(context: EngineContext, operation: Operation, glass: Glass, due: number) {
  if (due === 0) return;
  const { settings } = context;
  const key = `${keyOf(operation, glass)}:${due}`;
  const words = await brokenWords(context, operation, glass);
  const since: Text = [' It has been open since ', { date: glass.at, style: 'full' }, '.'];
  await putForEach(context, settings.admins, key, says(text(words, since), closeGlassButtons(operation)));
  const approvers = approversOf(operation, settings.admins);
  const closes = ' closes the broken glass and says what they found.';
  const asks = text(approvers, ': somebody other than ', { user: glass.by }, closes, since);
  await notifyThread(context, operation, `${key}:thread`, says(asks, closeGlassButtons(operation)));
}

/** The audit, the thread and the earlier messages say how it was closed. */
export async function announceClosed(context: EngineContext, operation: Operation, glass: Glass): Promise<void> {
  const { closed } = glass;
  if (closed === undefined) return;
  const done = `closed the broken glass: ${operation.plan.title}: ${closed.found}`;
  const entry = { actor: closed.by ?? undefined, data: { at: glass.at }, unlessThere: 'same' } as const;
  await recordEntry(context, operation, 'glass_closed', done, entry);
  const how: Text =
    closed.by === null
      ? ` It is closed: ${closed.found}`
      : text(' ', { user: closed.by }, ` closed it: “${closed.found}”.`);
  const words = text(await brokenWords(context, operation, glass), how);
  const prefix = `${keyOf(operation, glass)}:`;
  for (const { key, channel } of await context.store.messages.beginningWith([prefix]))
    if (!key.endsWith(':thread')) await context.outbox.put({ key, channel, view: says(words) });
  if (closed.by === null) return;
  const reply = says([{ user: closed.by }, ` closed the broken glass: “${closed.found}”.`]);
  await notifyThread(context, operation, `${prefix}closed:thread`, reply);
}
