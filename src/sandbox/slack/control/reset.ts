import { createState } from '../seed.ts';
import { nowS, type World } from '../world.ts';

/** Everything that happened is forgotten. The app stays installed: its tokens are good and its sockets stay open. */
export function startOver(world: World): void {
  const { secrets, scopes, events } = world.state;
  Object.assign(world.state, createState({ scopes, events }, nowS(world)), { secrets });
  world.faults.clear();
  world.requests.length = 0;
  for (const channel of world.state.channels) world.changed({ kind: 'channel', id: channel.id });
}
