import { orderTarget, projectTarget } from '../../core/account/account.ts';
import { project } from '../../core/command/args.ts';
import { count, firstFew } from '../../core/text/words.ts';
import { ifReadable } from '../../core/view/errors.ts';
import { dotted, text } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { changesOf, weighRights } from '../orders/rights.ts';
import { sent, verdictOf } from '../outcome.ts';
import { ordersIn } from './list.ts';
import { projectStep } from './project-name.ts';

export const projectDelete = defineAction({
  path: 'project delete',
  title: 'Delete a project',
  summary: 'Delete a project; its orders stay, without one',
  examples: ['project delete Internal', 'project delete 2'],
  args: { project: project({ hint: 'A project, by name or id.', example: 'Internal', place: 'rest' }) },
  capability: 'organize',
  risk: 'dangerous',
  step: projectStep,
  plan: async ({ project: listed }, context) => {
    const { reader, account } = context;
    const [project, { orders }] = await Promise.all([reader.projects.read({ id: listed.id }), account()]);
    const own = ordersIn(project.id, orders);
    const target = projectTarget(project);
    const orderTargets = own.map(orderTarget);
    const rights = await weighRights(changesOf(orderTargets, { project: null }), context);
    return {
      title: `Delete the project ${project.name}`,
      subject: [
        [{ bold: project.name }, ` · project ${project.id}${project.comment === '' ? '' : ` · ${project.comment}`}`],
      ],
      // The orders lose their project and with it the rights granted on it.
      targets: [target, ...orderTargets],
      effect: 'The project is deleted with its comment and logo. Its orders stay, in no project.',
      glance: dotted([
        own.length === 0
          ? 'no order is in it'
          : `${firstFew(own, 5, (order) => order.label)} ${own.length === 1 ? 'stays' : 'stay'}, in no project`,
        'its comment and logo are deleted',
        ...rights.details.map(([label, value]) => text(`${label.toLowerCase()}: `, value)),
      ]),
      details: [
        [
          'Orders',
          own.length === 0
            ? 'none is in it'
            : `${count(own.length, 'order')} ${own.length === 1 ? 'loses its' : 'lose their'} project: ${firstFew(own, 10, (order) => order.label)}`,
        ],
        ...rights.details,
      ],
      facts: {
        [`name of project ${project.id}`]: project.name,
        [`orders of ${project.name}`]: own.map((order) => order.id).toSorted(),
        ...rights.facts,
      },
      steps: [{ target, label: project.name, data: { id: project.id, name: project.name } }],
      typedName: project.name,
    };
  },
  execute: ({ id }, { provider }) => sent(provider.projects.delete({ id })),
  verify: async ({ id, name }, { reader }) => {
    const project = await ifReadable(reader.projects.read({ id }), 'not_found');
    return verdictOf(project === undefined, `there is no project ${name} now`, 'the project is still there');
  },
  done: ([step]) => ({ text: `project ${step.data.name} deleted` }),
});
