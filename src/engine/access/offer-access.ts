import type { Standing } from '../../core/policy/evaluate.ts';
import { type Button, type Text, text, type View, type ViewPart } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Invitation } from '../context/ports.ts';
import type { Place } from '../context/request.ts';
import { waysToAccess } from './ask-access.ts';

/** Nothing is granted by a click alone: the first opens the card of the line, the second the dialog. */
const choices = (channel: string): readonly Button[] => [
  { label: 'Everyone may read', intent: { do: 'run', line: 'access grant everyone read' } },
  { label: 'Choose…', intent: { do: 'form', line: 'access grant', in: channel }, opens: true },
  // In place of the question: the command that sets it up at any time.
  { label: 'Later', intent: { do: 'refresh', line: 'access' } },
];

const asks = (words: Text, parts: readonly ViewPart[]): View => ({
  summary: words,
  parts: [{ kind: 'text', text: words }, ...parts],
});

/** Nobody can answer, or Slack does not say who it is. */
const silent: ReadonlySet<Standing> = new Set(['bot', 'deactivated', 'unknown']);

/**
 * Asks the person who added the bot to a channel without a policy who should use it there. A person who is no admin can
 * ask the admins.
 */
export async function offerAccess(context: EngineContext, channel: string, { by, event }: Invitation): Promise<void> {
  if ((await context.policies.get(channel)) !== undefined) return;
  const access = await context.accessOf(by, channel);
  if (silent.has(access.actor.standing)) return;
  // Slack delivers an event again, to any replica. A crash after this loses the question; `/host access` shows the same.
  if (!(await context.store.inbox.receive({ key: `joined:${event}`, kind: 'joined', body: '', state: 'done' }))) return;
  const place: Place = { channel, kind: 'channel' };
  const isAdmin = access.decide('admin', 'safe', []).allowed;
  const view = isAdmin
    ? asks(text('Who should use Hostler in ', { channel }, '?'), [{ kind: 'buttons', buttons: choices(channel) }])
    : asks(
        text("Hostler isn't set up in ", { channel }, ' yet. An admin gives rights.'),
        await waysToAccess(context, access, place),
      );
  await context.messenger.postEphemeral(place, by, view);
}
