import { answerData } from '../../core/dns/expected-answer.ts';
import { longestCached, type RecordData } from '../../core/dns/record.ts';
import type { ZoneChange } from '../../core/dns/zone-diff.ts';
import type { PublishedAnswer } from '../../core/plan/plan.ts';

type DomainChange = ZoneChange & { readonly domain: string };

/** The DNS answers that the steps changed, each host and type once. */
export function publishedBy(steps: readonly DomainChange[]): readonly PublishedAnswer[] {
  const byPlace = Map.groupBy(steps.flatMap(answersOf), ({ domain, host, type }) => `${domain} ${host} ${type}`);
  return [...byPlace.values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const changes = new Set(some.map(({ change }) => change));
    const ttls = some.flatMap(({ ttlBefore }) => ttlBefore ?? []);
    return [
      {
        ...first,
        change: changes.size === 1 ? first.change : 'changed',
        ttlBefore: ttls.length === 0 ? null : Math.max(...ttls),
      },
    ];
  });
}

function answersOf(step: DomainChange): PublishedAnswer[] {
  const answer = (
    { host, type }: RecordData,
    change: PublishedAnswer['change'],
    before: RecordData | undefined,
  ): PublishedAnswer => ({
    domain: step.domain,
    host,
    type,
    change,
    ttlBefore: before === undefined ? null : longestCached(before),
  });
  if (step.do === 'add') return [answer(step.after, 'added', undefined)];
  const { before } = step;
  if (step.do === 'remove') return [answer(before, 'removed', before)];
  const { after } = step;
  if (before.host === after.host && before.type === after.type)
    return [answer(after, answerData(before) === answerData(after) ? 'ttl' : 'changed', before)];
  return [answer(before, 'removed', before), answer(after, 'added', undefined)];
}
