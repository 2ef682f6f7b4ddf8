/** Names of places, for the server and for finding a control after its message was redrawn. */

export const whereOf = ({ place, block }, element) => ({ place, block: block.block_id, action: element.action_id });
export const spotOf = (at, element, more = '') =>
  `${JSON.stringify(at.place)} ${at.block.block_id}/${element.action_id}${more}`;

const spotAround = (node) => node?.closest('[data-spot]')?.dataset.spot;
const atSpot = (spot, root) => (spot === undefined ? null : root.querySelector(`[data-spot="${CSS.escape(spot)}"]`));

/** Finds the element in `root` at this node's place. */
export const sameIn = (root, node) => atSpot(spotAround(node), root);
/** The node, or the one that replaced it in a redraw. */
export const present = (node) => (node?.isConnected ? node : sameIn(document, node));
