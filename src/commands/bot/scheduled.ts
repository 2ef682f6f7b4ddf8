import { mayKnow } from '../../core/account/account.ts';
import { option, optional, text as textArg } from '../../core/command/args.ts';
import type { OperationSummary } from '../../core/command/bot-port.ts';
import { moment, span } from '../../core/command/time-args.ts';
import { sayAsker, stateWord } from '../../core/plan/say-state.ts';
import type { ProtectionOf } from '../../core/policy/protection.ts';
import { count, day, minute } from '../../core/text/words.ts';
import { saysOnlyTimes } from '../../core/time/said-time.ts';
import { sayAhead } from '../../core/time/say-hour.ts';
import type { Vote } from '../../core/view/intent.ts';
import type { Button, Text, ViewPart } from '../../core/view/view.ts';
import { buttonRow, refreshButton, reviewButton, runButton, text, titleSpan } from '../../core/view/view.ts';
import { defineList, paged } from '../define.ts';
import { mustName, namesHere } from '../must-name.ts';
import { protectionMark } from '../protection-mark.ts';

const most = 100;
/** Each has its own row of buttons. */
const mostOnPage = 10;

export const scheduled = defineList({
  path: 'scheduled',
  words: `postpone · reschedule · call off · skip · delay · schedule · suspend · atq · crontab | scheduled · planned ·
    plan · schedule · upcoming · recurring · recurring job · cron job · every night thing · cronjob · timer | what is
    planned · what is plan · what is scheduled · anything planned · anything scheduled · what comes next · crontab -l ·
    cancel scheduled · stop scheduled · abort scheduled · push back · bring forward · not as planned · as planned ·
    atrm = · skip = · call off = · cancel the scheduled = · cancel scheduled = · stop the scheduled = · abort the
    scheduled = · reschedule = · reschedule the = · postpone = · postpone the = · delay = · delay the = · push back = ·
    bring forward = · move the restart = restart · move the reboot = restart · move the stop = stop · move the start =
    start · move the hard-reset = hard-reset · move the reinstall = reinstall · cancel the restart = restart · cancel
    the reboot = restart · cancel restart = restart · stop the restart = restart · stop the reboot = restart · stop
    my restart = restart · leave alone · one run · next run · delete planned · delete scheduled · skip the restart =
    restart · skip restart = restart · run later · kick off · run at night · what run tonight · planned restart`,
  title: 'Scheduled requests',
  summary: 'List what begins at a later hour, by hour, and standing approvals: of this channel and your own',
  examples: ['scheduled', 'scheduled web-1 to=5am'],
  args: {
    about: optional(textArg({ place: 'rest', hint: 'Words of its title, such as the name of a server.' })),
    to: option(moment({ after: ['to'], maxMs: 90 * day, hint: 'Offers to move it to this hour.' })),
    by: option(span({ after: ['by'], minMs: minute, maxMs: 30 * day, hint: 'Offers to begin it later by this time.' })),
  },
  capability: 'read',
  list: async ({ about, to, by, page }, context, _, line) => {
    const { bot, channel, actor } = context;
    const all = await bot.byHour({ channels: [channel], requester: actor, limit: most });
    const readable = all.filter((each) => mayKnow(each, actor, context));
    const typed = about?.split(/\s+/) ?? [];
    // Each row has its hour: `cache-1 this sunday` is about cache-1.
    const words = typed.filter((_, at) => !saysOnlyTimes(typed, at));
    const visible = readable.filter((each) => isAbout(each, words));
    const actions = bot.commands().map(({ path }) => path);
    mustName('scheduled', { words, names: visible.length > 0 ? [] : await namesHere(context, actions) });
    const none =
      readable.length === 0
        ? 'Nothing is scheduled here, and nothing of yours elsewhere.'
        : `Nothing scheduled is about “${about}”.`;
    if (visible.length === 0)
      return {
        summary: none,
        parts: [
          { kind: 'text', text: none },
          { kind: 'context', text: 'Every action takes an hour, like at="sun 03:00" or in=2h.' },
          ...(readable.length === 0 ? [] : buttonRow([runButton('All that is scheduled', 'scheduled')])),
        ],
      };
    const protectionOf = await bot.protections();
    const shown = paged(visible, (operation) => [rowOf(operation, protectionOf)], {
      at: page,
      lineOf: (to) => line({ page: [String(to)] }),
      most: mostOnPage,
    });
    const hourFor = ({ startsAt }: OperationSummary) =>
      to ?? (by === undefined ? undefined : Math.max(startsAt, context.now) + by);
    const sayHour = (at: number) => sayAhead(at, { now: context.now, timeZone: context.timeZone ?? 'UTC' });
    const links = await bot.cardLinks(shown.rows.map(({ id }) => id));
    const rows = shown.rows.map(async (operation): Promise<ViewPart[]> => {
      const mayChange = (await bot.whyNotStop(operation.id)) === undefined;
      const hour = hourFor(operation);
      const changes = mayChange ? changesOf(operation, hour, hour === undefined ? '' : sayHour(hour)) : [];
      return [
        { kind: 'text', text: rowOf(operation, protectionOf, links.get(operation.id)) },
        { kind: 'buttons', buttons: [...changes, reviewButton('Details', operation.id)] },
      ];
    });
    const amount = count(visible.length, 'request');
    const first = all.length === most ? `The next ${amount}` : amount;
    return {
      summary: `Scheduled: ${amount}`,
      parts: [
        ...(await Promise.all(rows)).flat(),
        { kind: 'context', text: `${first}, the next hour first${shown.note}.` },
        { kind: 'buttons', buttons: [...shown.buttons, refreshButton(line({}))] },
      ],
    };
  },
});

/** `Restart web-1 · 📌 pinned · Sunday 03:00 · scheduled · asked by @ada in #ops` */
function rowOf(operation: OperationSummary, protectionOf: ProtectionOf, link?: string): Text {
  const { title, startsAt, waitsForThaw, stoppedBy, channel, targets } = operation;
  return [
    titleSpan(title, link),
    `${protectionMark(protectionOf, ...targets)} · `,
    { date: startsAt, style: 'full' },
    ...(stoppedBy === null ? [] : text(' · will not run: ', stoppedBy)),
    ` · ${waitsForThaw === null ? stateWord(operation) : `waits for the end of the freeze: ${waitsForThaw}`} · asked by `,
    ...sayAsker(operation),
    ' in ',
    { channel },
  ];
}

/** The buttons of its card. */
function changesOf({ id, state, isRun }: OperationSummary, hour: number | undefined, words: string): Button[] {
  const vote = (kind: Vote) => ({ do: 'vote', operation: id, vote: kind }) as const;
  if (state === 'cooling') return [{ label: 'Stop', intent: vote('stop'), style: 'danger' }];
  if (state === 'standing') return [{ label: 'Stop', intent: vote('withdraw') }];
  if (state !== 'scheduled') return [];
  const off: Button = { label: 'Call off', intent: vote('withdraw') };
  if (isRun) return [off];
  if (hour !== undefined) {
    const intent = { ...vote('move'), at: new Date(hour).toISOString() };
    return [{ label: `Move to ${words}`, intent, style: 'primary' }, off];
  }
  return [{ label: 'Run now', intent: vote('now') }, { label: 'Move…', intent: vote('move'), opens: true }, off];
}

/** Whether the words name it: each is in its title or is the name of a target. */
function isAbout({ title, targets }: OperationSummary, words: readonly string[]): boolean {
  const names = [title, ...targets.map(({ name }) => name)].join(' ').toLowerCase();
  return words.every((word) => names.includes(word.toLowerCase()));
}
