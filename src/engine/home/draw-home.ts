import { accountTarget } from '../../core/account/account.ts';
import { coverageOf, renewing } from '../../core/account/coverage.ts';
import { mostUrgentFirst } from '../../core/alert/alert.ts';
import { onItButton } from '../../core/alert/on-it-button.ts';
import { count, money as sayMoney } from '../../core/text/words.ts';
import { severitySigns } from '../../core/view/severity.ts';
import {
  type Button,
  buttonRow,
  dotted,
  menuPart,
  notice,
  notificationsButton,
  text,
  type View,
  type ViewPart,
} from '../../core/view/view.ts';
import { channelsOf, unsaidChannels } from '../access/access.ts';
import { waysToAccess } from '../access/ask-access.ts';
import { nameOr } from '../access/say-names.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type HomeReads, openAlertsSeen } from './home-reads.ts';
import { requestParts } from './home-requests.ts';
import { type HomeChoice, serverParts } from './home-servers.ts';
import { favoritesOf } from './own-settings.ts';

const alertsShown = 5;
const mostAlerts = 50;
const mostChannels = 90;

/** The Home tab: the requests that wait for this person, the open alerts, and the servers. */
export async function drawHome(
  context: EngineContext,
  user: string,
  { powers, balance }: HomeReads,
  choice: HomeChoice,
): Promise<View> {
  const { accesses, isUnsure } = await channelsOf(context, user);
  const own = [...accesses.values()];
  const favorites = await favoritesOf(context, user);
  const [requests, alerts, servers, money, admin] = await Promise.all([
    requestParts(context, user, accesses),
    alertParts(context, accesses),
    serverParts(context, own, { powers, favorites }, choice),
    moneyLine(context, own, balance),
    adminParts(context, accesses),
  ]);
  const parts: ViewPart[] = [
    { kind: 'heading', text: 'Hostler' },
    ...(money === undefined ? [] : [{ kind: 'context', text: money } satisfies ViewPart]),
    ...requests.needed,
    ...alerts,
    ...servers,
    ...requests.own,
    ...admin,
    ...buttonRow(own.length === 0 ? [] : [notificationsButton]),
  ];
  if (isUnsure)
    parts.push(...notice('warning', `${unsaidChannels}, so this may be incomplete. Open it again in a minute.`).parts);
  else if (own.length === 0)
    parts.push({
      kind: 'text',
      text: [
        'No channel that you are in has a policy yet. In a channel, ',
        { code: '/host' },
        ' says who can make one.',
      ],
    });
  else if (!own.some((access) => access.hasCapability('read'))) {
    parts.push({ kind: 'text', text: 'Nothing in your channels is shared with you yet.' });
    for (const access of own.slice(0, 1))
      parts.push(...(await waysToAccess(context, access, { channel: '', kind: 'home' })));
  }
  return { summary: 'Hostler', parts };
}

async function alertParts(context: EngineContext, accesses: ReadonlyMap<string, Access>): Promise<ViewPart[]> {
  const readable = [...accesses].filter(([, access]) => access.hasCapability('read'));
  const rows = await Promise.all(
    readable.map(([channel, access]) => openAlertsSeen(context, channel, access, mostAlerts)),
  );
  const open = rows.flat().toSorted(mostUrgentFirst);
  if (open.length === 0) return [];
  const parts: ViewPart[] = [{ kind: 'heading', text: `Open alerts (${open.length})` }];
  for (const { id, channel, severity, finding, openedAt, state } of open.slice(0, alertsShown)) {
    const line = [[{ bold: finding.title }], [{ channel }], [{ date: openedAt, style: 'full' }]] as const;
    parts.push({ kind: 'text', text: text(`${severitySigns[severity]} `, dotted(line)) });
    parts.push(...buttonRow(state === 'open' ? [onItButton(id)] : []));
  }
  if (open.length > alertsShown) {
    const channels = [...new Set(open.slice(alertsShown).map(({ channel }) => channel))];
    const options = await channelOptions(context, channels, (name, channel) => ({
      label: `Open alerts of ${name}`.slice(0, 75),
      intent: { do: 'run', line: 'alerts list', in: channel },
    }));
    parts.push({ kind: 'text', text: `and ${open.length - alertsShown} more` }, ...menuPart('Show', options));
  }
  return parts;
}

async function moneyLine(
  context: EngineContext,
  accesses: readonly Access[],
  latest: HomeReads['balance'],
): Promise<string | undefined> {
  if (!accesses.some((access) => access.may('billing', accountTarget))) return undefined;
  const read = await latest.read();
  if (read === undefined) return 'The balance is unavailable at the moment.';
  const { balance, currency } = read.balance;
  const due = renewing(context.accountReader.peek()?.orders ?? [], new Set(read.marked.map(({ id }) => id)));
  const { days } = coverageOf(balance, due, context.now());
  return `${sayMoney(balance, currency)}${days === undefined ? '' : ` · covers ${count(days, 'day')}`}`;
}

/** A menu for admins that opens the grant dialog for each of their channels with a policy. */
async function adminParts(context: EngineContext, accesses: ReadonlyMap<string, Access>): Promise<readonly ViewPart[]> {
  const channels = [...accesses].filter(([, { actor }]) => actor.isAdmin).map(([channel]) => channel);
  const options = await channelOptions(context, channels, (label, channel) => ({
    label,
    intent: { do: 'form', line: 'access grant', in: channel },
    opens: true,
  }));
  return menuPart('Give access in a channel…', options);
}

function channelOptions(
  { directory }: EngineContext,
  channels: readonly string[],
  optionOf: (name: string, channel: string) => Button,
): Promise<Button[]> {
  return Promise.all(
    channels
      .slice(0, mostChannels)
      .map(async (channel) => optionOf(`#${await nameOr(directory.channel(channel), channel)}`, channel)),
  );
}
