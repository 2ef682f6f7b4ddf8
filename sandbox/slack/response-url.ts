import { refuseBlocks } from './accept.ts';
import { asDicts, asText, type Dict } from './dict.ts';
import { addMessage, editMessage, removeMessage } from './messages.ts';
import { isResponseUrlOver, responseUrlUses } from './payloads/envelope.ts';
import type { SimChannel, SimPerson } from './state.ts';
import { findPerson, type Workspace } from './workspace.ts';

/** Posts the app's answer to a command or to a response_url. */
export function respond(
  workspace: Workspace,
  to: { channel: SimChannel; person: SimPerson; messageTs: string | null },
  body: Dict,
): { error: string } | undefined {
  const { channel, person } = to;
  const original =
    to.messageTs === null
      ? undefined
      : [...workspace.state.messages, ...workspace.state.ephemerals].find(
          (message) => message.channel === channel.id && message.ts === to.messageTs,
        );
  if (body.delete_original === true) {
    if (original === undefined) return { error: 'message_not_found' };
    removeMessage(workspace, original);
    return undefined;
  }
  const text = asText(body.text);
  const hasBlocks = body.blocks !== undefined && body.blocks !== null;
  if (text === '' && !hasBlocks && body.attachments === undefined) return { error: 'no_text' };
  const wrong = hasBlocks ? refuseBlocks(workspace, body.blocks, 'response_url') : undefined;
  if (wrong !== undefined) return { error: wrong.error };
  const blocks = hasBlocks ? asDicts(body.blocks) : undefined;
  const attachments = body.attachments === undefined ? undefined : asDicts(body.attachments);
  if (body.replace_original === true && original !== undefined) {
    editMessage(workspace, channel, original, { text, blocks: blocks ?? [], attachments });
    return undefined;
  }
  const isPrivate = body.response_type !== 'in_channel';
  const isOutsideThread = isPrivate && workspace.rules.isOn('response-url-ignores-thread');
  addMessage(workspace, channel, {
    user: workspace.state.app.botUserId,
    isBot: true,
    text,
    blocks,
    attachments,
    threadTs: isOutsideThread || typeof body.thread_ts !== 'string' ? undefined : body.thread_ts,
    visibleTo: isPrivate ? person.id : undefined,
  });
  return undefined;
}

/** A POST to a response_url. */
export function useResponseUrl(workspace: Workspace, key: string, body: Dict): { status: number; body: Dict } {
  const url = workspace.state.responseUrls[key];
  if (url === undefined) return { status: 404, body: { ok: false, error: 'invalid_url' } };
  if (isResponseUrlOver(workspace, url.atMs)) return { status: 404, body: { ok: false, error: 'expired_url' } };
  if (url.uses >= responseUrlUses) return { status: 404, body: { ok: false, error: 'used_url' } };
  const channel = workspace.state.channels.find((candidate) => candidate.id === url.channel);
  const person = findPerson(workspace.state, url.userId);
  if (channel === undefined || person === undefined)
    return { status: 404, body: { ok: false, error: 'channel_not_found' } };
  const wrong = respond(workspace, { channel, person, messageTs: url.messageTs }, body);
  if (wrong !== undefined) return { status: 400, body: { ok: false, error: wrong.error } };
  url.uses += 1;
  return { status: 200, body: { ok: true } };
}
