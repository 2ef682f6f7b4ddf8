import { lineOf } from '../../core/grammar/parse.ts';
import { defined } from '../../core/text/defined.ts';
import { defineAction } from '../define.ts';
import { sayOrders } from '../orders/fresh.ts';
import { type MemberStep, memberArgs, memberStep, planMembers, readMembers } from './members.ts';

export const projectAdd = defineAction({
  path: 'project add',
  title: 'Add to a project',
  summary: 'Put orders into a project',
  examples: ['project add Website mail-1', 'project add Internal staging-1 wiki-1'],
  args: memberArgs,
  capability: 'organize',
  risk: 'routine',
  step: memberStep,
  plan: ({ project, orders }, context) =>
    planMembers(
      project,
      orders,
      (names) => ({
        title: `Put ${names} into ${project.name}`,
        effect: 'The orders then belong to this project and to no other. Servers keep running.',
        moves: (order) => order.project?.id !== project.id,
        to: project,
        nothing: (all) => `In ${project.name} already: ${all}.`,
      }),
      context,
    ),
  execute: async ({ id, orders }, { provider }) => {
    await provider.projects.addOrders({ id, orders: orders.map((order) => order.id) });
    return { text: '', data: null };
  },
  verify: (step, { reader }) => readMembers(step, (project) => project === step.id, reader),
  done: ([step]) => {
    if (step === undefined) return { text: 'orders added' };
    const undo = undoOf(step.data);
    return {
      text: `${sayOrders(step.data.orders.map((order) => order.name))} put into ${step.data.name}`,
      ...defined({ undo }),
    };
  },
});

/** The line that undoes it, if all orders came from the same project. */
function undoOf({ id, orders }: MemberStep): string | undefined {
  const from = orders[0]?.from ?? null;
  if (orders.some((order) => order.from?.id !== from?.id)) return undefined;
  const ids = orders.map((order) => order.id);
  return from === null
    ? lineOf({ path: 'project remove', args: memberArgs }, { project: [String(id)], orders: ids })
    : lineOf({ path: 'project add', args: memberArgs }, { project: [String(from.id)], orders: ids });
}
