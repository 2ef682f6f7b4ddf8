import { wordSet } from '../../core/text/words.ts';

/** Slack's codes for refused messages, by their consequence. */

/** Slack will never accept this message in this place or from this app. */
export const final = wordSet(
  'access_denied cannot_dm_bot channel_not_found is_archived',
  // Slack's code for an edit in a frozen, archived or deleted channel.
  'is_inactive messages_tab_disabled missing_scope no_permission not_allowed_token_type not_in_channel',
  'restricted_action restricted_action_non_threadable_channel restricted_action_read_only_channel',
  'restricted_action_thread_locked restricted_action_thread_only_channel team_access_not_granted',
  'thread_locked user_disabled user_not_found user_not_visible',
  // Slack refused even the plain text, the last rung of the ladder.
  'invalid_arguments invalid_attachments invalid_blocks invalid_blocks_format msg_blocks_too_long',
  'msg_too_long no_text',
);

/** The message was deleted or cannot be edited; the bot posts it again. */
export const gone = wordSet('message_not_found cant_update_message edit_window_closed');
/** The parent accepts no replies. A deleted parent is not an error: Slack posts the reply to the channel. */
export const takesNoReplies = wordSet('thread_not_found cannot_reply_to_message invalid_thread_ts');
