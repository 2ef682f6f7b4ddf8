import { sendEvent } from '../payloads/event.ts';
import { createState } from '../seed.ts';
import { nowS, type Workspace } from '../world.ts';

/** What becomes of the app's installation, and of the whole workspace. */

/** An admin revokes the bot's token; every call after this answers `token_revoked`. */
export async function revokeToken(world: Workspace): Promise<void> {
  world.state.isTokenRevoked = true;
  await sendEvent(world, 'tokens_revoked', {
    type: 'tokens_revoked',
    tokens: { oauth: [], bot: [world.state.app.botUserId] },
  });
}

export async function uninstall(world: Workspace): Promise<void> {
  world.state.isTokenRevoked = true;
  await sendEvent(world, 'app_uninstalled', { type: 'app_uninstalled' });
}

/** Everything that happened is forgotten. The app stays installed: its tokens are good and its sockets stay open. */
export function startOver(world: Workspace): void {
  const { secrets, scopes, events } = world.state;
  Object.assign(world.state, createState({ scopes, events }, nowS(world)), { secrets });
  world.faults.clear();
  world.requests.length = 0;
  for (const channel of world.state.channels) world.changed({ kind: 'channel', id: channel.id });
}
