import { accountTarget, type Order, orderTarget } from '../../core/account.ts';
import { coverageOf, renewing } from '../../core/coverage.ts';
import { underWayStates } from '../../core/operation.ts';
import { daysUntil } from '../../core/time.ts';
import type { Button, Text, View, ViewPart } from '../../core/view.ts';
import { count, money as sayMoney } from '../../core/words.ts';
import type { OperationFilter } from '../../store/operations.ts';
import { countingVotes, mayVote, voterOf } from '../approval/vote-rules.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type Operation, readOperationOrRest } from '../operation/record.ts';

const most = 10;
const looksAt = 100;
const soonDays = 14;

/** The Home tab: what waits for this person, what they asked for, what runs, and how the servers they may see stand. */
export async function home(context: EngineContext, user: string): Promise<View> {
  const footings = await accessesOf(context, user);
  const mine = await newest(context, { requester: user, open: true });
  const waiting = await waitingFor(context, user, await newest(context, { state: 'waiting' }));
  const underWay = await newest(context, { states: underWayStates });
  const running = underWay.filter((operation) => {
    const access = footings.get(operation.channel);
    return (
      operation.requester === user || (access && operation.plan.targets.every((target) => access.may('read', target)))
    );
  });
  const parts: ViewPart[] = [
    ...section('Waiting for your approval', waiting, (operation) => voteButtons(operation)),
    ...section('Your requests', mine, () => []),
    ...section('Running', running, () => []),
    ...(await servers(context, [...footings.values()])),
  ];
  if (footings.size === 0)
    parts.push({
      kind: 'text',
      text: 'No channel you are in has a policy yet. In a channel, /host tells who can make one.',
    });
  return { summary: 'Hostler', parts };
}

/** Nobody reads more of them, and every opening of the tab reads them. Oldest first. */
async function newest(context: EngineContext, filter: Omit<OperationFilter, 'limit'>): Promise<Operation[]> {
  return (await context.store.operations.list({ ...filter, limit: looksAt })).map(readOperationOrRest).reverse();
}

/** The channels with a policy that this person is in. */
export async function accessesOf(context: EngineContext, user: string): Promise<ReadonlyMap<string, Access>> {
  const channels = [...(await context.policies.all()).keys()];
  const found = await Promise.all(
    channels.map(async (channel) => {
      const isIn = await context.directory.isInChannel(channel, user).catch(() => false);
      return isIn ? ([channel, await context.accessOf(user, channel)] as const) : undefined;
    }),
  );
  return new Map(found.filter((entry) => entry !== undefined));
}

async function waitingFor(context: EngineContext, user: string, undecided: readonly Operation[]): Promise<Operation[]> {
  const waiting: Operation[] = [];
  for (const operation of undecided) {
    if (!mayVote(operation, await voterOf(context, operation, user)).ok) continue;
    const votes = countingVotes(await context.store.votes.list(operation.id));
    if (!votes.some((vote) => vote.userId === user)) waiting.push(operation);
  }
  return waiting;
}

function section(
  title: string,
  operations: readonly Operation[],
  buttons: (operation: Operation) => readonly Button[],
): ViewPart[] {
  if (operations.length === 0) return [];
  const parts: ViewPart[] = [{ kind: 'heading', text: title }];
  for (const operation of operations.slice(0, most)) {
    parts.push({
      kind: 'text',
      text: [
        { bold: operation.plan.title },
        ` · ${operation.state} · by `,
        { user: operation.requester },
        ' in ',
        { channel: operation.channel },
        ` · ${operation.id}`,
      ],
    });
    const own = buttons(operation);
    if (own.length > 0) parts.push({ kind: 'buttons', buttons: own });
  }
  if (operations.length > most) parts.push({ kind: 'context', text: `and ${operations.length - most} more` });
  return parts;
}

