import { sendEvent } from '../payloads/event.ts';
import { createState } from '../seed.ts';
import { nowS, type Workspace } from '../workspace.ts';

/** Changes the app's installation and the whole workspace. */

/** Revokes the bot's token as an admin; later calls fail with `token_revoked`. */
export async function revokeToken(workspace: Workspace): Promise<void> {
  workspace.state.isTokenRevoked = true;
  await sendEvent(workspace, 'tokens_revoked', {
    type: 'tokens_revoked',
    tokens: { oauth: [], bot: [workspace.state.app.botUserId] },
  });
}

export async function uninstall(workspace: Workspace): Promise<void> {
  workspace.state.isTokenRevoked = true;
  await sendEvent(workspace, 'app_uninstalled', { type: 'app_uninstalled' });
}

/** Resets the workspace. The app stays installed: its tokens stay valid and its sockets open. */
export function startOver(workspace: Workspace): void {
  const { secrets, scopes, events } = workspace.state;
  Object.assign(workspace.state, createState({ scopes, events }, nowS(workspace)), { secrets });
  workspace.faults.clear();
  workspace.requests.length = 0;
  workspace.delivery.forget();
  for (const channel of workspace.state.channels) workspace.changed({ kind: 'channel', id: channel.id });
}
