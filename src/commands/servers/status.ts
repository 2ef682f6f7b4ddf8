import { orAll, order } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { firstLines, wordSet } from '../../core/text/words.ts';
import type { View } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { openAlertsOn } from '../alerts/open-on.ts';
import { buttonRow, runButton } from '../buttons.ts';
import { dedicatedCard } from '../dedicated/card.ts';
import { defineQuery } from '../define.ts';
import { withReadAt } from '../read-at.ts';
import {
  complaintsOf,
  countsLine,
  powerReadsMost,
  type SeenServer,
  seeServers,
  serversSeen,
  worstFirst,
} from './overview.ts';
import { serverCard } from './server-card.ts';

export const status = defineQuery({
  path: 'status',
  title: 'Server status',
  summary: 'Show one server in full, or a summary of all',
  examples: ['status web-1', 'status'],
  alsoSays: [
    ...wordSet(
      'up down ok okay on off running alive online offline working broken slow overloaded dead healthy not',
      'hosted responding reachable unreachable doing still about status state it is a an',
    ),
  ],
  args: {
    server: orAll(
      order({ hint: 'Name, id or address. Without it, a summary of all.', example: 'web-1', kinds: ['vps', 'ds'] }),
    ),
  },
  capability: 'read',
  visibility: 'channel',
  run: ({ server }, context) => {
    if (server === undefined) return inShort(context);
    return server.kind === 'ds' ? dedicatedCard(server, context) : serverCard(server, context);
  },
});

const complaintsMost = 15;

/** The counts, and a line for each server with trouble. */
async function inShort(context: ReadContext<Reader>): Promise<View> {
  const { now } = context;
  const account = await context.account();
  const { live } = serversSeen(account, context.may);
  const isSmall = live.length <= powerReadsMost;
  const read = isSmall
    ? await seeServers(live, context)
    : live.map((order): SeenServer => ({ order, power: undefined }));
  const seen = worstFirst(read, now);
  const complaints = seen
    .map((server) => ({ label: server.order.label, words: complaintsOf(server, now) }))
    .filter(({ words }) => words.length > 0);
  const counts = countsLine(seen, live.length);
  const all = complaints.map(({ label, words }) => `${label}: ${words.join(', ')}`);
  const lines = firstLines(all, complaintsMost);
  const text =
    lines.length > 0
      ? lines.join('\n')
      : isSmall
        ? `Every server is ${seen.some(({ isOffAsUsual }) => isOffAsUsual) ? 'on or off as usual,' : 'on'} and paid.`
        : 'No order has a problem. The power of this many servers is shown page by page in the list.';
  return {
    summary: counts,
    parts: [
      ...(await openAlertsOn(live, context)),
      { kind: 'text', text: live.length === 0 ? 'There is no server here that you may see.' : text },
      { kind: 'context', text: withReadAt(counts, account.readAt) },
      ...buttonRow([runButton('List', 'list')]),
    ],
  };
}
