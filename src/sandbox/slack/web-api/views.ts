import { z } from 'zod';
import { imageLookup } from '../files.ts';
import { spendTrigger } from '../payloads/envelope.ts';
import { checkView } from '../validate/view.ts';
import { allViews, openView, publishHome, topView, updateView, type ViewResult, viewObject } from '../views.ts';
import { findPerson, type World } from '../world.ts';
import { ApiError, defineMethod, json, rates, withProblems } from './method.ts';

function answer(world: World, result: ViewResult) {
  if ('error' in result) throw withProblems(result.error, result.problems);
  return { view: viewObject(world, result.view) };
}

function spend(world: World, id: string): { userId: string; viewId: string | null } {
  const spent = spendTrigger(world, id);
  if ('error' in spent) throw new ApiError(spent.error);
  return spent;
}

/** A view that is refused as an argument does not cost the trigger. */
function check(world: World, view: unknown, type: 'modal' | 'home'): void {
  const wrong = checkView(view, type, imageLookup(world));
  if (wrong !== undefined) throw withProblems(wrong.error, wrong.problems);
}

const optionalText = z.string().optional();

export const viewMethods = [
  defineMethod({
    name: 'views.open',
    scopes: [],
    rate: rates.tier4,
    args: z.object({ trigger_id: z.string(), view: json }),
    run(args, world) {
      check(world, args.view, 'modal');
      const { userId, viewId } = spend(world, args.trigger_id);
      const isInModal = viewId !== null && topView(world, userId) !== undefined;
      return answer(world, openView(world, userId, args.view, { isPush: isInModal }));
    },
  }),
  defineMethod({
    name: 'views.push',
    scopes: [],
    rate: rates.tier4,
    args: z.object({ trigger_id: z.string(), view: json }),
    run(args, world) {
      check(world, args.view, 'modal');
      const { userId, viewId } = spend(world, args.trigger_id);
      if (viewId === null || topView(world, userId) === undefined) throw new ApiError('invalid_trigger_id');
      return answer(world, openView(world, userId, args.view, { isPush: true }));
    },
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
      if (view === undefined) throw new ApiError('not_found');
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
      if (person === undefined) throw new ApiError('user_not_found');
      check(world, args.view, 'home');
      return answer(world, publishHome(world, person.id, args.view, args.hash));
    },
  }),
];
