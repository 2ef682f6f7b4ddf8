import { z } from 'zod';
import { identityOf, type Order, orderTarget } from '../../core/account/account.ts';
import { powerText } from '../../core/account/trouble.ts';
import { order } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import type { Receipt, Verdict } from '../../core/plan/plan.ts';
import { countOrList } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { Job } from '../../provider/endpoints/vps.ts';
import { dependsOn, glanceOf } from './glance.ts';
import { powerOf, type ReadServer, seeServers } from './see-servers.ts';

/** Parts of the commands that change a server's power. */

/** The argument of commands about one server. */
export const oneServer = order({ hint: 'Name, id or address.', example: 'web-1' });

/** Follows "files-1 is a dedicated server." */
export const notDedicated = 'The provider’s API cannot do this with one: do it in the provider’s own panel.';

/** The argument of commands that change one virtual server. */
export const oneVirtualServer = order({ hint: 'Name, id or address.', example: 'web-1', onDedicated: notDedicated });

/** One server of a plan, as stored between approval and run. */
export const serverStep = z.object({
  id: z.string(),
  name: z.string(),
  /** The power as shown. */
  power: z.string().exactOptional(),
  status: z.string().exactOptional(),
});
export type ServerStep = z.infer<typeof serverStep>;

/** Checks a server right before the write: its name and state must be as shown. */
export async function sameServer<S extends ServerStep>(step: S, { reader }: ReadContext<Reader>): Promise<S> {
  const [order, power] = await Promise.all([
    reader.orders.read({ order_id: step.id }),
    step.power === undefined ? undefined : reader.vps.status({ order_id: step.id }),
  ]);
  const changes = [
    ['name', step.name, order.name || order.hostname || order.id],
    ['status', step.status, order.status],
    // A state that could not be read for the plan was not part of the decision.
    ['power', step.power === 'unknown' ? undefined : step.power, power?.status],
  ].filter(([, before, after]) => before !== undefined && before !== after);
  if (changes.length === 0) return step;
  const changed = changes.map(([what, before, after]) => `its ${what} was ${before} and is ${after} now`).join(', ');
  throw new Refusal('changed', `${step.name} changed since the request: ${changed}.`);
}

/** The facts of a change of power: these servers in this state. */
export function factsOf(seen: readonly ReadServer[]): Record<string, string> {
  return Object.fromEntries(
    seen.flatMap(({ order, power }) => [
      [`name of ${order.id}`, order.label],
      [`power of ${order.label}`, power],
      [`status of ${order.label}`, order.status],
    ]),
  );
}

/** Refuses a change of a server whose order is over. */
export function mustExist(orders: readonly Order[]): void {
  const over = orders.find(({ status }) => status === 'canceled');
  if (over === undefined) return;
  throw new Refusal('impossible', `The order of ${over.label} is canceled, so there is no server.`);
}

/** The parts of a plan about one server, read now. `goesDown`: its names do not answer meanwhile, unless it is off. */
export async function planOneServer(server: Order, context: ReadContext<Reader>) {
  mustExist([server]);
  const { may } = context;
  const [seen, account] = await Promise.all([seeServers([server], context), context.account()]);
  const isOff = seen.every(({ power }) => power === 'off');
  const goingDown = isOff ? [] : [server];
  return {
    isOff,
    state: seen.map(powerText).join(''),
    glance: (briefly: string) => glanceOf(seen, { briefly, goingDown, account, may }),
    dependents: dependsOn([server], account, context, goingDown),
    plan: { subject: seen.map(subjectLine), facts: factsOf(seen), steps: seen.map(stepOf) },
  };
}

export function stepOf({ order, power }: ReadServer) {
  const data = { id: order.id, name: order.label, power, status: order.status };
  return { target: orderTarget(order), label: order.label, data };
}

/** `web-1 · 34-12345 · 192.0.2.10 · VPS-2 · 🟢 on` */
export function subjectLine(seen: ReadServer): Text {
  return [{ bold: seen.order.label }, ` · ${identityOf(seen.order, powerText(seen))}`];
}

/** The course of a command that gives each server one job of the provider, after which it is on or off. */
export function powerJob(action: string, wanted: 'off' | 'on') {
  return {
    step: serverStep,
    recheckTarget: (step: ServerStep, context: ReadContext<Reader>) => sameServer(step, context),
    follow: (step: ServerStep, receipt: Receipt) => jobOf(step, receipt, action),
    verify: async ({ id }: ServerStep, { reader }: ReadContext<Reader>) =>
      powerVerdict(await powerOf(reader, id), wanted),
  };
}

export function accepted(job: Job): Receipt {
  return { text: `job ${job.pk}`, data: { jobId: job.pk } };
}

/** The job in a receipt, for `follow`. */
export function jobOf(step: ServerStep, receipt: Receipt, action: string) {
  const { jobId } = z.object({ jobId: z.number() }).parse(receipt.data);
  return { kind: 'job', orderId: step.id, jobId, action } as const;
}

/** Compares the power with the expected one. */
export function powerVerdict(power: string, wanted: 'on' | 'off'): Verdict {
  return { is: power === wanted ? 'so' : power === 'unknown' ? 'unsure' : 'not', text: `the power is ${power}` };
}

/** The verdict after a lost response, if the power shows no effect; `whether` names what cannot be read. */
export function unsureOf(whether: string) {
  return async ({ id, name }: ServerStep, { reader }: ReadContext<Reader>): Promise<Verdict> => ({
    is: 'unsure',
    text: `${name} is ${await powerOf(reader, id)} now; whether ${whether}`,
  });
}

export function namesOf(servers: readonly { readonly label: string }[]): string {
  return countOrList(
    servers.map((server) => server.label),
    'server',
  );
}
