import { liveServers } from '../../core/account/account.ts';
import { troublesOf, withoutPower, worstFirst } from '../../core/account/trouble.ts';
import { orAll, order } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { firstLines, wordSet } from '../../core/text/words.ts';
import { buttonRow, runButton, type View } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { openAlertsOn } from '../alerts/open-on.ts';
import { dedicatedCard } from '../dedicated/show.ts';
import { defineQuery } from '../define.ts';
import { withReadAt } from '../read-at.ts';
import { countsLine, powerReadsMost, seeServersToShow, serversOf } from './see-servers.ts';
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

const troublesMost = 15;

/** The counts, and a line for each server with trouble. */
async function inShort(context: ReadContext<Reader>): Promise<View> {
  const { now } = context;
  const account = await context.account();
  const live = liveServers(serversOf(account.orders, context.may));
  const isSmall = live.length <= powerReadsMost;
  const seen = worstFirst(isSmall ? await seeServersToShow(live, context) : live.map(withoutPower), now);
  const inTrouble = seen.flatMap((server) => {
    const words = troublesOf(server, now).map((trouble) => trouble.words);
    return words.length === 0 ? [] : [`${server.order.label}: ${words.join(', ')}`];
  });
  const counts = countsLine(seen, live.length);
  const healthy = isSmall
    ? `Every server is ${seen.some(({ isWanted }) => isWanted) ? 'on or off as usual,' : 'on'} and paid.`
    : 'No order has a problem. The power of this many servers is shown page by page in the list.';
  const lines = inTrouble.length === 0 ? healthy : firstLines(inTrouble, troublesMost).join('\n');
  return {
    summary: counts,
    parts: [
      ...(await openAlertsOn(live, context)),
      { kind: 'text', text: live.length === 0 ? 'There is no server here that you may see.' : lines },
      { kind: 'context', text: withReadAt(counts, account.readAt) },
      ...buttonRow([runButton('List', 'list')]),
    ],
  };
}
