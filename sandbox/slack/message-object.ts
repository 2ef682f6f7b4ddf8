import type { Dict } from './dict.ts';
import type { SimMessage } from './state.ts';
import type { Workspace } from './workspace.ts';

/** A message as the API and payloads show it. */
export function messageObject(workspace: Workspace, message: SimMessage): Dict {
  const { team, app } = workspace.state;
  const replies = workspace.state.messages.filter(
    (other) => other.channel === message.channel && other.threadTs === message.ts && other.ts !== message.ts,
  );
  const last = replies.at(-1);
  return {
    ...(message.files.length > 0 && message.botId === undefined ? { subtype: 'file_share' } : {}),
    user: message.user,
    type: 'message',
    ts: message.ts,
    ...(message.botId === undefined
      ? { client_msg_id: `${message.ts.replace('.', '-')}-sim` }
      : {
          bot_id: message.botId,
          app_id: app.id,
          bot_profile: { id: app.botId, app_id: app.id, name: app.name, team_id: team.id, deleted: false, updated: 0 },
        }),
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
