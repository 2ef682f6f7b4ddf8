import type { BotReader } from '../../core/command/bot-port.ts';
import { count } from '../../core/text/words.ts';
import { sayClock, typedWall } from '../../core/time/say-hour.ts';
import { wallClock } from '../../core/time/time-zone.ts';
import { says, type View } from '../../core/view/view.ts';
import type { AuditItem, KnownAudit } from './audit-rows.ts';

const heading = ['number', 'when', 'kind', 'who', 'user id', 'channel', 'request', 'decided by', 'text'];

interface Of {
  readonly channel: string;
  readonly isCut: boolean;
  readonly bot: Pick<BotReader, 'decisions' | 'nameOf'>;
}

/** The entries as a CSV file, oldest first. */
export async function csvFile({ lines, requests }: KnownAudit, { channel, isCut, bot }: Of): Promise<View> {
  const people = [...new Set(lines.flatMap(({ actor }) => actor ?? []))];
  const names = new Map(await Promise.all(people.map(async (id) => [id, await bot.nameOf(id)] as const)));
  const decisions = await bot.decisions([...requests.keys()]);
  const rows = lines
    .toReversed()
    .map(({ seq, at, kind, actor, operation, text }) => [
      String(seq),
      new Date(at).toISOString(),
      kind,
      actor === null ? 'the bot' : (names.get(actor)?.replace(/^@/, '') ?? ''),
      actor ?? '',
      channel,
      operation ?? '',
      decisions.get(operation ?? '')?.replaceAll('@', '') ?? '',
      text,
    ]);
  const summary = `${count(lines.length, 'audit entry', 'audit entries')}, oldest first`;
  const file = { name: 'audit.csv', title: 'Audit of this channel', lines: [heading, ...rows].map(csvLine) };
  return fileView(summary, file, isCut ? ' There are more: choose a shorter time.' : '');
}

/** Alerts, requests and changes by hand as Markdown, oldest first, in UTC and in the reader's time zone. */
export async function timelineFile(
  items: readonly AuditItem[],
  { bot, timeZone = 'UTC' }: Pick<Of, 'bot'> & { readonly timeZone: string | undefined },
): Promise<View> {
  const lines = items
    .toSorted((a, b) => a.at - b.at)
    .map(async ({ at, actor, by = 'the bot', what, text }) => {
      const name = actor === null ? by : await bot.nameOf(actor);
      const own = timeZone === 'UTC' ? '' : ` (${sayClock(wallClock(at, timeZone))} ${timeZone})`;
      return `- ${typedWall(wallClock(at, 'UTC'))} UTC${own}: ${text.replaceAll(/\s+/g, ' ')} · ${what} · ${name}\n`;
    });
  const file = { name: 'timeline.md', title: 'Timeline', lines: ['# Timeline\n\n', ...(await Promise.all(lines))] };
  return fileView(`Timeline of ${count(items.length, 'event')}, oldest first`, file);
}

interface TextFile {
  readonly name: string;
  readonly title: string;
  readonly lines: readonly string[];
}

function fileView(summary: string, { name, title, lines }: TextFile, note = ''): View {
  const bytes = new TextEncoder().encode(lines.join(''));
  return { ...says(`${summary}.${note}`), summary, files: [{ name, title, alt: summary, bytes }] };
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Escapes text that a spreadsheet would run as a formula. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
