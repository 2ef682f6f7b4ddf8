import type { ReadContext } from '../../core/command/command.ts';
import { count } from '../../core/text/words.ts';
import { sayClock, typedWall } from '../../core/time/say-hour.ts';
import { wallClock } from '../../core/time/zone.ts';
import { says, type View } from '../../core/view/view.ts';
import type { AuditItem, KnownAudit } from './audit-rows.ts';

const heading = ['number', 'when', 'kind', 'who', 'user id', 'channel', 'request', 'decided by', 'text'];

export async function csvFile({ lines, requests }: KnownAudit, isCut: boolean, { bot, channel }: ReadContext) {
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
  const text = [heading, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
  const note = isCut ? ' There are more: choose a shorter time.' : '';
  return fileView(summary, 'audit.csv', 'Audit of this channel', text, note);
}

/** Alerts, requests and changes by hand as Markdown, oldest first, in UTC and in the reader's time zone. */
export async function timelineFile(items: readonly AuditItem[], { bot, timeZone = 'UTC' }: ReadContext): Promise<View> {
  const lines = items
    .toSorted((a, b) => a.at - b.at)
    .map(async ({ at, actor, by = 'the bot', what, text }) => {
      const name = actor === null ? by : await bot.nameOf(actor);
      const own = timeZone === 'UTC' ? '' : ` (${sayClock(wallClock(at, timeZone))} ${timeZone})`;
      return `- ${typedWall(wallClock(at, 'UTC'))} UTC${own}: ${text.replaceAll(/\s+/g, ' ')} · ${what} · ${name}\n`;
    });
  const text = `# Timeline\n\n${(await Promise.all(lines)).join('')}`;
  return fileView(`Timeline of ${count(items.length, 'event')}, oldest first`, 'timeline.md', 'Timeline', text);
}

function fileView(summary: string, name: string, title: string, text: string, note = ''): View {
  const bytes = new TextEncoder().encode(text);
  return { ...says(`${summary}.${note}`), summary, files: [{ name, title, alt: summary, bytes }] };
}

/** Escapes text that a spreadsheet would run as a formula. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
