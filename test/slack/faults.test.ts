import { expect, test } from 'vitest';
import { faultOfCode } from '../../src/slack/faults.ts';

test.each([
  ['access_denied', 'refused'],
  ['missing_scope', 'refused'],
  ['no_permission', 'refused'],
  ['not_allowed_token_type', 'refused'],
  ['restricted_action_thread_locked', 'refused'],
  ['restricted_action_thread_only_channel', 'refused'],
  ['team_access_not_granted', 'refused'],
  ['ekm_access_denied', 'away'],
  ['external_channel_migrating', 'away'],
  ['message_limit_exceeded', 'away'],
  ['org_login_required', 'away'],
])('after the error %s a message is given up or waits: %s', (code, kind) => {
  expect(faultOfCode(code).kind).toBe(kind);
});
