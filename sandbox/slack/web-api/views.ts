import { z } from 'zod';
import { imageLookup } from '../files.ts';
import { spendTrigger } from '../payloads/envelope.ts';
import { checkView } from '../validate/view.ts';
import { allViews, openView, publishHome, topView, updateView, type ViewResult, viewObject } from '../views.ts';
import { findPerson, type Workspace } from '../world.ts';
import { defineMethod, json, rates, SlackApiError, withProblems } from './method.ts';

function answer(world: Workspace, result: ViewResult) {
  if ('error' in result) throw withProblems(result.error, result.problems);
  return { view: viewObject(world, result.view) };
}

/** A view that is refused as an argument does not cost the trigger. */
function check(world: Workspace, view: unknown, type: 'modal' | 'home'): void {
  const wrong = checkView(view, type, imageLookup(world));
  if (wrong !== undefined) throw withProblems(wrong.error, wrong.problems);
}

const ofTrigger = z.object({ trigger_id: z.string(), view: json });

/** A new modal: on top of the others when the click came from one of them. */
function openFrom(
  world: Workspace,
  { trigger_id, view }: z.output<typeof ofTrigger>,
  more: { mustBeInModal: boolean },
) {
  check(world, view, 'modal');
  const spent = spendTrigger(world, trigger_id);
  if ('error' in spent) throw new SlackApiError(spent.error);
  const isInModal = spent.viewId !== null && topView(world, spent.userId) !== undefined;
  if (more.mustBeInModal && !isInModal) throw new SlackApiError('invalid_trigger_id');
  return answer(world, openView(world, spent.userId, view, { isPush: isInModal }));
}

const optionalText = z.string().optional();

export const viewMethods = [
  defineMethod({
    name: 'views.open',
    scopes: [],
    rate: rates.tier4,
    args: ofTrigger,
    run: (args, world) => openFrom(world, args, { mustBeInModal: false }),
  }),
  defineMethod({
    name: 'views.push',
    scopes: [],
    rate: rates.tier4,
    args: ofTrigger,
    run: (args, world) => openFrom(world, args, { mustBeInModal: true }),
  }),
  defineMethod({
    name: 'views.update',
    scopes: [],
    rate: rates.tier4,
    args: z.object({ view_id: optionalText, external_id: optionalText, hash: optionalText, view: json }),
    run(args, world) {
      const view = allViews(world).find((candidate) =>
        args.view_id !== undefined ? candidate.id === args.view_id : candidate.externalId === (args.external_id || ' '),
      );
      if (view === undefined) throw new SlackApiError('not_found');
      return answer(world, updateView(world, view, args.view, args.hash));
    },
  }),
  defineMethod({
    name: 'views.publish',
    scopes: [],
    rate: rates.tier4,
    args: z.object({ user_id: z.string(), hash: optionalText, view: json }),
    run(args, world) {
      const person = findPerson(world.state, args.user_id);
      if (person === undefined) throw new SlackApiError('user_not_found');
      check(world, args.view, 'home');
      return answer(world, publishHome(world, person.id, args.view, args.hash));
    },
  }),
];
