import { daysUntil } from '../core/time.ts';
import type { Button, Part, View } from '../core/view.ts';
import { count } from '../core/words.ts';
import { type Order, orderTarget } from '../core/world.ts';
import type { Footing } from './decide.ts';
import type { Kit } from './kit.ts';
import { type Operation, readOperation } from './records.ts';
import { countingVotes, mayVote } from './votes.ts';

const most = 10;

/** The Home tab: what waits for this person, what they asked for, what runs, and how the servers they may see stand. */
export async function home(kit: Kit, user: string): Promise<View> {
  const footings = await footingsOf(kit, user);
  const open = (await kit.deps.store.operations.open()).map(readOperation);
  const mine = open.filter((operation) => operation.requester === user);
  const waiting = await waitingFor(kit, user, open, footings);
  const running = open.filter((operation) => operation.state !== 'waiting' && footings.has(operation.channel));
  const parts: Part[] = [
    ...section('Waiting for your approval', waiting, (operation) => voteButtons(operation)),
    ...section('Your requests', mine, () => []),
    ...section('Running', running, () => []),
    ...(await servers(kit, [...footings.values()])),
  ];
  if (footings.size === 0)
    parts.push({
      kind: 'text',
      text: 'No channel you are in has a policy yet. In a channel, /host tells who can make one.',
    });
  return { summary: 'Hostler', parts };
}

/** The channels with a policy that this person is in. */
export async function footingsOf(kit: Kit, user: string): Promise<ReadonlyMap<string, Footing>> {
  const channels = [...(await kit.policies.all()).keys()];
  const found = await Promise.all(
    channels.map(async (channel) => {
      const isIn = await kit.deps.directory.isInChannel(channel, user).catch(() => false);
      return isIn ? ([channel, await kit.footing(user, channel)] as const) : undefined;
    }),
  );
  return new Map(found.filter((entry) => entry !== undefined));
}

async function waitingFor(
  kit: Kit,
  user: string,
  open: readonly Operation[],
  footings: ReadonlyMap<string, Footing>,
): Promise<Operation[]> {
  const waiting: Operation[] = [];
  for (const operation of open) {
    if (operation.state !== 'waiting') continue;
    const footing = footings.get(operation.channel) ?? (await kit.footing(user, operation.channel));
    if (!mayVote(operation, footing).ok) continue;
    const votes = countingVotes(await kit.deps.store.votes.list(operation.id));
    if (!votes.some((vote) => vote.userId === user)) waiting.push(operation);
  }
  return waiting;
}

function section(
  title: string,
  operations: readonly Operation[],
  buttons: (operation: Operation) => readonly Button[],
): Part[] {
  if (operations.length === 0) return [];
  const parts: Part[] = [{ kind: 'heading', text: title }];
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

async function servers(kit: Kit, footings: readonly Footing[]): Promise<Part[]> {
  if (footings.length === 0) return [];
  const world = await kit.deps.world.read({ staleOk: true }).catch(() => kit.deps.world.peek());
  if (world === undefined) return [{ kind: 'notice', tone: 'warning', text: 'The provider does not answer just now.' }];
  const seen = world.orders.filter((order) => footings.some((footing) => footing.may('read', orderTarget(order))));
  if (seen.length === 0) return [];
  const { now } = kit.deps;
  const expiring = seen
    .filter((order) => (daysUntil(order.expires, now()) ?? 99) <= 14)
    .sort((a, b) => (daysUntil(a.expires, now()) ?? 0) - (daysUntil(b.expires, now()) ?? 0));
  const line = (order: Order) =>
    `${order.label} · ${order.id} · ${order.status}${order.isCancelMarked ? ' · will be cancelled' : ''} · ${paid(order, now())}`;
  const parts: Part[] = [
    { kind: 'heading', text: 'Servers' },
    { kind: 'text', text: seen.slice(0, 20).map(line).join('\n') },
  ];
  if (seen.length > 20)
    parts.push({ kind: 'context', text: `and ${seen.length - 20} more; /host list in a channel shows all` });
  if (expiring.length > 0)
    parts.push(
      { kind: 'heading', text: 'Expiring' },
      { kind: 'text', text: expiring.slice(0, most).map(line).join('\n') },
    );
  if (footings.some((footing) => footing.decide('billing', 'safe', []).allowed)) parts.push(...(await money(kit)));
  return parts;
}

function paid(order: Order, now: number): string {
  const days = daysUntil(order.expires, now);
  return days === undefined ? 'paid until unknown' : days < 0 ? 'past its date' : `${count(days, 'day')} paid`;
}

/** The same sentence as `/host balance` says, from the same command. */
async function money(kit: Kit): Promise<Part[]> {
  const { balance, currency } = await kit.deps.reader.account.balance();
  const world = kit.deps.world.peek();
  const month = (world?.orders ?? [])
    .filter((order) => order.status === 'active' && !order.isCancelMarked)
    .reduce((sum, order) => sum + order.costMonth, 0);
  const cover = month > 0 ? ` · covers ${count(Math.max(0, Math.floor((balance / month) * 30)), 'day')}` : '';
  return [
    { kind: 'heading', text: 'Balance' },
    { kind: 'text', text: `${balance.toFixed(2)} ${currency}${cover}` },
  ];
}
