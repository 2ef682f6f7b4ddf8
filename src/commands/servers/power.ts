import { z } from 'zod';
import { domainTarget, identityOf, type Order, orderTarget } from '../../core/account/account.ts';
import { powerText } from '../../core/account/trouble.ts';
import { order, orders } from '../../core/command/args.ts';
import type { ComesBack } from '../../core/command/command.ts';
import type { Foreseen } from '../../core/command/foreseen.ts';
import { namesTakenDown, type SharedNames } from '../../core/dns/names-of-servers.ts';
import type { PlanDraft, Receipt, Verdict } from '../../core/plan/plan.ts';
import { nextRisk, type Risk } from '../../core/policy/policy.ts';
import { count, countOrList, firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Text } from '../../core/view/view.ts';
import { parallelOf } from '../args.ts';
import type { CommandContext } from '../define.ts';
import { dependsOn, glanceOf, powerOf, type ReadServer, seeServers, statusNotes } from './see-servers.ts';

/** Parts of the commands that change a server's power. */

export const oneServer = order({ hint: 'Name, id or address.', example: 'web-1' });

/** Follows "files-1 is a dedicated server." */
const notDedicated = 'The provider’s API cannot do this with one: do it in the provider’s own panel.';

export const oneVirtualServer = order({ hint: 'Name, id or address.', example: 'web-1', onDedicated: notDedicated });

/** One server of a plan, as stored between approval and run. */
export const serverStep = z.object({
  id: z.string(),
  name: z.string(),
  /** The power as shown. */
  power: z.string().exactOptional(),
  status: z.string().exactOptional(),
});
type ServerStep = z.infer<typeof serverStep>;