function voteButtons(operation: Operation): Button[] {
  const vote = operation.rule === 'confirm' ? 'confirm' : 'approve';
  const isTyped = typeof operation.rule === 'object' && operation.rule.typed;
  return [
    {
      label: vote === 'confirm' ? 'Confirm' : 'Approve',
      intent: { do: 'vote', operation: operation.id, vote },
      style: 'primary',
      ...(isTyped ? { opens: true } : {}),
    },
    {
      label: vote === 'confirm' ? 'Cancel' : 'Decline…',
      intent: { do: 'vote', operation: operation.id, vote: vote === 'confirm' ? 'withdraw' : 'decline' },
      ...(vote === 'confirm' ? {} : { opens: true }),
    },
  ];
}

async function servers(context: EngineContext, footings: readonly Access[]): Promise<ViewPart[]> {
  if (footings.length === 0) return [];
  const account = await context.accountReader.read({ staleOk: true }).catch(() => context.accountReader.peek());
  if (account === undefined)
    return [{ kind: 'notice', tone: 'warning', text: 'The provider does not answer just now.' }];
  const seen = account.orders.filter((order) => footings.some((access) => access.may('read', orderTarget(order))));
  if (seen.length === 0) return [];
  const { now } = context;
  const expiring = seen
    .filter((order) => (daysUntil(order.expires, now()) ?? soonDays) < soonDays)
    .sort((a, b) => (daysUntil(a.expires, now()) ?? 0) - (daysUntil(b.expires, now()) ?? 0));
  const own = seen.filter((order) => order.kind !== 'other');
  const others = seen.length - own.length;
  const lines = (orders: readonly Order[]): Text =>
    orders.flatMap((order, at) => [at === 0 ? '' : '\n', { bold: order.label }, ` · ${standing(order, now())}`]);
  const parts: ViewPart[] = [];
  if (own.length > 0) parts.push({ kind: 'heading', text: 'Servers' }, { kind: 'text', text: lines(own.slice(0, 20)) });
  const more = [
    own.length > 20 ? `${own.length - 20} more: /host list in a channel shows all` : '',
    others > 0 ? `${count(others, 'other order')}: /host orders in a channel shows them` : '',
  ].filter(Boolean);
  if (more.length > 0) parts.push({ kind: 'context', text: `and ${more.join(' · ')}` });
  if (expiring.length > 0)
    parts.push(
      { kind: 'heading', text: `Paid for less than ${soonDays} days` },
      { kind: 'text', text: lines(expiring.slice(0, most)) },
    );
  if (footings.some((access) => access.may('billing', accountTarget))) parts.push(...(await money(context)));
  return parts;
}

/** `192.0.2.10 · Cloud NVMe 2 · 19 days paid`, and what is not as usual. */
function standing(order: Order, now: number): string {
  const status = order.status === 'noprolong' ? 'not renewed' : order.status;
  return [
    order.addresses[0] ?? order.id,
    order.plan,
    paid(order, now),
    order.status === 'active' ? '' : status,
    order.isCancelMarked ? 'will be canceled' : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function paid(order: Order, now: number): string {
  const days = daysUntil(order.expires, now);
  return days === undefined ? 'no date known' : days < 0 ? 'past its date' : `${count(days, 'day')} paid`;
}

/** A provider that does not say must not keep away what else there is. */
async function money(context: EngineContext): Promise<ViewPart[]> {
  const heading: ViewPart = { kind: 'heading', text: 'Balance' };
  try {
    const [{ balance, currency }, marked] = await Promise.all([
      context.reader.account.balance(),
      context.reader.orders.list({ cancel_mark: true }),
    ]);
    const due = renewing(context.accountReader.peek()?.orders ?? [], new Set(marked.map((order) => order.id)));
    const { days } = coverageOf(balance, due, context.now());
    const cover = days === undefined ? '' : ` · covers ${count(days, 'day')}`;
    return [heading, { kind: 'text', text: `${sayMoney(balance, currency)}${cover}` }];
  } catch (error) {
    context.log.warn({ err: error }, 'reading the balance for Home');
    return [heading, { kind: 'notice', tone: 'warning', text: 'The provider does not say just now.' }];
  }
}
