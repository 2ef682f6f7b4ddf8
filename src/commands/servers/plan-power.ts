import { domainTarget, type Order } from '../../core/account/account.ts';
import { orders } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { namesTakenDown, type SharedNames } from '../../core/dns/names-of-servers.ts';
import type { Plan, PlanDraft } from '../../core/plan/plan.ts';
import { nextRisk, type Risk } from '../../core/policy/policy.ts';
import { count, firstFew } from '../../core/text/words.ts';
import type { Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { parallelOf } from '../parallel.ts';
import { dependsOn, glanceOf, statusNotes } from './glance.ts';
import { factsOf, mustExist, namesOf, notDedicated, type ServerStep, stepOf, subjectLine } from './power.ts';
import { seeServers } from './see-servers.ts';

/** Arguments of start, stop and restart: the servers, and how many at a time. */
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
  /** The command's own risk. */
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

/** Plans a change of power from the present state of the servers. */
export async function planPower(
  { servers, parallel }: { readonly servers: readonly Order[]; readonly parallel: number },
  context: ReadContext<Reader>,
  { verb, already, single, several, risk, briefly, details, goingDown }: PowerChange,
): Promise<PlanDraft<ServerStep>> {
  mustExist(servers);
  const { may } = context;
  const [seen, account] = await Promise.all([seeServers(servers, context), context.account()]);
  const changes = seen.filter(({ power }) => power !== already);
  const changing = changes.map(({ order }) => order);
  const running = changes.filter(({ power }) => power !== 'off').map(({ order }) => order);
  const isLarge = await isLargeShare(running, servers, context);
  // Zones that could not be read, or may not be read here, give no warning.
  const zones = account.unread.includes('domains') ? [] : account.domains;
  const served = namesTakenDown(
    changing,
    zones.filter((domain) => may('read', domainTarget(domain))),
  );
  const share = `${count(changing.length, 'server')}: more than a third of those that are on`;
  const pace = parallel === 1 ? 'one after another' : `${parallel} at a time`;
  const same = servers.filter((server) => !changing.includes(server));
  const leftOut = same.length === 0 ? [] : [`${firstFew(same, 8, ({ label }) => label)}: already ${already}`];
  return {
    title: `${verb} ${namesOf(changing.length === 0 ? servers : changing)}`,
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
    steps: changes.map(stepOf),
    parallel,
    ...warningOf(goingDown, served, { running, parallel }),
    ...(isLarge ? { raised: { risk: nextRisk(risk), why: `It changes ${share}.` } } : {}),
    ...(changing.length === 0
      ? { nothingToDo: `${namesOf(servers)} ${servers.length === 1 ? 'is' : 'are'} already ${already}.` }
      : {}),
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
async function isLargeShare(
  running: readonly Order[],
  named: readonly Order[],
  context: ReadContext<Reader>,
): Promise<boolean> {
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
function warningOf(
  goingDown: PowerChange['goingDown'],
  shared: readonly SharedNames[],
  { running, parallel }: { readonly running: Running; readonly parallel: number },
): Pick<Plan<unknown>, 'warning'> {
  if (goingDown === undefined) return {};
  const { isAvoidable, warning } = goingDown;
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