/** Checks a server right before the write: its name and state must be as shown. */
export async function sameServer<S extends ServerStep>(step: S, { reader }: CommandContext): Promise<S> {
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

export function mustExist(orders: readonly Order[]): void {
  const over = orders.find(({ status }) => status === 'canceled');
  if (over === undefined) return;
  throw new Refusal('impossible', `The order of ${over.label} is canceled, so there is no server.`);
}

/** The parts of a plan about one server, read now. `goesDown`: its names do not answer meanwhile, unless it is off. */
export async function planOneServer(server: Order, context: CommandContext) {
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
function subjectLine(seen: ReadServer): Text {
  return [{ bold: seen.order.label }, ` · ${identityOf(seen.order, powerText(seen))}`];
}

/** The course of a command that gives each server one job of the provider, after which it is on or off. */
export function powerJob(action: string, wanted: 'off' | 'on') {
  return {
    step: serverStep,
    recheckTarget: (step: ServerStep, context: CommandContext) => sameServer(step, context),
    follow: (step: ServerStep, receipt: Receipt) => jobOf(step, receipt, action),
    verify: async ({ id }: ServerStep, { reader }: CommandContext) => powerVerdict(await powerOf(reader, id), wanted),
    foresee: ({ id }: ServerStep): Foreseen => ({ kind: 'power', order: id, power: wanted }),
    // A server that was off answered nothing.
    comesBack: ({ id, power }: ServerStep): ComesBack | undefined =>
      wanted === 'on' && power !== 'off' ? { id, needs: 'all' } : undefined,
  };
}

/** The job in a receipt, for `follow`. */
export function jobOf(step: ServerStep, receipt: Receipt, action: string) {
  const { jobId } = z.object({ jobId: z.number() }).parse(receipt.data);
  return { kind: 'job', orderId: step.id, jobId, action } as const;
}

export function powerVerdict(power: string, wanted: 'on' | 'off'): Verdict {
  return { is: power === wanted ? 'so' : power === 'unknown' ? 'unsure' : 'not', text: `the power is ${power}` };
}

/** The verdict after a lost response, if the power shows no effect; `whether` names what cannot be read. */
export function unsureOf(whether: string) {
  return async ({ id, name }: ServerStep, { reader }: CommandContext): Promise<Verdict> => ({
    is: 'unsure',
    text: `${name} is ${await powerOf(reader, id)} now; whether ${whether}`,
  });
}

export function namesOf(servers: readonly { readonly label: string }[]): string {
  return countOrList(servers, 'server', ({ label }) => label);
}

export const serversArgs = {
  servers: orders({
    hint: 'Names, ids, addresses or a tag such as tag:web.',
    example: 'web-1',
    onDedicated: notDedicated,
  }),
  parallel: parallelOf('servers'),
};

/** The changed servers that are not off. */
type Running = readonly Order[];

interface PowerChange {
  readonly verb: string;
  /** Servers in this state need no change and are left out; if absent, none are. */
  readonly already?: 'on' | 'off';
  readonly risk: Risk;
  readonly single: (running: Running) => string;
  /** `pace`: one after another, or the number at a time. */
  readonly several: (pace: string, running: Running) => string;
  /** The change in a few words, for the card. */
  readonly briefly: (running: Running) => string;
  /** Details besides those of what goes down. */
  readonly details?: (changing: readonly Order[], running: Running) => readonly [string, Text][];
  /** How the servers go down; absent if they do not. */
  readonly goingDown?: {
    /** Only names of servers that change at the same time do not work meanwhile. */
    readonly isAvoidable: boolean;
    /** The warning about names that no server would serve. */
    readonly warning: (servers: string, names: string, them: 'it' | 'them') => string;
  };
}

export async function planPower(
  { servers, parallel }: { readonly servers: readonly Order[]; readonly parallel: number },
  context: CommandContext,
  { verb, already, single, several, risk, briefly, details, goingDown }: PowerChange,
): Promise<PlanDraft<ServerStep>> {
  mustExist(servers);
  const { may } = context;
  const [seen, account] = await Promise.all([seeServers(servers, context), context.account()]);
  const needing = seen.filter(({ power }) => power !== already);
  // A series plans all of them where none needs it now.
  const changes = needing.length === 0 ? seen : needing;
  const changing = changes.map(({ order }) => order);
  const running = changes.filter(({ power }) => power !== 'off').map(({ order }) => order);
  const isLarge = await isLargeShare(running, servers, context);
  // Zones that could not be read, or may not be read here, give no warning.
  const zones = account.unread.includes('domains')
    ? []
    : account.domains.filter((domain) => may('read', domainTarget(domain)));
  const served = namesTakenDown(changing, zones);
  const areOrIs = servers.length === 1 ? 'is' : 'are';
  const share = `${count(changing.length, 'server')}: more than a third of those that are on`;
  const pace = parallel === 1 ? 'one after another' : `${parallel} at a time`;
  const same = servers.filter((server) => !changing.includes(server));
  const leftOut = same.length === 0 ? [] : [`${firstFew(same, 8, ({ label }) => label)}: already ${already}`];
  return {
    title: `${verb} ${namesOf(changing)}`,
    subject: [...(isLarge ? [[{ bold: share }]] : []), ...seen.map(subjectLine)],
    effect: changing.length === 1 ? single(running) : several(pace, running),
    glance: glanceOf(changes, {
      briefly: changing.length === 1 ? briefly(running) : `${briefly(running)}, ${pace}`,
      goingDown: goingDown === undefined ? [] : running,
      leftOut,
      account,
      may,
    }),
    details: [
      ...leftOut.map((words): [string, Text] => ['Left out', words]),
      ...(details?.(changing, running) ?? []),
      ...(goingDown === undefined ? statusNotes(changing) : dependsOn(changing, account, context, running)),
    ],
    facts: factsOf(seen),
    targets: servers.map(orderTarget),
    steps: changes.map(stepOf),
    parallel,
    ...warningOf(goingDown, served, running, parallel),
    ...(isLarge ? { raised: { risk: nextRisk(risk), why: `It changes ${share}.` } } : {}),
    nothingToDo: needing.length === 0 ? `${namesOf(servers)} ${areOrIs} already ${already}.` : undefined,
  };
}

/**
 * Servers up to this number are compared with the others; more raise the risk by their number alone
 * (core/plan/raised-by-size.ts).
 */
const mostCompared = 3;
const readAtOnce = 6;
/** If more other servers than this would have to be read, a few count as a large share. */
const mostRead = 30;

/** Whether the affected servers are more than a third of the servers that are on. */
async function isLargeShare(running: readonly Order[], named: readonly Order[], context: CommandContext) {
  if (running.length < 2 || running.length > mostCompared) return false;
  const { orders } = await context.account();
  const others = orders
    .filter(
      ({ kind, status, id }) => kind === 'vps' && status === 'active' && !named.some((server) => server.id === id),
    )
    .slice(0, mostRead);
  let on = running.length;
  for (let at = 0; at < others.length && on < running.length * 3; at += readAtOnce) {
    const some = await seeServers(others.slice(at, at + readAtOnce), context);
    on += some.filter(({ power }) => power === 'on').length;
  }
  return on < running.length * 3;
}

const mostSentences = 2;
const mostNames = 3;

/** Names whose servers are all off are already down. */
function warningOf(down: PowerChange['goingDown'], shared: readonly SharedNames[], running: Running, parallel: number) {
  if (down === undefined) return {};
  const { isAvoidable, warning } = down;
  const lost = shared.filter(
    ({ servers }) => servers.some((server) => running.includes(server)) && (!isAvoidable || servers.length <= parallel),
  );
  if (lost.length === 0) return {};
  const sentences = lost.slice(0, mostSentences).map(({ names, servers }) => {
    const all = servers.length === 2 ? 'both servers' : `all ${servers.length} servers`;
    return warning(all, firstFew(names, mostNames), names.length === 1 ? 'it' : 'them');
  });
  return { warning: { text: sentences.join(' '), isAvoidable } };
}
