import { count } from '../text/words.ts';
import { daysUntil, endsSoon } from '../view/days.ts';
import { signs } from '../view/signs.ts';
import type { Order } from './account.ts';

/** The trouble of a server or another order: how bad it is, in which words, and with which sign. */

/** Worst first: what nobody wanted, such as a server that is down or cannot be read; what must be paid or ends; the rest. */
const grades = ['down', 'unclear', 'due', 'ending', 'noted', 'fine', 'over'] as const;
type Grade = (typeof grades)[number];

const gradeSigns: Readonly<Record<Grade, string>> = {
  down: signs.bad,
  unclear: signs.neutral,
  due: signs.warning,
  ending: signs.warning,
  noted: signs.warning,
  fine: signs.good,
  over: signs.neutral,
};

/** The statuses in the provider's document. */
const statusGrades: ReadonlyMap<string, Grade> = new Map([
  ['unpaid', 'due'],
  ['pending', 'noted'],
  ['active', 'fine'],
  ['expired', 'down'],
  ['disabled', 'down'],
  ['canceled', 'over'],
  ['blocked', 'down'],
  ['noprolong', 'noted'],
]);

export const orderStatuses = [...statusGrades.keys()];

/** A status that the bot does not know may not be good. */
export function gradeOfStatus(status: string): Grade {
  return statusGrades.get(status) ?? 'unclear';
}

/** True if the provider runs it, whether or not it renews. */
export function isInUse({ status }: Pick<Order, 'status'>): boolean {
  return status === 'active' || status === 'noprolong';
}

/** Replaces the provider's `noprolong` with words. */
export function sayStatus(status: string): string {
  return status === 'noprolong' ? 'not renewed' : status;
}

/** `🟢 active`, `🔴 expired`, `🟢 active, to be canceled` */
export function statusText({ status, isCancelMarked }: Order): string {
  const ending = isCancelMarked && status !== 'canceled' ? ', to be canceled' : '';
  return `${gradeSigns[gradeOfStatus(status)]} ${sayStatus(status)}${ending}`;
}

/** `unknown`: it could not be read, which does not mean off. */
export type Power = 'on' | 'off' | 'unknown';

/** A server as it was read. */
export interface SeenServer {
  readonly order: Order;
  /** Undefined if it was not read. */
  readonly power: Power | undefined;
  /** Off is usual, or a request under way changes the power. */
  readonly isWanted?: boolean;
}

export function withoutPower(order: Order): SeenServer {
  return { order, power: undefined };
}

interface Trouble {
  readonly grade: Grade;
  readonly words: string;
}

function byGrade(a: Pick<Trouble, 'grade'>, b: Pick<Trouble, 'grade'>): number {
  return grades.indexOf(a.grade) - grades.indexOf(b.grade);
}

/** The troubles besides the paid period. */
function ofState({ order: { status }, power, isWanted = false }: SeenServer): Trouble[] {
  const isSurprise = !isWanted && (power === 'off' || power === 'unknown');
  const ofPower = isSurprise ? [{ grade: power === 'off' ? 'down' : 'unclear', words: power } as const] : [];
  const ofStatus = isInUse({ status }) ? [] : [{ grade: gradeOfStatus(status), words: status }];
  return [...ofPower, ...ofStatus].toSorted(byGrade);
}

/** The troubles in one to three words each, worst first; empty for a server that is on, or off as usual, and paid. */
export function troublesOf(seen: SeenServer, now: number): readonly Trouble[] {
  const { status, expires, isCancelMarked } = seen.order;
  if (status === 'canceled') return [];
  const days = daysUntil(expires, now);
  // The status of an order that was not paid in time says so.
  const isEnding = days !== undefined && endsSoon(expires, now) && gradeOfStatus(status) !== 'down';
  const ofPayment: Trouble[] = [
    ...(isEnding ? [{ grade: 'ending', words: sayPaidDays(days) } as const] : []),
    ...(status === 'noprolong' ? [{ grade: 'noted', words: sayStatus(status) } as const] : []),
    ...(isCancelMarked ? [{ grade: 'noted', words: 'will be canceled' } as const] : []),
  ];
  return [...ofState(seen), ...ofPayment].toSorted(byGrade);
}

function sayPaidDays(days: number): string {
  return days < 0 ? 'past its date' : days === 0 ? 'paid until today' : `${count(days, 'day')} paid`;
}

export function gradeOf(seen: SeenServer, now: number): Grade {
  return seen.order.status === 'canceled' ? 'over' : (troublesOf(seen, now)[0]?.grade ?? 'fine');
}

/** The sign of a grade. Nothing wrong is green only for a server that is known to be on. */
export function signOf(grade: Grade, power: Power | undefined): string {
  return grade === 'fine' && power !== 'on' ? signs.neutral : gradeSigns[grade];
}

/** `🟢 on`, `🔴 off`, `⚪ off` if somebody wants it off. */
export function powerText({ power = 'unknown', isWanted = false }: Pick<SeenServer, 'isWanted' | 'power'>): string {
  return `${signOf(power === 'off' && !isWanted ? 'down' : 'fine', power)} ${power}`;
}

/** `🟢 on`, `🔴 off · blocked`: the state without the paid period, which is shown apart. */
export function stateText(seen: SeenServer): string {
  const { order, power } = seen;
  if (order.status === 'canceled') return 'canceled';
  const words = [...(power === undefined ? [] : [power]), ...(isInUse(order) ? [] : [order.status])];
  if (words.length === 0) return 'not read';
  return `${signOf(ofState(seen)[0]?.grade ?? 'fine', power)} ${words.join(' · ')}`;
}

/**
 * Sorts by grade, and what ends soon by its days; the order of the others stays. The days of an order that was marked
 * for cancellation do not count: it ends on purpose.
 */
export function worstFirst<T extends SeenServer>(seen: readonly T[], now: number): T[] {
  // Each server is graded once instead of in every comparison.
  return seen
    .map((server) => {
      const grade = gradeOf(server, now);
      const { expires, isCancelMarked } = server.order;
      const days = grade === 'ending' && !isCancelMarked ? daysUntil(expires, now) : undefined;
      return { server, grade, days: days ?? Number.MAX_SAFE_INTEGER };
    })
    .toSorted((a, b) => byGrade(a, b) || a.days - b.days)
    .map(({ server }) => server);
}
