import { z } from 'zod';
import { type Order, orderTarget, type Project, projectTarget } from '../../core/account/account.ts';
import { orders, project } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { PlanDraft, Verdict } from '../../core/plan/plan.ts';
import { firstFew } from '../../core/text/words.ts';
import { valueDiff } from '../../core/view/value-diff.ts';
import { fieldsWith } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';
import { everyKind, type FreshOrder, orderLine, readOrder, sayOrders } from '../orders/read-order.ts';
import { weighRights } from '../orders/rights.ts';
import { sent } from '../outcome.ts';

/** `project add` and `project remove`: one write with the project and several orders. */

const args = {
  project: project({ hint: 'A project, by name or id.', example: 'Website' }),
  orders: orders({ hint: 'Orders, by name, id or a tag such as tag:web.', example: 'web-1', kinds: everyKind }),
};

const naming = z.object({ id: z.number(), name: z.string() });
const step = naming.extend({
  orders: z.array(z.object({ id: z.string(), name: z.string(), from: naming.nullable() })).min(1),
});
type MemberStep = z.infer<typeof step>;

const common = { args, capability: 'organize', risk: 'routine', step } as const;

export const projectAdd = defineAction({
  ...common,
  path: 'project add',
  title: 'Add to a project',
  summary: 'Put orders into a project',
  examples: ['project add Website mail-1', 'project add Internal staging-1 wiki-1'],
  plan: ({ project, orders }, context) =>
    planMembers(project, orders, context, (names) => ({
      title: `Put ${names} into ${project.name}`,
      effect: 'The orders then belong to this project and to no other. Servers keep running.',
      moves: (order) => order.project?.id !== project.id,
      to: project,
      nothing: (all) => `In ${project.name} already: ${all}.`,
    })),
  execute: ({ id, orders }, { provider }) =>
    sent(provider.projects.addOrders({ id, orders: orders.map((order) => order.id) })),
  verify: (step, { reader }) => readMembers(step, (project) => project === step.id, reader),
  done: (steps) => {
    const data = steps[0]?.data;
    if (data === undefined) return { text: 'orders added' };
    // The line that undoes it, if all orders came from the same project.
    const from = data.orders[0]?.from ?? null;
    const isMixed = data.orders.some((order) => order.from?.id !== from?.id);
    const undo = from === null ? lineFor('project remove', data.id, data) : lineFor('project add', from.id, data);
    return { text: `${namesIn(data)} put into ${data.name}`, ...(isMixed ? {} : { undo }) };
  },
});

export const projectRemove = defineAction({
  ...common,
  path: 'project remove',
  title: 'Remove from a project',
  summary: 'Remove orders from a project',
  examples: ['project remove Website cache-1', 'project remove Internal ci-1 vpn-1'],
  plan: ({ project, orders }, context) =>
    planMembers(project, orders, context, (names) => ({
      title: `Remove ${names} from ${project.name}`,
      effect: 'The orders then belong to no project. Servers keep running.',
      moves: (order) => order.project?.id === project.id,
      to: null,
      nothing: (all) => `Not in ${project.name}: ${all}.`,
    })),
  execute: ({ id, orders }, { provider }) =>
    sent(provider.projects.removeOrders({ id, orders: orders.map((order) => order.id) })),
  verify: (step, { reader }) => readMembers(step, (project) => project !== step.id, reader),
  done: ([step]) =>
    step === undefined
      ? { text: 'orders removed' }
      : {
          text: `${namesIn(step.data)} removed from ${step.data.name}`,
          undo: lineFor('project add', step.data.id, step.data),
        },
});

function namesIn({ orders }: MemberStep): string {
  return sayOrders(orders.map(({ name }) => name));
}

function lineFor(path: string, project: number, { orders }: MemberStep): string {
  return lineOf({ path, args }, { project: [String(project)], orders: orders.map(({ id }) => id) });
}

interface Moving {
  readonly title: string;
  readonly effect: string;
  /** True for orders that the write changes; others are already in the wanted state. */
  readonly moves: (order: FreshOrder) => boolean;
  /** The project of the orders after the write. */
  readonly to: Project | null;
  readonly nothing: (names: string) => string;
}

async function planMembers(
  project: Project,
  listed: readonly Order[],
  context: ReadContext<Reader>,
  moving: (names: string) => Moving,
): Promise<PlanDraft<MemberStep>> {
  const all = await Promise.all(listed.map((order) => readOrder(context.reader, order)));
  const { title, effect, moves, to, nothing } = moving(sayOrders(all.map((order) => order.label)));
  const moved = all.filter(moves);
  const rights = await weighRights(
    moved.map((order) => ({ before: orderTarget(order), after: { ...orderTarget(order), project: to?.name ?? null } })),
    context,
  );
  const stays = all.filter((order) => !moves(order)).map((order) => order.label);
  const target = projectTarget(project);
  return {
    title,
    subject: all.map(orderLine),
    targets: [target, ...all.map(orderTarget)],
    effect,
    details: [
      ...fieldsWith([
        ['Stays', stays.length > 0 && moved.length > 0 ? `${firstFew(stays, 6)}: this is so already.` : ''],
      ]),
      ...rights.details,
    ],
    diff: moved.flatMap((order) =>
      valueDiff(order.label, order.project?.name ?? 'no project', to?.name ?? 'no project'),
    ),
    facts: {
      [`name of project ${project.id}`]: project.name,
      ...Object.fromEntries(
        all.map((order) => [
          `project of ${order.label} (${order.id})`,
          order.project === null ? null : { ...order.project },
        ]),
      ),
      ...rights.facts,
    },
    steps: [
      {
        target,
        label: project.name,
        data: {
          id: project.id,
          name: project.name,
          orders: moved.map((order) => ({ id: order.id, name: order.label, from: order.project })),
        },
      },
    ],
    ...rights.plan,
    ...(moved.length === 0 ? { nothingToDo: nothing(sayOrders(stays)) } : {}),
  };
}

/** Verifies every order and names one that is not in the expected state. */
async function readMembers(
  step: MemberStep,
  isRight: (project: number | null) => boolean,
  reader: Reader,
): Promise<Verdict> {
  const read = await Promise.all(step.orders.map((order) => reader.orders.read({ order_id: order.id })));
  const wrong = step.orders.filter((_, index) => !isRight(read[index]?.project?.id ?? null)).map((order) => order.name);
  if (wrong.length === 0) return { is: 'so', text: 'the orders show it' };
  return { is: 'not', text: `it is not so for ${firstFew(wrong, 6)}` };
}
