import { z } from 'zod';
import { orderTarget, projectTarget } from '../../core/account/account.ts';
import { orders, project } from '../../core/command/args.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { countOrList, firstFew } from '../../core/text/words.ts';
import { valueDiff } from '../../core/view/view.ts';
import { defineAction, sent, verdictOf } from '../define.ts';
import { everyKind, orderLine, readOrder } from '../orders/read-order.ts';
import { changesOf, withRights } from '../orders/rights.ts';

/** `project add` and `project remove`: one write with the project and several orders. */

const args = {
  project: project({ hint: 'A project, by name or id.', example: 'Website' }),
  orders: orders({ hint: 'Orders, by name, id or a tag such as tag:web.', example: 'web-1', kinds: everyKind }),
};

const naming = z.object({ id: z.number(), name: z.string() });
const step = naming.extend({
  orders: z.array(z.object({ id: z.string(), name: z.string(), from: naming.nullable() })).min(1),
});
type Step = z.infer<typeof step>;
type Own = 'done' | 'examples' | 'execute' | 'path' | 'summary' | 'title' | 'words';

export const projectAdd = defineMembers(true, {
  path: 'project add',
  words: `add · assign · include · attach · put | project · proj | add to project · part of project · belong in
    project`,
  title: 'Add to a project',
  summary: 'Put orders into a project',
  examples: ['project add Website mail-1', 'project add Internal staging-1 wiki-1'],
  execute: ({ id, orders }, { provider }) =>
    sent(provider.projects.addOrders({ id, orders: orders.map((order) => order.id) })),
  done: ([{ data }]) => {
    // The line that undoes it, if all orders came from the same project.
    const from = data.orders[0]?.from ?? null;
    const isMixed = data.orders.some((order) => order.from?.id !== from?.id);
    const undo = from === null ? lineFor('project remove', data.id, data) : lineFor('project add', from.id, data);
    return { text: `${namesIn(data)} put into ${data.name}`, ...(isMixed ? {} : { undo }) };
  },
});

export const projectRemove = defineMembers(false, {
  path: 'project remove',
  words: `remove · take out · detach · unassign · drop · pull · outta | project · proj | remove from project · out of
    project · not part of`,
  title: 'Remove from a project',
  summary: 'Remove orders from a project',
  examples: ['project remove Website cache-1', 'project remove Internal ci-1 vpn-1'],
  execute: ({ id, orders }, { provider }) =>
    sent(provider.projects.removeOrders({ id, orders: orders.map((order) => order.id) })),
  done: ([{ data }]) => ({
    text: `${namesIn(data)} removed from ${data.name}`,
    undo: lineFor('project add', data.id, data),
  }),
});

function namesIn({ orders }: Step): string {
  return countOrList(orders, 'order', ({ name }) => name);
}

function lineFor(path: string, project: number, { orders }: Step): string {
  return lineOf({ path, args }, { project: [String(project)], orders: orders.map(({ id }) => id) });
}

function defineMembers(isAdding: boolean, own: Pick<Parameters<typeof defineAction<typeof args, Step>>[0], Own>) {
  return defineAction({
    ...own,
    args,
    capability: 'organize',
    risk: 'routine',
    step,
    plan: async ({ project, orders: listed }, context) => {
      const all = await Promise.all(listed.map((order) => readOrder(context.reader, order)));
      const names = countOrList(all, 'order', ({ label }) => label);
      const to = isAdding ? project : null;
      const moved = all.filter((order) => (order.project?.id === project.id) !== isAdding);
      const stays = all.filter((order) => !moved.includes(order)).map((order) => order.label);
      const target = projectTarget(project);
      const orders = moved.map((order) => ({ id: order.id, name: order.label, from: order.project }));
      return withRights(changesOf(moved.map(orderTarget), { project: to?.name ?? null }), context, {
        title: isAdding ? `Put ${names} into ${project.name}` : `Remove ${names} from ${project.name}`,
        subject: all.map(orderLine),
        targets: [target, ...all.map(orderTarget)],
        effect: `The orders then belong to ${isAdding ? 'this project and to no other' : 'no project'}. Servers keep running.`,
        details: [['Stays', stays.length > 0 && moved.length > 0 ? `${firstFew(stays, 6)}: this is so already.` : '']],
        diff: moved.flatMap((order) =>
          valueDiff(order.label, order.project?.name ?? 'no project', to?.name ?? 'no project'),
        ),
        facts: {
          [`name of project ${project.id}`]: project.name,
          ...Object.fromEntries(
            all.map(({ label, id, project }) => [`project of ${label} (${id})`, project && { ...project }]),
          ),
        },
        steps: [{ target, label: project.name, data: { id: project.id, name: project.name, orders } }],
        nothingToDo:
          moved.length > 0
            ? undefined
            : `${isAdding ? `In ${project.name} already` : `Not in ${project.name}`}: ${countOrList(stays, 'order')}.`,
      });
    },
    verify: async ({ id, orders }, { reader }) => {
      const read = await Promise.all(orders.map((order) => reader.orders.read({ order_id: order.id })));
      const wrong = orders.filter((_, index) => (read[index]?.project?.id === id) !== isAdding);
      const names = firstFew(wrong, 6, ({ name }) => name);
      return verdictOf(wrong.length === 0, 'the orders show it', `it is not so for ${names}`);
    },
  });
}
