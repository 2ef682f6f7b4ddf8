import { type Account, domainTarget, type Order, orderTarget } from '../../core/account/account.ts';
import { orders } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { namesTakenDown, type SharedNames } from '../../core/dns/names-of-servers.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { nextRisk, type Risk } from '../../core/policy/policy.ts';
import { count, firstFew } from '../../core/text/words.ts';
import type { Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { parallelOf } from '../parallel.ts';
import { glanceOf } from './glance.ts';
import {
  factsOf,
  leftOut,
  mustExist,
  namesOf,
  notDedicated,
  powersOf,
  type ServerStep,
  stepOf,
  subjectLine,
} from './power.ts';

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
  readonly details: (changing: readonly Order[], running: Running) => readonly [string, Text][];
  /** A warning about names that no server would serve. */
  readonly warning?: (changing: readonly Order[], running: Running) => Pick<Plan<ServerStep>, 'warning'>;
}

/** Plans a change of power from the present state of the servers. */
export async function planPower(
  { servers, parallel }: { readonly servers: readonly Order[]; readonly parallel: number },
  { reader, account, may }: Pick<ReadContext<Reader>, 'reader' | 'account' | 'may'>,
  { verb, already, single, several, risk, briefly, details, warning }: PowerChange,
): Promise<Plan<ServerStep>> {
  mustExist(servers);
  const power = await powersOf(reader, servers);
  const changing = servers.filter((server) => already === undefined || power(server) !== already);
  const running = changing.filter((server) => power(server) !== 'off');
  const isLarge = await isLargeShare(running, servers, { reader, account });
  const share = `${count(changing.length, 'server')}: more than a third of those that are on`;
  const pace = parallel === 1 ? 'one after another' : `${parallel} at a time`;
  return {
    title: `${verb} ${namesOf(changing.length === 0 ? servers : changing)}`,
    subject: [...(isLarge ? [[{ bold: share }]] : []), ...servers.map((server) => subjectLine(server, power(server)))],
    targets: changing.map(orderTarget),
    effect: changing.length === 1 ? single(running) : several(pace, running),
    glance: glanceOf(changing, {
      power,
      briefly: changing.length === 1 ? briefly(running) : `${briefly(running)}, ${pace}`,
      goingDown: verb === 'Start' ? [] : running,
      leftOut: leftOut(servers, changing, `already ${already}`).map(([, names]) => names),
      account: await account(),
      may,
    }),
    details: [...leftOut(servers, changing, `already ${already}`), ...details(changing, running)],
    facts: factsOf(servers, power),
    steps: changing.map((server) => stepOf(server, power(server))),
    parallel,
    ...warning?.(changing, running),
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
  { reader, account }: Pick<ReadContext<Reader>, 'reader' | 'account'>,
): Promise<boolean> {
  if (running.length < 2 || running.length > mostCompared) return false;
  const { orders } = await account();
  const others = orders
    .filter(
      ({ kind, status, id }) => kind === 'vps' && status === 'active' && !named.some((server) => server.id === id),
    )
    .slice(0, mostRead);
  let on = running.length;
  for (let at = 0; at < others.length && on < running.length * 3; at += readAtOnce) {
    const some = others.slice(at, at + readAtOnce);
    const power = await powersOf(reader, some);
    on += some.filter((server) => power(server) === 'on').length;
  }
  return on < running.length * 3;
}

type May = Pick<ReadContext<unknown>, 'may'>;
type Warning = { readonly warning?: NonNullable<Plan<unknown>['warning']> };

const mostSentences = 2;
const mostNames = 3;

/**
 * Warns of names that go down if the servers restart at the same time. Names whose servers are all off are already
 * down.
 */
export function restartWarning(
  restarting: readonly Order[],
  parallel: number,
  { account, may, running }: May & { readonly account: Account; readonly running: readonly Order[] },
): Warning {
  const shared = sharedNames(restarting, account, may).filter(
    ({ servers }) => servers.length <= parallel && servers.some((server) => running.includes(server)),
  );
  return warningOf(
    shared,
    true,
    (servers, names, them) => `Restarting ${servers} behind ${names} at once would take ${them} down.`,
  );
}

export function stopWarning(
  stopping: readonly Order[],
  { account, may }: May & { readonly account: Account },
): Warning {
  return warningOf(
    sharedNames(stopping, account, may),
    false,
    (servers, names, them) => `Stopping ${servers} behind ${names} takes ${them} down.`,
  );
}

/** Only names that may be read here; empty if the zones could not be read. */
function sharedNames(orders: readonly Order[], account: Account, may: May['may']): SharedNames[] {
  if (account.unread.includes('domains')) return [];
  return namesTakenDown(
    orders,
    account.domains.filter((domain) => may('read', domainTarget(domain))),
  );
}

function warningOf(
  shared: readonly SharedNames[],
  isAvoidable: boolean,
  say: (servers: string, names: string, them: 'it' | 'them') => string,
): Warning {
  if (shared.length === 0) return {};
  const sentences = shared.slice(0, mostSentences).map(({ names, servers }) => {
    const all = servers.length === 2 ? 'both servers' : `all ${servers.length} servers`;
    return say(all, firstFew(names, mostNames), names.length === 1 ? 'it' : 'them');
  });
  return { warning: { text: sentences.join(' '), isAvoidable } };
}
