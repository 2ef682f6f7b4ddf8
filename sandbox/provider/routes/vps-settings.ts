import { detail, notFound, ok } from '../answer.ts';
import { drawCurve, statsFields } from '../curves.ts';
import { dayMs, hourMs } from '../numbers.ts';
import { defineRoute } from '../router.ts';
import { flag, invalid, optional, validate, wrongAsWhole } from '../validate.ts';
import { findVps } from './find.ts';

const unitMs = { h: hourMs, d: dayMs } as const;
const spanMaxMs = 366 * dayMs;

export const vpsSettingsRoutes = [
  defineRoute('PATCH /vps/{order_id}/', ({ provider, params, data }) => {
    const { id, vps } = findVps(provider, params.order_id);
    const wanted = validate(data(), { private_network_enabled: optional(flag) }).private_network_enabled;
    if (wanted && provider.state.networks.size === 0) throw detail(400, 'The account has no private network.');
    if (wanted !== undefined) vps.isPrivateNetworkEnabled = wanted;
    provider.changed('order', id);
    return ok({ private_network_enabled: vps.isPrivateNetworkEnabled });
  }),
  defineRoute('GET /vps/{order_id}/stats/{field}/', ({ provider, params, query }) => {
    const order = findVps(provider, params.order_id);
    const field = statsFields.get(params.field);
    if (!field) throw notFound();
    const now = provider.clock.now();
    const start = moment('start', query.get('start') ?? '-1h', now);
    const end = moment('end', query.get('end') ?? 'now', now);
    if (start >= end) throw wrongAsWhole('start must be before end.');
    if (end - start > spanMaxMs) throw wrongAsWhole('The period may not be longer than a year.');
    return ok({
      series: field.curves.map((curve) => drawCurve(order, curve, start, Math.min(end, now))),
      subtitle: field.subtitle,
    });
  }),
];

/** Reads `YYYY-MM-DD`, `-24h`, `-7d` or `now`. */
function moment(name: string, text: string, now: number): number {
  if (text === 'now') return now;
  const [, count, unit] = /^-(\d{1,6})([hd])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * unitMs[unit === 'h' ? 'h' : 'd'];
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse moves 31 February to March; the provider refuses such a day.
  if (!Number.isNaN(date) && new Date(date).toISOString().startsWith(text)) return date;
  throw invalid({ [name]: ['Enter a date as YYYY-MM-DD, a period as -1h or -7d, or now.'] });
}
