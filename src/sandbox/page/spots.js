/** Names of places: for the server, and for finding a control again after its message was drawn anew. */

export const whereOf = ({ place, block }, element) => ({ place, block: block.block_id, action: element.action_id });
export const spotOf = (at, element, more = '') =>
  `${JSON.stringify(at.place)} ${at.block.block_id}/${element.action_id}${more}`;
