import { z } from 'zod';
import { domainTarget, namesOf, orderTarget, projectTarget, targetKey } from '../../core/account/account.ts';
import { flag, integer, optional, text, withDefault } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { person } from '../../core/command/slack-args.ts';
import { span, spanIn } from '../../core/command/time-args.ts';
import { quoteValue } from '../../core/grammar/tokens.ts';
import { defined } from '../../core/text/defined.ts';
import { day, minute, spanText } from '../../core/text/words.ts';
import { readTime } from '../../core/time/read-when.ts';
import { Refusal } from '../../core/view/errors.ts';
import { buttonRow, runButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { requestId } from '../request-id.ts';
import { csvFile } from './audit-file.ts';
import { auditColumns, grouped, itemOf, knowable, requestColumns, requestRowOf, rowOf } from './audit-rows.ts';
import { personNamed } from './one-named.ts';

/** Entries read for each shown line; a request has about five. */
const entriesEach = 8;
const mostInFile = 5_000;
const longest = 400 * day;

const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'a day such as 2026-11-01');
const isPerson = (word: string) => word.startsWith('@');
const isSpan = (word: string) => spanIn(word, true) !== undefined;
/** `last 7 days`. The number of an order is longer. */
const isPartOfSpan = (word: string) => /^(?:last|past|\d{1,3}|(?:minute|hour|day|week)s?)$/i.test(word);

export const audit = defineQuery({
  path: 'audit',
  title: 'Audit',
  summary: 'Show who requested, approved and did what in this channel',
  examples: ['audit web-1 7d', 'audit from=2026-11-01 to=2026-11-30 --csv'],
  alsoCalled: [
    ...[
      'history',
      'history of',
      'audit of',
      'audit for',
      'audit from',
      'who did',
      'who did what',
      'who restarted',
      'who stopped',
      'who started',
      'who reset',
      'who changed',
      'who approved',
      'who confirmed',
      'who declined',
    ],
    ...[
      'who deleted',
      'who canceled',
      'who ordered',
      'what happened',
      'what happened to',
      'what happened on',
      'what happened last',
      'what changed',
      'what was done',
      'changes',
      'last changes',
      'recent changes',
    ],
  ],
  args: {
    about: {
      ...optional(
        text({ label: 'About', alsoCalled: ['on'], hint: 'A server, an order or a domain.', example: 'web-1' }),
      ),
      fits: (word: string) => !isPerson(word) && !isSpan(word) && !isPartOfSpan(word),
    },
    by: { ...optional(person({ hint: 'Only what this person did.' })), fits: isPerson },
    since: optional(
      span({ hint: 'Only the last hours or days, such as 7d.', minMs: minute, maxMs: longest, isPast: true }),
    ),
    from: optional(text({ place: 'option', hint: 'The first day, such as 2026-11-01.', schema: date })),
    to: optional(text({ place: 'option', hint: 'The last day, such as 2026-11-30.', schema: date })),
    last: withDefault(integer({ place: 'option', hint: 'The number of requests.', min: 1, max: 80 }), 20),
    request: optional(requestId({ place: 'option', hint: 'Only this request, by its id, entry by entry.' })),
    reads: flag({ hint: 'Reads too, and each entry of a request.' }),
    csv: flag({ hint: 'As a file for a spreadsheet, entry by entry.' }),
    page,
  },
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  run: async ({ about, by, since, from, to, last, request, reads, csv, page }, context) => {
    const { bot, channel, now, timeZone } = context;
    const actor = by === undefined ? undefined : await personNamed(by, bot);
    const midnight = (typed: string | undefined) => {
      const at = typed === undefined ? undefined : readTime(`${typed} 0:00`, { now, timeZone });
      if (at !== undefined || typed === undefined) return at;
      throw new Refusal('bad_value', `The time zone ${timeZone} is unknown.`, { hint: 'Write `since=7d` instead.' });
    };
    const first = midnight(from) ?? (since === undefined ? undefined : now - since);
    const lastDay = midnight(to);
    if (first !== undefined && lastDay !== undefined && lastDay < first)
      throw new Refusal('bad_value', 'The last day is before the first.', { field: 'to' });
    const isDetailed = reads || csv || request !== undefined;
    const lines = await bot.audit({
      channel,
      limit: csv ? mostInFile : isDetailed ? last : last * entriesEach,
      isWithoutReads: !isDetailed,
      ...defined({
        actor,
        operation: request,
        from: first,
        before: lastDay === undefined ? undefined : lastDay + day,
        about: about === undefined ? undefined : await targetsNamed(about, context),
      }),
    });
    const visible = await knowable(lines, context);
    if (visible.lines.length === 0) {
      const isAll = [about, by, since, from, to, request].every((value) => value === undefined);
      const none = isAll ? 'No audit entries yet.' : 'No audit entries fit.';
      return { summary: none, parts: [{ kind: 'text', text: none }] };
    }
    if (csv) return csvFile(visible, { channel, isCut: lines.length === mostInFile, bot });
    const items = isDetailed ? visible.lines.map(itemOf) : grouped(visible).slice(0, last);
    const line = [
      'audit',
      about && quoteValue(about),
      actor && `by=@${actor}`,
      since && `since=${spanText(since)}`,
      from && `from=${from}`,
      to && `to=${to}`,
      request && `request=${quoteValue(request)}`,
      last !== 20 && `last=${last}`,
    ]
      .filter(Boolean)
      .join(' ');
    const flags = reads ? ' --reads' : '';
    const shown = paged(items, page, { row: (item) => rowOf(item), lineOf: (to) => `${line}${flags} page=${to}` });
    const ids = shown.rows.flatMap((item) => (item.request === '' ? [] : [item.request]));
    const [links, decisions] = await Promise.all([bot.cardLinks(ids), bot.decisions(isDetailed ? [] : ids)]);
    const table = isDetailed
      ? { columns: auditColumns, rows: shown.rows.map((item) => rowOf(item, links)) }
      : { columns: requestColumns, rows: shown.rows.map((item) => requestRowOf(item, links, decisions)) };
    return {
      summary: `${items.length} audit rows`,
      parts: [
        { kind: 'table', ...table },
        {
          kind: 'context',
          text: `Newest first${isDetailed ? '' : ', by the last that happened'}${shown.note}. /host request and an id show one request.`,
        },
        ...buttonRow([
          ...shown.buttons,
          ...(isDetailed ? [] : [runButton('Entry by entry', `${line} --reads`)]),
          runButton('As a file', `${line} --csv`),
        ]),
      ],
    };
  },
});

/** The targets that a word names. One that no longer exists is found by its label. */
async function targetsNamed(
  word: string,
  { account, may }: ReadContext<unknown>,
): Promise<{ readonly keys: readonly string[]; readonly label: string }> {
  const { orders, domains, projects } = await account();
  const wanted = word.toLowerCase();
  const isNamed = (names: readonly string[]) => names.some((name) => name.toLowerCase() === wanted);
  const targets = [
    ...orders.filter((order) => isNamed([...namesOf(order), order.label])).map(orderTarget),
    ...domains.filter(({ name }) => isNamed([name])).map(domainTarget),
    ...projects.filter(({ name }) => isNamed([name])).map(projectTarget),
  ];
  return { keys: targets.filter((target) => may('read', target)).map(targetKey), label: wanted };
}
