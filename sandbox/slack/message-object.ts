import type { Dict } from './dict.ts';
import type { SimMessage } from './state.ts';
import type { Workspace } from './workspace.ts';

/** The fields about the author of a message: a person, this app, or another one. */
function senderFields(workspace: Workspace, message: SimMessage): Dict {
  const { team, app } = workspace.state;
  if (message.byApp !== undefined) {
    return {
      subtype: 'bot_message',
      username: message.byApp,
      bot_id: message.user,
      app_id: `A${message.user.slice(1)}`,
    };
  }
  if (message.botId === undefined) {
    const subtype =
      message.files.length > 0 ? 'file_share' : message.isBroadcast === true ? 'thread_broadcast' : undefined;
    return {
      ...(subtype === undefined ? {} : { subtype }),
      user: message.user,
      client_msg_id: `${message.ts.replace('.', '-')}-sim`,
    };
  }
  return {
    user: message.user,
    bot_id: message.botId,
    app_id: app.id,
    bot_profile: { id: app.botId, app_id: app.id, name: app.name, team_id: team.id, deleted: false, updated: 0 },
  };
}

/** A message as the API and payloads show it. */
export function messageObject(workspace: Workspace, message: SimMessage): Dict {
  const { team } = workspace.state;
  const replies = workspace.state.messages.filter(
    (other) => other.channel === message.channel && other.threadTs === message.ts && other.ts !== message.ts,
  );
  const last = replies.at(-1);
  return {
    ...senderFields(workspace, message),
    type: 'message',
    ts: message.ts,
    text: message.text,
    team: team.id,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...(last === undefined
      ? {}
      : { thread_ts: message.ts, reply_count: replies.length, latest_reply: last.ts, reply_users_count: 1 }),
    ...(message.edited === undefined ? {} : { edited: message.edited }),
    ...(message.blocks.length > 0 ? { blocks: message.blocks } : {}),
    ...(message.attachments.length > 0 ? { attachments: message.attachments } : {}),
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
    ...(message.files.length > 0
      ? {
          files: workspace.state.files
            .filter((file) => message.files.includes(file.id))
            .map(({ id, name }) => ({ id, name })),
        }
      : {}),
  };
}
