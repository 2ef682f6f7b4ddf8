import { bareId } from '../../core/account/bare-id.ts';
import { order } from '../../core/command/args.ts';
import { bytes, count, day } from '../../core/text/words.ts';
import { parseProviderDate, sayDay } from '../../core/view/days.ts';
import { buttonRow, runButton, text, type ViewPart } from '../../core/view/view.ts';
import type { TrafficLimits } from '../../provider/endpoints/ds.ts';
import { defineQuery } from '../define.ts';

export const dsLimit = defineQuery({
  path: 'ds limit',
  title: 'Traffic limit',
  summary: 'Show how much of its traffic a dedicated server has used, and how long the rest lasts',
  examples: ['ds limit files-1', 'ds limit 34-1000102'],
  args: { server: order({ hint: 'A dedicated server.', example: 'files-1', kinds: ['ds'], place: 'rest' }) },
  capability: 'read',
  visibility: 'channel',
  run: async ({ server }, { reader, now }) => {
    const limits = await reader.ds.trafficUsed({ order_id: bareId(server.id) });
    const share = percent(shareUsed(limits));
    const used = `${share} used: ${bytes(limits.used)}${limits.limit > 0 ? ` of ${bytes(limits.limit)}` : ', no limit is given'}`;
    return {
      summary: `${server.label}: ${used}`,
      parts: [
        { kind: 'heading', text: `Traffic limit of ${server.label}`, aside: `${share} used` },
        { kind: 'text', text: used },
        outlook(trafficRateOf(limits, now), limits),
        {
          kind: 'context',
          text: text('Counted from ', sayDay(limits.range_start), ' to ', sayDay(limits.range_end), '.'),
        },
        ...buttonRow([runButton('Per day', `ds traffic ${server.id}`)]),
      ],
    };
  },
});

function outlook(rate: TrafficRate, { range_end: end, limit }: TrafficLimits): ViewPart {
  switch (rate.kind) {
    case 'unknown':
      return { kind: 'text', text: 'The provider gives too little to say how long it lasts.' };
    case 'early':
      return { kind: 'text', text: 'The range has just begun, so it is too early to say how long it lasts.' };
    case 'over': {
      const words = text('The limit is used up; the next range begins on ', sayDay(end), '.');
      return { kind: 'notice', tone: 'warning', text: words };
    }
    case 'runs_out': {
      const { atMs, daysBeforeEnd: days } = rate;
      const before = days < 1 ? ', just before the range ends.' : `, ${count(days, 'day')} before the range ends.`;
      const words = text('At this pace it runs out on ', { date: atMs, style: 'day' }, before);
      return { kind: 'notice', tone: 'warning', text: words };
    }
    case 'lasts': {
      const amount = `about ${bytes(rate.expected)} (${percent(rate.expected / limit)})`;
      return { kind: 'text', text: `At this pace it lasts: ${amount} by the end of the range.` };
    }
  }
}

export type TrafficRate =
  /** There is no limit, or the dates cannot be used. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'over' }
  | { readonly kind: 'early' }
  | { readonly kind: 'runs_out'; readonly atMs: number; readonly daysBeforeEnd: number }
  | { readonly kind: 'lasts'; readonly expected: number };

/**
 * Estimates the traffic of the range at its present rate. The dates are days without a time zone, so there is no
 * estimate before one whole day has passed.
 */
export function trafficRateOf(limits: TrafficLimits, now: number): TrafficRate {
  if (limits.limit <= 0) return { kind: 'unknown' };
  if (limits.used >= limits.limit) return { kind: 'over' };
  const start = parseProviderDate(limits.range_start)?.ms;
  const end = parseProviderDate(limits.range_end)?.ms;
  if (start === undefined || end === undefined || end <= start) return { kind: 'unknown' };
  const elapsedMs = Math.min(now, end) - start;
  if (elapsedMs < day) return { kind: 'early' };
  const atMs = start + (limits.limit * elapsedMs) / limits.used;
  if (limits.used > 0 && atMs < end) {
    return { kind: 'runs_out', atMs, daysBeforeEnd: Math.floor((end - atMs) / day) };
  }
  return { kind: 'lasts', expected: (limits.used * (end - start)) / elapsedMs };
}

/** The used share of the limit; without a limit, the provider's own rate. */
export function shareUsed({ used, limit, used_rate: rate }: TrafficLimits): number {
  return limit > 0 ? used / limit : rate;
}

/** `85 %`; a small share is never rounded to 0 %. */
export function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? 'under 1 %' : `${Math.floor(value)} %`;
}
