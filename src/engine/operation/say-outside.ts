import { count, list, sayDuration } from '../../core/text/words.ts';
import type { ViewPart } from '../../core/view/view.ts';
import { followForMs } from '../context/time-limits.ts';
import type { HeardServer, Outside } from './outside.ts';

/** The words about how far the world sees a change of DNS records. */

interface Followed {
  readonly outside: Outside | null;
  readonly endedAt: number | null;
}

/** The line of the card; undefined before the first answer. */
export function sayOutside({ outside, endedAt }: Followed): string | undefined {
  if (outside === null) return undefined;
  const { verdict, seenAt } = outside;
  if (seenAt !== null) return sayServers(outside, seenAt - (endedAt ?? seenAt));
  if (verdict === 'changed')
    return 'These records were changed again, so the name servers were not followed to the end.';
  if (verdict === 'unasked') return `The name servers could not be asked within ${sayDuration(followForMs)}.`;
  return verdict === 'late' || verdict === 'seen' ? sayLate(outside) : undefined;
}

export function outsidePart(followed: Followed): readonly ViewPart[] {
  const sentence = sayOutside(followed);
  if (sentence === undefined) return [];
  if (followed.outside?.verdict === 'late') return [{ kind: 'notice', tone: 'warning', text: sentence }];
  return [{ kind: 'context', text: sentence }];
}

function sayServers(outside: Outside, tookMs: number): string {
  const { servers, published, questions, left } = outside;
  const names = new Set(servers.map(({ name }) => name)).size;
  const who = names === 1 ? 'The name server' : `All ${names} name servers`;
  const isRemoval = published.every(({ change }) => change === 'removed');
  const what = `${names === 1 ? 'answers' : 'answer'} ${isRemoval ? 'without it' : 'it'}`;
  const asked = left === 0 ? '' : ` ${questions.length} of ${questions.length + left} records were compared.`;
  return `${who} ${what}, ${sayDuration(tookMs)} after the change.${asked}`;
}

/** Names the servers that did not answer it in time. */
function sayLate({ servers }: Outside): string {
  const byName = [...Map.groupBy(servers, ({ name }) => name).values()].flatMap(worst);
  const after = `${count(followForMs / 60_000, 'minute')} after the change`;
  if (byName.every(({ heard }) => heard === 'none' || heard === null)) {
    return `No name server answered within ${count(followForMs / 60_000, 'minute')}, so it is not known whether they have the change: ${sayOthers(byName).join(' ')}`;
  }
  const same = byName.filter(({ heard }) => heard === 'same').map(({ name }) => name);
  const yes = same.length === 0 ? [] : [`${list(same)} ${same.length === 1 ? 'answers' : 'answer'} it.`];
  return [`Not every name server answers it, ${after}.`, ...sayOthers(byName), ...yes].join(' ');
}

function sayOthers(servers: readonly HeardServer[]): string[] {
  const other = servers.filter(({ heard }) => heard === 'other').map(({ name }) => name);
  const none = servers.filter(({ heard }) => heard === 'none' || heard === null);
  return [
    ...(other.length === 0
      ? []
      : [`${list(other)} still ${other.length === 1 ? 'answers' : 'answer'} something else.`]),
    ...none.map(({ name, why = 'it did not answer' }) => `${name} gave no answer: ${why}.`),
  ];
}

const order = ['other', 'none', null, 'same'] as const;

/** The worst that one server said about several zones. */
function worst(some: readonly HeardServer[]): HeardServer[] {
  return some.toSorted((a, b) => order.indexOf(a.heard) - order.indexOf(b.heard)).slice(0, 1);
}
