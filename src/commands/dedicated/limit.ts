import { order } from '../../core/command/args.ts';
import { bytes, count } from '../../core/text/words.ts';
import { sayDay } from '../../core/view/days.ts';
import { type Text, text, type ViewPart } from '../../core/view/view.ts';
import type { TrafficLimits } from '../../provider/endpoints/ds.ts';
import { buttonRow, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { bareId } from './bare-id.ts';
import { percent, shareUsed, type TrafficRate, trafficRateOf } from './traffic-rate.ts';

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

type Say = {
  readonly [K in TrafficRate['kind']]: (rate: Extract<TrafficRate, { kind: K }>, limits: TrafficLimits) => ViewPart;
};

const words: Say = {
  unknown: () => says('The provider gives too little to say how long it lasts.'),
  early: () => says('The range has just begun, so it is too early to say how long it lasts.'),
  over: (_, { range_end: end }) => warns(text('The limit is used up; the next range begins on ', sayDay(end), '.')),
  runs_out: ({ atMs, daysBeforeEnd }) =>
    warns([
      'At this pace it runs out on ',
      { date: atMs, style: 'day' },
      daysBeforeEnd < 1 ? ', just before the range ends.' : `, ${count(daysBeforeEnd, 'day')} before the range ends.`,
    ]),
  lasts: ({ expected }, { limit }) =>
    says(`At this pace it lasts: about ${bytes(expected)} (${percent(expected / limit)}) by the end of the range.`),
};

function outlook<K extends TrafficRate['kind']>(
  rate: Extract<TrafficRate, { kind: K }>,
  limits: TrafficLimits,
): ViewPart {
  // Each kind is paired with the function for it, which TypeScript cannot prove.
  return (words[rate.kind] as (rate: TrafficRate, limits: TrafficLimits) => ViewPart)(rate, limits);
}

function says(text: Text): ViewPart {
  return { kind: 'text', text };
}

function warns(text: Text): ViewPart {
  return { kind: 'notice', tone: 'warning', text };
}
