import { z } from 'zod';
import { type Order, orderTarget, type Project, projectTarget } from '../../core/account/account.ts';
import { orders, project } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import type { Plan, Verdict } from '../../core/plan/plan.ts';
import { firstFew } from '../../core/text/words.ts';
import { valueDiff } from '../../core/view/diff.ts';
import type { Reader } from '../../provider/client.ts';
import { everyKind, type FreshOrder, orderLine, readOrder, sayOrders } from '../orders/fresh.ts';
import { weighRights } from '../orders/rights.ts';

/** Parts of `project add` and `project remove`: one write with the project and several orders. */

export const memberArgs = {
  project: project({ hint: 'A project, by name or id.', example: 'Website' }),
  orders: orders({ hint: 'Orders, by name, id or a tag such as tag:web.', example: 'web-1', kinds: everyKind }),
};

export const memberStep = z.object({
  id: z.number(),
  name: z.string(),
  orders: z
    .array(
      z.object({ id: z.string(), name: z.string(), from: z.object({ id: z.number(), name: z.string() }).nullable() }),
    )
    .min(1),
});
export type MemberStep = z.infer<typeof memberStep>;

interface Moving {
  readonly title: string;
  readonly effect: string;
  /** True for orders that the write changes; others are already in the wanted state. */
  readonly moves: (order: FreshOrder) => boolean;
  /** The project of the orders after the write. */
  readonly to: Project | null;
  readonly nothing: (names: string) => string;
}

export async function planMembers(
  project: Project,
  listed: readonly Order[],
  moving: (names: string) => Moving,
  context: ReadContext<Reader>,
): Promise<Plan<MemberStep>> {
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
      ...(stays.length > 0 && moved.length > 0
        ? [['Stays', `${firstFew(stays, 6)}: this is so already.`] as const]
        : []),
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
export async function readMembers(
  step: MemberStep,
  isRight: (project: number | null) => boolean,
  reader: Reader,
): Promise<Verdict> {
  const read = await Promise.all(step.orders.map((order) => reader.orders.read({ order_id: order.id })));
  const wrong = step.orders.filter((_, index) => !isRight(read[index]?.project?.id ?? null)).map((order) => order.name);
  if (wrong.length === 0) return { is: 'so', text: 'the orders show it' };
  return { is: 'not', text: `it is not so for ${firstFew(wrong, 6)}` };
}
