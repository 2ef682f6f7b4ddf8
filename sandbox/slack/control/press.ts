import { nothingSent } from '../delivery/delivery.ts';
import type { Outcome } from '../delivery/types.ts';
import { asDict, asDicts, asText, type Dict, isDict } from '../dict.ts';
import { fileObject } from '../files.ts';
import { blockActions, blockSuggestion, type InteractionPlace } from '../payloads/interaction.ts';
import { textObject } from '../reading/plain-text.ts';
import { SimulationError } from '../simulation-error.ts';
import type { InputValues, SimPerson } from '../state.ts';
import { option, optionGroup } from '../validate/composition.ts';
import { createReport, list } from '../validate/rule.ts';
import { stateKinds, stateValue, valuesOf } from '../values.ts';
import { findChannel, findPerson, type Workspace } from '../workspace.ts';
import { actor } from './actor.ts';
import { showActionError } from './shown.ts';
import { type ElementTarget, type FoundElement, findTarget } from './target.ts';

const placeOf = (place: InteractionPlace): 'view' | 'message' => ('view' in place ? 'view' : 'message');

async function dispatch(
  workspace: Workspace,
  person: SimPerson,
  shown: FoundElement,
  chosen?: unknown,
): Promise<Outcome> {
  const payload = blockActions(workspace, person, shown.place, { ...shown, chosen });
  return showActionError(await workspace.delivery.deliver(payload), placeOf(shown.place));
}

export interface ClickOptions {
  /** The person's answer in the confirmation dialog. */
  isConfirmed?: boolean;
}

/** A button, or an entry of an overflow menu. */
export async function click(
  workspace: Workspace,
  who: string,
  target: ElementTarget,
  options: ClickOptions = {},
): Promise<Outcome> {
  const person = actor(workspace, who);
  const shown = findTarget(workspace, person, target);
  if (options.isConfirmed === false && 'confirm' in shown.element)
    return nothingSent('not confirmed', { userId: person.id });
  if (shown.element.type === 'button') return dispatch(workspace, person, shown);
  if (shown.element.type === 'overflow')
    return dispatch(workspace, person, shown, optionBy(workspace, shown.element, target.label ?? ''));
  throw new SimulationError(`${JSON.stringify(target)} is a ${asText(shown.element.type)}; use select`);
}

const allOptions = (element: Dict): Dict[] => [
  ...asDicts(element.options),
  ...asDicts(element.option_groups).flatMap((group) => asDicts(group.options)),
];

function pick(workspace: Workspace, options: readonly Dict[], wanted: string): Dict {
  const reader = { workspace };
  const option =
    options.find((candidate) => candidate.value === wanted) ??
    options.find((candidate) => textObject(candidate.text, reader) === wanted);
  if (option !== undefined) return option;
  const offered = options.map((candidate) => `"${textObject(candidate.text, reader)}"`).join(', ');
  throw new SimulationError(`there is no option "${wanted}"; there are ${offered || 'none'}`);
}

const optionBy = (workspace: Workspace, element: Dict, wanted: string): Dict =>
  pick(workspace, allOptions(element), wanted);

const personId = (workspace: Workspace, ref: string): string => findPerson(workspace.state, ref)?.id ?? missing(ref);
const channelId = (workspace: Workspace, ref: string): string => findChannel(workspace.state, ref)?.id ?? missing(ref);
const missing = (ref: string): never => {
  throw new SimulationError(`there is no ${ref} to choose`);
};

/**
 * Values that a person can enter: a text, an option's text or value, a name, or several of them; null clears the field.
 */
export type EnteredValue = string | number | boolean | readonly string[] | null;

type Reading = (
  workspace: Workspace,
  person: SimPerson,
  shown: FoundElement,
  entry: string,
) => unknown | Promise<unknown>;

const readings: Record<string, Reading> = {
  selected_option: (workspace, person, shown, entry) => choice(workspace, person, shown, entry),
  selected_options: (workspace, person, shown, entry) => choice(workspace, person, shown, entry),
  selected_user: (workspace, _person, _found, entry) => personId(workspace, entry),
  selected_users: (workspace, _person, _found, entry) => personId(workspace, entry),
  selected_channel: (workspace, _person, _found, entry) => channelId(workspace, entry),
  selected_channels: (workspace, _person, _found, entry) => channelId(workspace, entry),
  selected_conversation: (workspace, _person, _found, entry) => channelId(workspace, entry),
  selected_conversations: (workspace, _person, _found, entry) => channelId(workspace, entry),
  files: (workspace, _person, _found, entry) => {
    const file = workspace.state.files.find((candidate) => candidate.id === entry && candidate.isCompleted);
    return file === undefined ? missing(`file ${entry}`) : fileObject(workspace, file);
  },
  selected_date_time: (_workspace, _person, _found, entry) => Number(entry),
  rich_text_value: (_workspace, _person, _found, entry) => ({
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: entry }] }],
  }),
};

/** Finds an option of a static menu, or of an external one, for which it requests the options from the app. */
async function choice(workspace: Workspace, person: SimPerson, shown: FoundElement, entry: string): Promise<Dict> {
  if (!asText(shown.element.type).endsWith('external_select')) return optionBy(workspace, shown.element, entry);
  const offered = shown.offered?.find((candidate) => candidate.value === entry);
  if (offered !== undefined) return offered;
  const { options } = await requestSuggestions(workspace, person, shown, entry);
  return pick(workspace, options, entry);
}

