import { type Order, orderTarget } from '../../core/account.ts';
import { orders } from '../../core/args.ts';
import type { Plan } from '../../core/plan.ts';
import type { Text } from '../../core/view.ts';
import type { Reader } from '../../provider/client.ts';
import { parallelOf } from '../parallel.ts';
import { factsOf, leftOut, namesOf, powersOf, type ServerStep, stepOf, subjectLine } from './power.ts';

/** What start, stop and restart ask for: any number of servers, and how many at a time. */
export const serversArgs = {
  servers: orders({ hint: 'names, ids, addresses or tag:web', example: 'web-1' }),
  parallel: parallelOf('servers'),
};

interface PowerChange {
  readonly verb: string;
  /** A server in this state needs nothing and is left out; without it none is. */
  readonly already?: 'on' | 'off';
  readonly one: string;
  /** `pace` is how they go: one after another, or so many at a time. */
  readonly several: (timeScale: string) => string;
  readonly details: (changing: readonly Order[]) => readonly [string, Text][];
}

/** The servers as they are now, and those of them that the change is about. */
export async function planPower(
  { servers, parallel }: { readonly servers: readonly Order[]; readonly parallel: number },
  reader: Reader,
  { verb, already, one, several, details }: PowerChange,
): Promise<Plan<ServerStep>> {
  const power = await powersOf(reader, servers);
  const changing = servers.filter((server) => already === undefined || power(server) !== already);
  const timeScale = parallel === 1 ? 'one after another' : `${parallel} at a time`;
  return {
    title: `${verb} ${namesOf(changing.length === 0 ? servers : changing)}`,
    subject: servers.map((server) => subjectLine(server, power(server))),
    targets: changing.map(orderTarget),
    effect: changing.length === 1 ? one : several(timeScale),
    details: [...leftOut(servers, changing, `already ${already}`), ...details(changing)],
    facts: factsOf(servers, power),
    steps: changing.map((server) => stepOf(server, power(server))),
    parallel,
    ...(changing.length === 0
      ? { nothingToDo: `${namesOf(servers)} ${servers.length === 1 ? 'is' : 'are'} already ${already}.` }
      : {}),
  };
}
