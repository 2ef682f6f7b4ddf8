import { lineOf } from '../../core/grammar/parse.ts';
import { defineAction } from '../define.ts';
import { sayOrders } from '../orders/fresh.ts';
import { memberArgs, memberStep, planMembers, readMembers } from './members.ts';

export const projectRemove = defineAction({
  path: 'project remove',
  title: 'Remove from a project',
  summary: 'Remove orders from a project',
  examples: ['project remove Website cache-1', 'project remove Internal ci-1 vpn-1'],
  args: memberArgs,
  capability: 'organize',
  risk: 'routine',
  step: memberStep,
  plan: ({ project, orders }, context) =>
    planMembers(
      project,
      orders,
      (names) => ({
        title: `Remove ${names} from ${project.name}`,
        effect: 'The orders then belong to no project. Servers keep running.',
        moves: (order) => order.project?.id === project.id,
        to: null,
        nothing: (all) => `Not in ${project.name}: ${all}.`,
      }),
      context,
    ),
  execute: async ({ id, orders }, { provider }) => {
    await provider.projects.removeOrders({ id, orders: orders.map((order) => order.id) });
    return { text: '', data: null };
  },
  verify: (step, { reader }) => readMembers(step, (project) => project !== step.id, reader),
  done: ([step]) =>
    step === undefined
      ? { text: 'orders removed' }
      : {
          text: `${sayOrders(step.data.orders.map((order) => order.name))} removed from ${step.data.name}`,
          undo: lineOf(
            { path: 'project add', args: memberArgs },
            { project: [String(step.data.id)], orders: step.data.orders.map((order) => order.id) },
          ),
        },
});