async function read(workspace: Workspace, person: SimPerson, shown: FoundElement, entry: EnteredValue): Promise<Dict> {
  const kind = stateKinds[asText(shown.element.type)];
  if (kind === undefined) throw new SimulationError(`a ${asText(shown.element.type)} holds nothing; use click`);
  if (entry === null || entry === '') return stateValue(shown.element, kind.isMany === true ? [] : null);
  const reading = readings[kind.field] ?? ((_workspace, _person, _found, text) => text);
  if (kind.isMany !== true) return stateValue(shown.element, await reading(workspace, person, shown, String(entry)));
  const chosen: unknown[] = [];
  for (const value of Array.isArray(entry) ? entry : [String(entry)])
    chosen.push(await reading(workspace, person, shown, value));
  const max = shown.element.max_selected_items;
  if (typeof max === 'number' && chosen.length > max) throw new SimulationError(`at most ${max} can be chosen here`);
  return stateValue(shown.element, chosen);
}

function valuesAt(person: SimPerson, shown: FoundElement): InputValues {
  if ('view' in shown.place) return shown.place.view.values;
  const { message } = shown.place;
  const values = valuesOf(message.blocks, message.values[person.id] ?? {});
  message.values[person.id] = values;
  return values;
}

/** Enters a value, and notifies the app if the element dispatches actions. */
async function enter(
  workspace: Workspace,
  person: SimPerson,
  shown: FoundElement,
  entry: EnteredValue,
): Promise<Outcome> {
  const value = await read(workspace, person, shown, entry);
  const [blockId, actionId] = [asText(shown.block.block_id), asText(shown.element.action_id)];
  const values = valuesAt(person, shown);
  values[blockId] = { ...values[blockId], [actionId]: value };
  if ('view' in shown.place) {
    delete shown.place.view.errors[blockId];
    workspace.changed({ kind: shown.place.view.type, id: person.id });
  } else workspace.changed({ kind: 'message', id: shown.place.channel.id, ts: shown.place.message.ts });
  if (shown.block.type === 'input' && shown.block.dispatch_action !== true)
    return nothingSent('entered', { userId: person.id });
  return dispatch(workspace, person, shown, value[stateKinds[asText(shown.element.type)]?.field ?? 'value']);
}

export interface Choice extends ElementTarget {
  value: EnteredValue;
  /** Options that an external select has offered before, from `suggest`. */
  offered?: readonly Dict[];
}

/** Chooses in a menu, in a message or a view. */
export async function select(workspace: Workspace, who: string, target: Choice): Promise<Outcome> {
  const person = actor(workspace, who);
  const { value, offered, ...where } = target;
  return enter(workspace, person, { ...findTarget(workspace, person, where), offered }, value);
}

/** Fills in the top modal or Home, by block id, action id or label. */
export async function fill(
  workspace: Workspace,
  who: string,
  entries: Record<string, EnteredValue>,
  options: { home?: boolean } = {},
): Promise<Outcome[]> {
  const person = actor(workspace, who);
  const home = options.home === true ? { home: true } : {};
  const outcomes: Outcome[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const shown = named(workspace, person, name, home);
    const outcome = await enter(workspace, person, shown, entry);
    if (outcome.payloadId !== null) outcomes.push(outcome);
  }
  return outcomes;
}

function named(workspace: Workspace, person: SimPerson, name: string, home: ElementTarget): FoundElement {
  for (const way of [{ block_id: name }, { action_id: name }]) {
    try {
      return findTarget(workspace, person, { ...way, ...home });
    } catch (error) {
      if (!(error instanceof SimulationError)) throw error;
    }
  }
  return findTarget(workspace, person, { label: name, ...home });
}

export interface Suggestions {
  outcome: Outcome;
  options: Dict[];
}

async function requestSuggestions(
  workspace: Workspace,
  person: SimPerson,
  shown: FoundElement,
  value: string,
): Promise<Suggestions> {
  const least = typeof shown.element.min_query_length === 'number' ? shown.element.min_query_length : 3;
  if (value.length < least) return { outcome: nothingSent('too short to ask', { userId: person.id }), options: [] };
  const payload = blockSuggestion(workspace, person, shown.place, { ...shown, value });
  const outcome = await workspace.delivery.deliver(payload);
  const ack = asDict(outcome.ack);
  const report = createReport('message', () => false);
  if ('option_groups' in ack) list(optionGroup, 100)(ack.option_groups, '/option_groups', report);
  else if (outcome.error === null) list(option, 100)(ack.options, '/options', report);
  const wrong = report.problems[0];
  if (wrong !== undefined) outcome.error = `invalid options: ${wrong.what} [json-pointer:${wrong.at}]`;
  if (outcome.error !== null) outcome.shown = 'No results';
  return { outcome, options: outcome.error === null ? allOptions(ack).filter(isDict) : [] };
}

/** Types into an external select and returns the offered options. */
export async function suggest(
  workspace: Workspace,
  who: string,
  target: ElementTarget & { value: string },
): Promise<Suggestions> {
  const person = actor(workspace, who);
  const { value, ...where } = target;
  const shown = findTarget(workspace, person, where);
  if (!asText(shown.element.type).endsWith('external_select')) {
    throw new SimulationError(
      `${JSON.stringify(where)} is a ${asText(shown.element.type)}; only external selects ask the app`,
    );
  }
  return requestSuggestions(workspace, person, shown, value);
}
