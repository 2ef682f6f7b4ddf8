import { z } from 'zod';
import { refuseView } from '../accept.ts';
import { spendTrigger } from '../payloads/envelope.ts';
import { allViews, openView, publishHome, topView, updateView, type ViewResult, viewObject } from '../views.ts';
import { findPerson, type Workspace } from '../workspace.ts';
import { defineMethod, json, rates, SlackApiError, withProblems } from './method.ts';

function answer(workspace: Workspace, result: ViewResult) {
  if ('error' in result) throw withProblems(result.error, result.problems);
  return { view: viewObject(workspace, result.view) };
}

/** Refuses an invalid view before the trigger is used. */
function check(workspace: Workspace, view: unknown, type: 'modal' | 'home'): void {
  const wrong = refuseView(workspace, view, type);
  if (wrong !== undefined) throw withProblems(wrong.error, wrong.problems);
}

const ofTrigger = z.object({ trigger_id: z.string(), view: json });

/** Opens a modal, on top of the others if the click came from one of them. */
function openFrom(
  workspace: Workspace,
  { trigger_id, view }: z.output<typeof ofTrigger>,
  more: { mustBeInModal: boolean },
) {
  check(workspace, view, 'modal');
  const spent = spendTrigger(workspace, trigger_id);
  if ('error' in spent) throw new SlackApiError(spent.error);
  const isInModal = spent.viewId !== null && topView(workspace, spent.userId) !== undefined;
  if (more.mustBeInModal && !isInModal) throw new SlackApiError('invalid_trigger_id');
  return answer(workspace, openView(workspace, spent.userId, view, { isPush: isInModal }));
}

const optionalText = z.string().optional();

export const viewMethods = [
  defineMethod({
    name: 'views.open',
    scopes: [],
    rate: rates.tier4,
    args: ofTrigger,
    run: (args, workspace) => openFrom(workspace, args, { mustBeInModal: false }),
  }),
  defineMethod({
    name: 'views.push',
    scopes: [],
    rate: rates.tier4,
    args: ofTrigger,
    run: (args, workspace) => openFrom(workspace, args, { mustBeInModal: true }),
  }),
  defineMethod({
    name: 'views.update',
    scopes: [],
    rate: rates.tier4,
    args: z.object({ view_id: optionalText, external_id: optionalText, hash: optionalText, view: json }),
    run(args, workspace) {
      const view = allViews(workspace).find((candidate) =>
        args.view_id !== undefined ? candidate.id === args.view_id : candidate.externalId === (args.external_id || ' '),
      );
      if (view === undefined) throw new SlackApiError('not_found');
      return answer(workspace, updateView(workspace, view, args.view, args.hash));
    },
  }),
  defineMethod({
    name: 'views.publish',
    scopes: [],
    rate: rates.tier4,
    args: z.object({ user_id: z.string(), hash: optionalText, view: json }),
    run(args, workspace) {
      const person = findPerson(workspace.state, args.user_id);
      if (person === undefined) throw new SlackApiError('user_not_found');
      check(workspace, args.view, 'home');
      return answer(workspace, publishHome(workspace, person.id, args.view, args.hash));
    },
  }),
];
