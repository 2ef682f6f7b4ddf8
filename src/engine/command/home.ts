import { accountTarget, type Order, orderTarget } from '../../core/account.ts';
import { coverageOf, renewing } from '../../core/coverage.ts';
import { daysUntil } from '../../core/time.ts';
import { type Button, notice, type Span, type Text, type View, type ViewPart } from '../../core/view.ts';
import { count, money as sayMoney } from '../../core/words.ts';
import { readAlert } from '../alerts/records.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { accessesOf } from './access-at.ts';
import { requestParts } from './home-requests.ts';
import type { KnownPower, Powers } from './powers.ts';

const alertsShown = 5;
const serversShown = 15;
const soonDays = 14;

/** The Home tab: what needs this person, the alerts that are open, and the servers, the ones in trouble first. */
export async function home(context: EngineContext, user: string, powers: Powers): Promise<View> {
  const accesses = await accessesOf(context, user);
  const own = [...accesses.values()];
  const [requests, alerts, servers, money] = await Promise.all([
    requestParts(context, user, accesses),
    alertParts(context, accesses),
    serverParts(context, own, powers),
    moneyLine(context, own),
  ]);
  const parts: ViewPart[] = [
    { kind: 'heading', text: 'Hostler' },
    ...(money === undefined ? [] : [{ kind: 'context', text: money } satisfies ViewPart]),
    ...requests.needed,
    ...alerts,
    ...servers,
    ...requests.own,
  ];
  if (own.length === 0)
    parts.push({
      kind: 'text',
      text: 'No channel that you are in has a policy yet. In a channel, /host says who can make one.',
    });
  return { summary: 'Hostler', parts };
}

const severitySigns = { critical: '🔴', warning: '🟡', info: '⚪' } as const;

async function alertParts(context: EngineContext, accesses: ReadonlyMap<string, Access>): Promise<ViewPart[]> {
  const readable = [...accesses].filter(([, access]) => access.hasCapability('read'));
  const rows = await Promise.all(
    readable.map(async ([channel, access]) =>
      (await context.store.alerts.listOpen({ channel, limit: 50 }))
        .map((row) => ({ row, alert: readAlert(row) }))
        .filter(({ alert }) => alert.finding.target.kind === 'account' || access.may('read', alert.finding.target)),
    ),
  );
  const open = rows
    .flat()
    .toSorted((a, b) => rankOf(a.alert.severity) - rankOf(b.alert.severity) || a.row.openedAt - b.row.openedAt);
  if (open.length === 0) return [];
  const parts: ViewPart[] = [{ kind: 'heading', text: `Open alerts (${open.length})` }];
  for (const { row, alert } of open.slice(0, alertsShown)) {
    const text: Text = [
      `${severitySigns[alert.severity]} `,
      { bold: alert.finding.title },
      ` · ${alert.severity} · since `,
      { date: row.openedAt, style: 'full' },
      ' · in ',
      { channel: row.channel },
    ];
    parts.push({ kind: 'text', text });
    if (row.state === 'open')
      parts.push({
        kind: 'buttons',
        buttons: [{ label: 'Acknowledge', intent: { do: 'alert', alert: row.id, act: 'acknowledge' } }],
      });
  }
  if (open.length > alertsShown) parts.push({ kind: 'context', text: `and ${open.length - alertsShown} more` });
  return parts;
}

const rankOf = (severity: keyof typeof severitySigns): number => Object.keys(severitySigns).indexOf(severity);

interface Seen {
  readonly server: Order;
  readonly power: KnownPower | undefined;
}

