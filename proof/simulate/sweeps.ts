import type { Resource } from './scheduler.ts';

/**
 * Statements that look in a whole table for rows to work on, and mostly find none. One that found nothing would have found
 * nothing in another place as well, as long as no row there is one to work on: then it is not in a race with each change of
 * the table, only with those before or after which there is such a row.
 */

interface Sweep {
  readonly name: string;
  /** How its text begins. */
  readonly text: string;
  /** Finds a row whenever the statement would find one. It may find more. */
  readonly finds: string;
}

/** Later than the end of any steps that could change places: what is due in a moment counts as due. */
const soon = '(?1 + 5000)';
const longAgo = `(${soon} - 2.5 * 86400000)`;

export const sweeps: readonly Sweep[] = [
  {
    name: 'turns that are due',
    text: 'select "id" from "operations" where "next_turn_at" <= ',
    finds: `from operations where next_turn_at <= ${soon} and turn_until <= ${soon}`,
  },
  {
    name: 'turns that nobody took',
    text: `select "id" from "operations" where "state" in ('waiting', 'approved', 'running', 'reading') and "state" != `,
    finds: `from operations where state in ('approved', 'running', 'reading') and turn_until <= ${soon}`,
  },
  {
    name: 'steps that nobody watches',
    text: 'select * from "steps" where "started_at" is not null and "ended_at" is null and "state" in ',
    finds: `from steps where started_at is not null and ended_at is null and state in ('accepted', 'verifying', 'reading')
      and (watch_owner is null or watch_until <= ${soon})`,
  },
  {
    name: 'messages to deliver',
    text: 'with "next" as (with "waiting" as ',
    finds: `from messages where state = 'due' and not_before <= ${soon} and claimed_until <= ${soon}`,
  },
  {
    name: 'payloads that nobody answers',
    text: 'select * from "inbox" where "state" = ? and "claimed_until" <= ',
    finds: `from inbox where state = 'new' and claimed_until <= ${soon}`,
  },
  {
    name: 'locks of what is over',
    text: 'delete from "locks" where not exists ',
    finds: `from locks where not exists (select 1 from operations
      where operations.id = locks.operation_id and operations.state in ('approved', 'running', 'reading'))`,
  },
  {
    name: 'old payloads',
    text: 'delete from "inbox" where "key" in (select "old"."key" ',
    finds: `from inbox where state = 'done' and received_at < ${longAgo}`,
  },
  {
    name: 'old messages',
    text: 'delete from "messages" where "key" in (select "old"."key" ',
    finds: `from messages where state in ('delivered', 'dead') and updated_at < ${longAgo}`,
  },
];

/** Answers with a number for each of them, by the time that it is given: whether there is a row to work on. */
export const findsAny = `select ${sweeps.map(({ finds }, n) => `exists (select 1 ${finds}) as "${n}"`).join(', ')}`;

export type Found = Readonly<Record<string, unknown>>;

/** Its place in the list; undefined for another statement. */
export function sweepOf(sql: string): number | undefined {
  const place = sweeps.findIndex(({ text }) => sql.startsWith(text));
  return place < 0 ? undefined : place;
}

/** Answers with what a sweep touches that found nothing; undefined when it could have found something. */
export function sweptBy(place: number | undefined, found: Found, hasFound: boolean): Resource[] | undefined {
  const sweep = place === undefined ? undefined : sweeps[place];
  if (place === undefined || sweep === undefined || found[place] !== 0 || hasFound) return undefined;
  return [{ name: sweep.name, isWrite: false }];
}

/** Says so when a sweep found a row where there was none to work on: it, or the list above, is wrong. */
export function strayOf(place: number | undefined, found: Found, hasFound: boolean): string[] {
  const sweep = place === undefined ? undefined : sweeps[place];
  if (place === undefined || sweep === undefined || found[place] !== 0 || !hasFound) return [];
  return [`a sweep for ${sweep.name} found a row that is none of them`];
}

/** Answers with what a step touches that changed such rows, when there is one to work on before it or after it. */
export function sweepsChanged(before: Found, after: Found, changed: readonly Resource[]): Resource[] {
  return sweeps.flatMap(({ name, finds }, n) => {
    const words = new Set(finds.match(/\w+/g));
    const isOf = ({ name: table, columns }: Resource) =>
      words.has(table) && (columns === undefined || !('only' in columns) || !columns.only.isDisjointFrom(words));
    const mayFind = before[n] !== 0 || after[n] !== 0;
    // Two changes are in a race when they touch one row, and not because a sweep looks at both.
    return mayFind && changed.some(isOf) ? [{ name, isWrite: true, isAlike: true }] : [];
  });
}
