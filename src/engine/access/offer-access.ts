import type { Standing } from '../../core/policy/standing.ts';
import { type Button, type Text, text, type View, type ViewPart } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Invitation } from '../context/ports.ts';
import type { Place } from '../context/request.ts';
import { waysToAccess } from './ask-access.ts';

/** No click grants a right by itself: the first button makes a request with a card, the second opens the dialog. */
const choices = (channel: string): readonly Button[] => [
  { label: 'Everyone may read', intent: { do: 'run', line: 'access grant everyone read' } },
  { label: 'Choose…', intent: { do: 'form', line: 'access grant', in: channel }, opens: true },
  // Replaces the question with `/host access`, where rights can be set up at any time.
  { label: 'Later', intent: { do: 'refresh', line: 'access' } },
];

const asks = (words: Text, parts: readonly ViewPart[]): View => ({
  summary: words,
  parts: [{ kind: 'text', text: words }, ...parts],
});

/** Inviters who cannot answer or whom Slack does not identify. */
const silent: ReadonlySet<Standing> = new Set(['bot', 'deactivated', 'unknown']);

/**
 * Offers to set up rights to the person who added the bot to a channel without a policy. A person who is not an admin
 * can send a request to the admins.
 */
export async function offerAccess(context: EngineContext, channel: string, { by, event }: Invitation): Promise<void> {
  if ((await context.policies.get(channel)) !== undefined) return;
  const access = await context.accessOf(by, channel);
  if (silent.has(access.actor.standing)) return;
  // Slack may deliver an event again, to any replica. A crash after this line loses the question; `/host access` shows
  // the same.
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
