import { answerData } from '../../core/dns/expected-answer.ts';
import type { RecordData } from '../../core/dns/record.ts';
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
    return [{ ...first, change: changes.size === 1 ? first.change : 'changed' }];
  });
}

function answersOf(step: DomainChange): PublishedAnswer[] {
  const answer = ({ host, type }: RecordData, change: PublishedAnswer['change']): PublishedAnswer => ({
    domain: step.domain,
    host,
    type,
    change,
  });
  if (step.do === 'add') return [answer(step.after, 'added')];
  const { before } = step;
  if (step.do === 'remove') return [answer(before, 'removed')];
  const { after } = step;
  if (before.host === after.host && before.type === after.type)
    return [answer(after, answerData(before) === answerData(after) ? 'ttl' : 'changed')];
  return [answer(before, 'removed'), answer(after, 'added')];
}
