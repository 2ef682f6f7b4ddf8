import { z } from 'zod';
import { type PublishedAnswer, publishedSchema } from '../../core/plan/plan.ts';
import { count, list, sayDuration } from '../../core/text/words.ts';
import type { ViewPart } from '../../core/view/view.ts';
import { followForMs } from '../context/time-limits.ts';

/** How far the world sees a change of DNS records: kept in the row of the request after its end, and its words. */

/** `none` is no answer, or one that proves nothing. */
const heardSchema = z.enum(['same', 'other', 'none']);
export type Heard = z.infer<typeof heardSchema>;

const serverSchema = z.object({
  domain: z.string(),
  name: z.string(),
  heard: heardSchema.nullable(),
  /** Why there was no answer. */
  why: z.string().exactOptional(),
});
export type HeardServer = z.infer<typeof serverSchema>;

export const outsideSchema = z.object({
  published: z.array(publishedSchema),
  /** The number of further changed answers that the bot does not check. */
  left: z.number(),
  /** Empty until the zones were read. */
  questions: z.array(
    publishedSchema.omit({ change: true }).extend({
      /** The hash of the records that the zone has there. */
      expected: z.string(),
      /** The seconds that an answer must have, if only they changed. */
      ttl: z.number().nullable(),
    }),
  ),
  /** One for each zone of each name server. */
  servers: z.array(serverSchema),
  /** The time at which all name servers had answered it. */
  seenAt: z.number().nullable(),
  /**
   * `changed`: the records were changed again meanwhile. `unasked`: the name servers could not be asked. `none`: the zone's
   * servers do not answer for these names, such as those of a delegation.
   */
  verdict: z.enum(['following', 'seen', 'late', 'changed', 'unasked', 'none']),
});
export type Outside = z.infer<typeof outsideSchema>;

const mostQuestions = 10;

/** The state at the end of a request, before anything was asked. */
export function notAsked(published: readonly PublishedAnswer[]): Outside {
  return {
    published: published.slice(0, mostQuestions),
    left: Math.max(0, published.length - mostQuestions),
    questions: [],
    servers: [],
    seenAt: null,
    verdict: 'following',
  };
}

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
  const { byName, same, others } = heardBy(servers);
  const waited = count(followForMs / 60_000, 'minute');
  if (byName.every(({ heard }) => heard === 'none' || heard === null)) {
    return `No name server answered within ${waited}, so it is not known whether they have the change: ${others}`;
  }
  const yes = same.length === 0 ? '' : ` ${list(same)} ${same.length === 1 ? 'answers' : 'answer'} it.`;
  return `Not every name server answers it, ${waited} after the change. ${others}${yes}`;
}

/** How the name servers answer for a name when a person wants to know. */
export function sayChecked({ servers, questions, verdict }: Outside): string {
  if (verdict === 'none') return 'Its name servers are those of another zone, which are not asked.';
  const { byName, same, others } = heardBy(servers);
  const types = list([...new Set(questions.map(({ type }) => type))]);
  if (byName.length === 0 || byName.every(({ heard }) => heard === null))
    return 'The name servers could not be asked just now.';
  if (same.length === byName.length) {
    const who = same.length === 1 ? 'The name server answers' : `All ${same.length} name servers answer`;
    return `${who} as the zone has it (${types}).`;
  }
  return `${others}${same.length === 0 ? '' : ` ${list(same)} as the zone has it (${types}).`}`;
}

/** The worst that each server said, those that answer as the zone has it, and the words for the others. */
function heardBy(servers: readonly HeardServer[]) {
  const byName = [...Map.groupBy(servers, ({ name }) => name).values()].flatMap(worst);
  const namesOf = (wanted: Heard) => byName.filter(({ heard }) => heard === wanted).map(({ name }) => name);
  const other = namesOf('other');
  const still = `${list(other)} still ${other.length === 1 ? 'answers' : 'answer'} something else.`;
  const none = byName.filter(({ heard }) => heard === 'none' || heard === null);
  const silent = none.map(({ name, why = 'it did not answer' }) => `${name} gave no answer: ${why}.`);
  return { byName, same: namesOf('same'), others: [...(other.length === 0 ? [] : [still]), ...silent].join(' ') };
}

const order = ['other', 'none', null, 'same'] as const;

/** The worst that one server said about several names or zones. */
export function worst(some: readonly HeardServer[]): HeardServer[] {
  return some.toSorted((a, b) => order.indexOf(a.heard) - order.indexOf(b.heard)).slice(0, 1);
}
