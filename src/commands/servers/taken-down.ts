import { type Account, domainTarget, type Order } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { namesTakenDown, type SharedNames } from '../../core/dns/names-of-servers.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { firstFew } from '../../core/text/words.ts';

/** Warnings about names that only the servers of one request serve. */

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
