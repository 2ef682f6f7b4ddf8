import { z } from 'zod';
import { orderTarget, projectTarget } from '../../core/account/account.ts';
import { option, project } from '../../core/command/args.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { badValue } from '../../core/view/errors.ts';
import { valueDiff } from '../../core/view/view.ts';
import { defineAction, sent, verdictOf } from '../define.ts';
import { projectOrNone } from './list.ts';
import { anyOrder, orderLine, readOrder } from './read-order.ts';
import { changesOf, withRights } from './rights.ts';

const args = {
  order: anyOrder,
  project: projectOrNone({ hint: 'A project, or none.', example: 'Website', place: 'rest' }),
  // Without this argument, `move web-1 from Internal` would be parsed as a move to Internal.
  from: {
    ...option(project({ hint: 'The project that it is in now.', after: ['from'] })),
    isTypedOnly: true,
  },
};

const place = z.object({ id: z.number(), name: z.string() }).nullable();

export const move = defineAction({
  path: 'move',
  words: `move · file under · change project of | project | give to project · put in project · move to project ·
    transfer to project`,
  title: 'Move to a project',
  summary: 'Move an order to a project, or out of one',
  examples: ['move mail-1 Website', 'move web-1 none'],
  args,
  capability: 'organize',
  risk: 'routine',
  step: z.object({ id: z.string(), name: z.string(), from: place, to: place }),
  plan: async ({ order: listed, project, from }, context) => {
    const order = await readOrder(context.reader, listed);
    if (from !== undefined && order.project?.id !== from.id) {
      const hint = 'Leave that out, or name the project that it is in.';
      throw badValue(`${order.label} is not in ${from.name}.`, hint, 'order');
    }
    const before = orderTarget(order);
    const to = project === null ? null : { id: project.id, name: project.name };
    const already = to === null ? `${order.label} is in no project.` : `${order.label} is in ${to.name} already.`;
    return withRights(changesOf([before], { project: project?.name ?? null }), context, {
      title: to === null ? `Remove ${order.label} from its project` : `Move ${order.label} to ${to.name}`,
      subject: [orderLine(order)],
      targets: [before, ...(project === null ? [] : [projectTarget(project)])],
      effect: 'Projects group orders for people and for the rights of a channel. Servers keep running.',
      diff: valueDiff('project', order.project?.name ?? 'none', to?.name ?? 'none'),
      facts: {
        [`name of ${order.id}`]: order.label,
        [`project of ${order.label}`]: order.project?.name ?? null,
        [`project id of ${order.label}`]: order.project?.id ?? null,
        ...(to === null ? {} : { [`name of project ${to.id}`]: to.name }),
      },
      steps: [
        { target: before, label: order.label, data: { id: order.id, name: order.label, from: order.project, to } },
      ],
      nothingToDo: order.project?.id === to?.id ? already : undefined,
    });
  },
  execute: ({ id, to }, { provider }) => sent(provider.orders.update({ order_id: id, project: to?.id ?? null })),
  verify: async ({ id, to }, { reader }) => {
    const { project } = await reader.orders.read({ order_id: id });
    return verdictOf(project?.id === to?.id, project === null ? 'it is in no project' : `it is in ${project.name}`);
  },
  done: ([{ data }]) => {
    const { id, name, from, to } = data;
    return {
      text: to === null ? `${name} removed from ${from?.name ?? 'its project'}` : `${name} moved to ${to.name}`,
      undo: lineOf({ path: 'move', args }, { order: [id], project: [from === null ? 'none' : String(from.id)] }),
    };
  },
});
