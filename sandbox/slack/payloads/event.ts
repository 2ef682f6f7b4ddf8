import type { Outcome } from '../delivery/types.ts';
import type { Dict } from '../dict.ts';
import { isEntitled } from '../event-scopes.ts';
import { messageObject } from '../message-object.ts';
import type { SimChannel, SimMessage } from '../state.ts';
import { nextId, nextTs, nowS, type Workspace } from '../workspace.ts';

/** Sends an event if the app has subscribed to it and has a scope for it. */
export function sendEvent(
  workspace: Workspace,
  subscription: string,
  event: Dict,
  more: { isExtShared?: boolean } = {},
): Promise<Outcome> | undefined {
  const { state } = workspace;
  if (!isEntitled(workspace, subscription)) return undefined;
  const id = nextId(state, 'Ev');
  return workspace.delivery.deliver({
    id,
    kind: 'events_api',
    name: subscription,
    channel: typeof event.channel === 'string' ? event.channel : null,
    userId: null,
    body: {
      token: state.secrets.verificationToken,
      team_id: state.team.id,
      context_team_id: state.team.id,
      context_enterprise_id: null,
      api_app_id: state.app.id,
      event: { event_ts: nextTs(workspace), ...event },
      type: 'event_callback',
      event_id: id,
      event_time: nowS(workspace),
      authorizations: [
        {
          enterprise_id: null,
          team_id: state.team.id,
          user_id: state.app.botUserId,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: more.isExtShared ?? false,
      event_context: `4-${id}`,
    },
  });
}

export function botMessageEvent(workspace: Workspace, channel: SimChannel, message: SimMessage): void {
  void sendEvent(workspace, 'message.im', {
    ...messageObject(workspace, message),
    channel: channel.id,
    channel_type: 'im',
    event_ts: message.ts,
  });
}

export function messageChangedEvent(
  workspace: Workspace,
  channel: SimChannel,
  message: SimMessage,
  before: SimMessage,
): void {
  const ts = nextTs(workspace);
  void sendEvent(workspace, 'message.im', {
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    message: messageObject(workspace, message),
    previous_message: messageObject(workspace, before),
    channel: channel.id,
    channel_type: 'im',
    ts,
    event_ts: ts,
  });
}
