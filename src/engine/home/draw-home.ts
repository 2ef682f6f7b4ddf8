import { accountTarget } from '../../core/account/account.ts';
import { coverageOf, renewing } from '../../core/account/coverage.ts';
import { mostUrgentFirst } from '../../core/alert/alert.ts';
import { onItButton } from '../../core/alert/on-it-button.ts';
import { underWayStates } from '../../core/plan/operation.ts';
import { sayAsker, sayState } from '../../core/plan/say-state.ts';
import { count, money as sayMoney } from '../../core/text/words.ts';
import { severitySigns } from '../../core/view/signs.ts';
import {
  type Button,
  buttonRow,
  dotted,
  menuPart,
  notice,
  notificationsButton,
  reviewButton,
  says,
  type Text,
  text,
  titleSpan,
  type View,
  type ViewPart,
} from '../../core/view/view.ts';
import { channelsOf, unsaidChannels } from '../access/access.ts';
import { waysToAccess } from '../access/ask-access.ts';
import { eachNamed } from '../access/say-names.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type CardLinks, linksToCards } from '../operation/card-links.ts';
import { approversOf } from '../operation/card-names.ts';
import type { Operation } from '../operation/read-operation.ts';
import { mostRead, newest, requestsNeeding } from '../operation/waiting-for.ts';
import { type HomeReads, mayReadOn, nextHours, openAlertsSeen, protectionMarks } from './home-reads.ts';
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
  const none = 'No channel that you are in has a policy yet.';
  if (isUnsure)
    parts.push(...notice('warning', `${unsaidChannels}, so this may be incomplete. Open it again in a minute.`).parts);
  else if (own.length === 0)
    parts.push(...says([`${none} In a channel, `, { code: '/host' }, ' says who can make one.']).parts);
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
    const options = await eachNamed(context, channels.slice(0, mostChannels), (name, channel): Button => {
      const label = `Open alerts of ${name}`.slice(0, 75);
      return { label, intent: { do: 'run', line: 'alerts list', in: channel } };
    });
    parts.push({ kind: 'text', text: `and ${open.length - alertsShown} more` }, ...menuPart('Show', options));
  }
  return parts;
}

async function moneyLine(context: EngineContext, accesses: readonly Access[], latest: HomeReads['balance']) {
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
  const options = await eachNamed(context, channels.slice(0, mostChannels), (label, channel): Button => {
    return { label, intent: { do: 'form', line: 'access grant', in: channel }, opens: true };
  });
  return menuPart('Give access in a channel…', options);
}

const neededShown = 3;
const runningShown = 10;
const ownShown = 5;

/** The heading that a row is under. */
type Group = 'needed' | 'next' | 'own' | 'running';
type RowOf = (operation: Operation) => Text;

interface RowContext {
  readonly links: CardLinks;
  readonly protectionMark: (operation: Operation) => string;
  readonly admins: readonly string[];
}

/** The requests that wait for this person, their own requests, and running ones that they may see. */
async function requestParts(context: EngineContext, user: string, accesses: ReadonlyMap<string, Access>) {
  const [needed, requested, underWay, hours] = await Promise.all([
    requestsNeeding(context, user),
    newest(context, { requester: user }, ownShown),
    newest(context, { states: underWayStates }),
    nextHours(context, user, accesses),
  ]);
  const running = underWay.filter((operation) => operation.requester !== user && mayReadOn(operation, user, accesses));
  const waiting = new Set(needed.map(({ id }) => id));
  const next = hours.filter(({ id }) => !waiting.has(id));
  const isAbove = new Set([...waiting, ...next.map(({ id }) => id)]);
  const own = requested.filter(({ id }) => !isAbove.has(id));
  const others = running.slice(0, runningShown);
  const shown = [...needed.slice(0, neededShown), ...next, ...own, ...others];
  const ids = shown.map(({ id }) => id);
  const [links, protectionMark] = await Promise.all([linksToCards(context, ids), protectionMarks(context, shown)]);
  const rowOf =
    (group: Group): RowOf =>
    (operation) =>
      rowText(group, operation, { links, protectionMark, admins: context.settings.admins });
  return {
    needed: neededParts(needed, rowOf('needed')),
    own: [
      ...rows('Scheduled', next, rowOf('next')),
      ...rows('Your requests', own, rowOf('own')),
      ...rows('Running', others, rowOf('running')),
    ],
  };
}

function neededParts(needed: readonly Operation[], rowOf: RowOf): ViewPart[] {
  if (needed.length === 0) return [];
  const parts: ViewPart[] = [{ kind: 'heading', text: `Needs you (${needed.length})` }];
  for (const operation of needed.slice(0, neededShown)) {
    const review: Button = { ...reviewOption(operation), label: 'Review…', style: 'primary' };
    parts.push({ kind: 'text', text: rowOf(operation) }, ...buttonRow([review]));
  }
  const more = needed.slice(neededShown, mostRead);
  if (more.length > 0) parts.push({ kind: 'text', text: `and ${more.length} more` });
  return [...parts, ...menuPart('Review one', more.map(reviewOption))];
}

function rows(title: string, operations: readonly Operation[], rowOf: RowOf): ViewPart[] {
  if (operations.length === 0) return [];
  return [
    { kind: 'heading', text: title },
    ...operations.map((operation): ViewPart => ({ kind: 'text', text: rowOf(operation) })),
    ...menuPart('Show one in full', operations.map(reviewOption)),
  ];
}

function reviewOption({ id, plan }: Operation): Button {
  return reviewButton(plan.title, id);
}

/**
 * `Hard reset web-2 · @operator in #ops · today 1:48 PM`. A row says only what its heading does not, so that it stays
 * one line. Mentions on Home notify no one.
 */
function rowText(group: Group, operation: Operation, { links, protectionMark, admins }: RowContext): Text {
  const { id, plan, channel, createdAt, endedAt, startsAt } = operation;
  const isScheduled = endedAt === null && startsAt !== null;
  return dotted([
    text(titleSpan(plan.title, links.get(id))),
    protectionMark(operation),
    ...(group === 'needed' || group === 'next' ? [] : [stateOf(operation, admins)]),
    group === 'own' ? [{ channel }] : [...sayAsker(operation), ' in ', { channel }],
    text(isScheduled ? 'begins ' : '', { date: endedAt ?? startsAt ?? createdAt, style: 'full' }),
  ]);
}

/** `⏳ needs 1 approval from @ops` */
function stateOf(operation: Operation, admins: readonly string[]): Text {
  const { state, rule } = operation;
  const needsOthers = state === 'waiting' && typeof rule === 'object';
  return text(sayState({ state, rule }), needsOthers ? text(' from ', approversOf(operation, admins)) : '');
}
