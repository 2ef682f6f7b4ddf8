import { dateFormat } from '../date-format.ts';

const dateTokens: Record<string, Intl.DateTimeFormatOptions> = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date_slash: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: { month: 'long', day: 'numeric', year: 'numeric' },
  date_short: { month: 'short', day: 'numeric', year: 'numeric' },
  date_long: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  date_long_full: { month: 'long', day: 'numeric', year: 'numeric' },
  time: { hour: 'numeric', minute: '2-digit' },
  time_secs: { hour: 'numeric', minute: '2-digit', second: '2-digit' },
};

/** The present time, and the time zone of the reader. */
export interface Moment {
  nowMs: number;
  timeZone: string;
}

function relativeDay(dayMs: number, { nowMs, timeZone }: Moment): string | undefined {
  const { format } = dateFormat('en-CA', { timeZone });
  const day = format(dayMs);
  const names = [
    [0, 'today'],
    [-1, 'yesterday'],
    [1, 'tomorrow'],
  ] as const;
  return names.find(([days]) => format(nowMs + days * 86_400_000) === day)?.[1];
}

/** Formats a date for `<!date^…>` and rich text. */
export function renderDate(unixS: number, format: string, moment: Moment): string {
  const { timeZone } = moment;
  return format.replaceAll(/\{(\w+)\}/g, (whole, token: string) => {
    const name = token.replace(/_pretty$/, '');
    const relative = name === token ? undefined : relativeDay(unixS * 1000, moment);
    const options = dateTokens[name];
    if (relative !== undefined) return relative;
    if (options === undefined) return whole;
    const locale = name === 'date_num' ? 'en-CA' : 'en-US';
    return dateFormat(locale, { timeZone, ...options })
      .format(unixS * 1000)
      .replaceAll('\u202f', ' ');
  });
}