async function serverParts(context: EngineContext, accesses: readonly Access[], powers: Powers): Promise<ViewPart[]> {
  if (accesses.length === 0) return [];
  const account = await context.accountReader.read({ staleOk: true }).catch(() => context.accountReader.peek());
  if (account === undefined) return notice('warning', 'The provider does not answer at the moment.').parts.slice();
  const orders = account.orders.filter((order) => accesses.some((access) => access.may('read', orderTarget(order))));
  const live = orders.filter(({ kind, status }) => kind === 'vps' && status !== 'canceled');
  const others = orders.length - live.length;
  if (orders.length === 0) return [];
  const powerOf = await powers.read(live);
  const now = context.now();
  const seen = live
    .map((server): Seen => ({ server, power: powerOf(server) }))
    .toSorted(
      (a, b) => trouble(b, now).length - trouble(a, now).length || a.server.label.localeCompare(b.server.label),
    );
  const on = seen.filter(({ power }) => power === 'on').length;
  const parts: ViewPart[] = [{ kind: 'heading', text: 'Servers', aside: `${on} of ${live.length} on` }];
  for (const one of seen.slice(0, serversShown)) parts.push(...serverRow(one, accesses, now));
  const more = [
    seen.length > serversShown ? `${seen.length - serversShown} more: /host list shows all` : '',
    others > 0 ? `${count(others, 'other order')}: /host orders shows them` : '',
  ].filter(Boolean);
  parts.push({
    kind: 'context',
    text: [...more.flatMap((words) => [words, ' · ']), 'read ', { date: now, style: 'full' }],
  });
  return parts;
}

const usual: ReadonlySet<string> = new Set(['active', 'noprolong']);

/** Its troubles in words, the worst first. */
function trouble({ server, power }: Seen, now: number): string[] {
  const days = daysUntil(server.expires, now);
  return [
    ...(power === 'off' || power === 'unknown' ? [power] : []),
    ...(usual.has(server.status) ? [] : [server.status]),
    ...(days !== undefined && days < soonDays ? [days < 0 ? 'past its date' : `${count(days, 'day')} paid`] : []),
    ...(server.status === 'noprolong' ? ['not renewed'] : []),
    ...(server.isCancelMarked ? ['will be canceled'] : []),
  ];
}

function signOf({ server, power }: Seen, wrong: readonly string[]): string {
  if (power === 'off' || !usual.has(server.status)) return '🔴';
  if (wrong.length > 0) return '🟡';
  return power === 'on' ? '🟢' : '⚪';
}

function serverRow(one: Seen, accesses: readonly Access[], now: number): ViewPart[] {
  const { server, power } = one;
  const { id, label } = server;
  const wrong = trouble(one, now);
  const words = [
    server.addresses[0] ?? id,
    ...(wrong.includes(power ?? '') ? [] : [power ?? 'power not read']),
    ...wrong,
  ];
  const line: Span[] = [`${signOf(one, wrong)} `, { bold: label }, ` · ${words.join(' · ')}`];
  const run = (name: string, typed: string): Button => ({ label: name, intent: { do: 'run', line: typed } });
  const mayOperate = accesses.some((access) => access.may('operate', orderTarget(server)));
  const options = [
    run('Status', `status ${id}`),
    run('Stats', `stats ${id}`),
    ...(mayOperate && power !== 'on' ? [run('Start…', `start ${id}`)] : []),
    ...(mayOperate && power !== 'off' ? [run('Restart…', `restart ${id}`), run('Stop…', `stop ${id}`)] : []),
  ];
  return [
    { kind: 'text', text: line },
    { kind: 'menu', label: 'Actions', options },
  ];
}

/** A provider that does not answer must not keep away what else there is. */
async function moneyLine(context: EngineContext, accesses: readonly Access[]): Promise<string | undefined> {
  if (!accesses.some((access) => access.may('billing', accountTarget))) return undefined;
  try {
    const [{ balance, currency }, marked] = await Promise.all([
      context.reader.account.balance(),
      context.reader.orders.list({ cancel_mark: true }),
    ]);
    const due = renewing(context.accountReader.peek()?.orders ?? [], new Set(marked.map((order) => order.id)));
    const { days } = coverageOf(balance, due, context.now());
    return `${sayMoney(balance, currency)}${days === undefined ? '' : ` · covers ${count(days, 'day')}`}`;
  } catch (error) {
    context.log.warn({ err: error }, 'reading the balance for Home');
    return 'The balance is unavailable at the moment.';
  }
}
