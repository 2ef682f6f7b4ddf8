import { elementsOf } from '../blocks.ts';
import { channelOf } from '../channels.ts';
import { asDicts, asText, type Dict, isDict } from '../dict.ts';
import type { InteractionPlace } from '../payloads/interaction.ts';
import { textObject } from '../reading/plain-text.ts';
import { SimulationError } from '../simulation-error.ts';
import type { SimMessage, SimPerson, SimView } from '../state.ts';
import { topView } from '../views.ts';
import type { Workspace } from '../workspace.ts';

/** An element for a person to use. Without `channel` and `home` it is in the top modal. */
export interface ElementTarget {
  channel?: string;
  /** The message; by default the newest with the element. */
  ts?: string;
  home?: boolean;
  action_id?: string;
  block_id?: string;
  /** A button's text, an input's label, or a select's placeholder. */
  label?: string;
  /** Chooses the first colored button, which is the main one. */
  isMain?: boolean;
}

export interface FoundElement {
  place: InteractionPlace;
  block: Dict;
  element: Dict;
  /** Options that the app offered before, so that choosing one needs no request. */
  offered?: readonly Dict[] | undefined;
}

/** All names by which a test can find this element. */
function labels(workspace: Workspace, block: Dict, element: Dict): string[] {
  const reader = { workspace };
  const options = element.type === 'overflow' ? asDicts(element.options).map((option) => option.text) : [];
  return [element.text, element.placeholder, block.label, ...options, block.type === 'section' ? block.text : undefined]
    .filter(isDict)
    .map((object) => textObject(object, reader));
}

function matches(
  workspace: Workspace,
  { block, element }: { block: Dict; element: Dict },
  target: ElementTarget,
): boolean {
  if (target.action_id !== undefined && element.action_id !== target.action_id) return false;
  if (target.block_id !== undefined && block.block_id !== target.block_id) return false;
  if (target.isMain === true && element.style === undefined) return false;
  return target.label === undefined || labels(workspace, block, element).includes(target.label);
}

const blocksOf = (message: SimMessage): Dict[] => [
  ...message.blocks,
  ...message.attachments.flatMap((attachment) => asDicts(attachment.blocks)),
];

const describe = (target: ElementTarget): string => JSON.stringify(target);

function offers(workspace: Workspace, blocks: readonly Dict[]): string {
  const names = elementsOf(blocks).map(
    ({ block, element }) => labels(workspace, block, element)[0] ?? asText(element.action_id),
  );
  return names.length === 0 ? 'nothing to press' : names.map((name) => `[${name}]`).join(' ');
}

export function findTarget(workspace: Workspace, person: SimPerson, target: ElementTarget): FoundElement {
  if (target.channel === undefined) return inView(workspace, person, target);
  const channel = channelOf(workspace, target.channel, person);
  if (!channel.members.includes(person.id)) {
    throw new SimulationError(`@${person.name} is not in #${channel.name} and does not see its messages`);
  }
  const visible = [
    ...workspace.state.messages,
    ...workspace.state.ephemerals.filter((message) => message.visibleTo === person.id),
  ]
    .filter((message) => message.channel === channel.id && (target.ts === undefined || message.ts === target.ts))
    .sort((a, b) => (a.ts < b.ts ? 1 : -1));
  for (const message of visible) {
    const match = elementsOf(blocksOf(message)).find((candidate) => matches(workspace, candidate, target));
    if (match !== undefined) return { place: { message, channel }, ...match };
  }
  const newest = visible[0];
  const seen =
    newest === undefined ? 'no message there' : `the newest message has ${offers(workspace, blocksOf(newest))}`;
  throw new SimulationError(`@${person.name} finds no ${describe(target)}; ${seen}`);
}

function inView(workspace: Workspace, person: SimPerson, target: ElementTarget): FoundElement {
  const view = visibleView(workspace, person, target.home === true);
  const match = elementsOf(view.blocks).find((candidate) => matches(workspace, candidate, target));
  if (match !== undefined) return { place: { view }, ...match };
  throw new SimulationError(
    `@${person.name} finds no ${describe(target)}; the view has ${offers(workspace, view.blocks)}`,
  );
}

export function visibleView(workspace: Workspace, person: SimPerson, isHome: boolean): SimView {
  const view = isHome ? workspace.state.homes[person.id] : topView(workspace, person.id);
  if (view !== undefined) return view;
  throw new SimulationError(`@${person.name} has no ${isHome ? 'Home tab yet' : 'modal open'}`);
}
