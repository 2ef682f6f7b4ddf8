/** Says what the codes of a refused message mean for the message. */

/** Slack will never take this message there, or never from us. */
export const final: ReadonlySet<string> = new Set([
  'access_denied',
  'cannot_dm_bot',
  'channel_not_found',
  'is_archived',
  // Slack's word for an edit in a channel that is frozen, archived or deleted.
  'is_inactive',
  'messages_tab_disabled',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_in_channel',
  'restricted_action',
  'restricted_action_non_threadable_channel',
  'restricted_action_read_only_channel',
  'restricted_action_thread_locked',
  'restricted_action_thread_only_channel',
  'team_access_not_granted',
  'thread_locked',
  'user_disabled',
  'user_not_found',
  'user_not_visible',
  // The last rung of the ladder: Slack refused even the plain text.
  'invalid_arguments',
  'invalid_attachments',
  'invalid_blocks',
  'invalid_blocks_format',
  'msg_blocks_too_long',
  'msg_too_long',
  'no_text',
]);

/** The message to edit is gone, or is no longer ours to edit: it is posted anew. */
export const gone: ReadonlySet<string> = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed']);
/** The message to answer takes no answers. One that was deleted is no error: Slack posts at the root of the channel. */
export const takesNoReplies: ReadonlySet<string> = new Set([
  'thread_not_found',
  'cannot_reply_to_message',
  'invalid_thread_ts',
]);
