import { openDm } from '../channels.ts';
import { nothingSent } from '../delivery/delivery.ts';
import type { Outcome } from '../delivery/types.ts';
import { asDict, asText, type Dict, isDict } from '../dict.ts';
import { sendEvent } from '../payloads/event.ts';
import { viewClosed, viewSubmission } from '../payloads/interaction.ts';
import { SimulationError } from '../simulation-error.ts';
import type { SimPerson, SimView } from '../state.ts';
import { clientErrors } from '../values.ts';
import { dropViews, openView, updateView, type ViewResult, viewObject } from '../views.ts';
import type { Workspace } from '../workspace.ts';
import { actor } from './actor.ts';
import { showActionError } from './shown.ts';
import { visibleView } from './target.ts';

/** Applies the app's answer to a submission; returns an error code if Slack cannot. */
type Response = (workspace: Workspace, person: SimPerson, view: SimView, ack: Dict) => string | undefined;

const errorOf = (result: ViewResult): string | undefined => ('error' in result ? result.error : undefined);

const responses: Record<string, Response> = {
  errors(workspace, person, view, ack) {
    const inputs = new Set(view.blocks.filter((block) => block.type === 'input').map((block) => block.block_id));
    const errors = Object.entries(asDict(ack.errors));
    if (errors.length === 0 || errors.some(([id, text]) => !inputs.has(id) || typeof text !== 'string'))
      return 'invalid_errors';
    view.errors = Object.fromEntries(errors.map(([id, text]) => [id, asText(text)]));
    workspace.changed({ kind: 'modal', id: person.id });
    return undefined;
  },
  update: (workspace, _person, view, ack) => errorOf(updateView(workspace, view, ack.view)),
  push: (workspace, person, _view, ack) => errorOf(openView(workspace, person.id, ack.view, { isPush: true })),
  clear(workspace, person) {
    dropViews(workspace, person.id);
    return undefined;
  },
};

/** Presses the submit button of the modal on top. */
export async function submit(workspace: Workspace, who: string): Promise<Outcome> {
  const person = actor(workspace, who);
  const view = visibleView(workspace, person, false);
  if (view.submit === null) throw new SimulationError(`the modal "${asText(view.title?.text)}" has no submit button`);
  view.errors = clientErrors(view.blocks, view.values);
  if (Object.keys(view.errors).length > 0) {
    workspace.changed({ kind: 'modal', id: person.id });
    const shown = Object.values(view.errors).join(' ');
    return nothingSent('submit', { userId: person.id, error: 'incomplete', shown });
  }
  const outcome = await workspace.delivery.deliver(viewSubmission(workspace, person, view));
  if (outcome.error !== null) return showActionError(outcome, 'view');
  const ack = isDict(outcome.ack) ? outcome.ack : {};
  const action = asText(ack.response_action);
  // An empty answer closes only this view, and shows the one below it.
  if (action === '') dropViews(workspace, person.id, view);
  else {
    const respond = responses[action];
    outcome.error = respond === undefined ? 'invalid_response_action' : (respond(workspace, person, view, ack) ?? null);
  }
  return showActionError(outcome, 'view');
}

/** Closes the top modal, or all modals with the X. */
export async function closeView(
  workspace: Workspace,
  who: string,
  options: { isAll?: boolean } = {},
): Promise<Outcome> {
  const person = actor(workspace, who);
  const top = visibleView(workspace, person, false);
  const isAll = options.isAll === true || top.isClearOnClose;
  const dropped = dropViews(workspace, person.id, isAll ? undefined : top);
  const closings = dropped
    .reverse()
    .filter((view) => view.isNotifyOnClose)
    .map((view) => workspace.delivery.deliver(viewClosed(workspace, person, view, isAll)));
  const outcomes = await Promise.all(closings);
  return outcomes[0] ?? nothingSent('closed', { userId: person.id });
}

/** Opens the Home tab of the bot. */
export async function openHome(workspace: Workspace, who: string): Promise<Outcome> {
  const person = actor(workspace, who);
  const home = workspace.state.homes[person.id];
  const event = {
    type: 'app_home_opened',
    user: person.id,
    channel: openDm(workspace, person).id,
    tab: 'home',
    ...(home === undefined ? {} : { view: viewObject(workspace, home) }),
  };
  return (
    (await sendEvent(workspace, 'app_home_opened', event)) ?? nothingSent('app_home_opened', { userId: person.id })
  );
}
