import { mayKnow } from '../../core/account/account.ts';
import type { OperationSummary } from '../../core/command/bot-port.ts';
import { stateWord } from '../../core/plan/say-state.ts';
import type { ProtectionOf } from '../../core/policy/protection.ts';
import { count } from '../../core/text/words.ts';
import type { Vote } from '../../core/view/intent.ts';
import { type Button, refreshButton, type Text, text, type ViewPart } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../list.ts';
import { protectionMark } from '../protection-mark.ts';
import { showOne, titleOf } from './requests.ts';

const most = 100;
/** Each has its own row of buttons. */
const mostOnPage = 10;

export const scheduled = defineQuery({
  path: 'scheduled',
  title: 'Scheduled requests',
  summary: 'List what begins at a later hour, by hour, and standing approvals: of this channel and your own',
  examples: ['scheduled', 'scheduled page=2'],
  args: { page },
  capability: 'read',
  visibility: 'person',
  run: async ({ page }, context) => {
    const { bot, channel, actor } = context;
    const all = await bot.byHour({ channels: [channel], requester: actor, limit: most });
    const visible = all.filter((each) => mayKnow(each, actor, context));
    const none = 'Nothing is scheduled here, and nothing of yours elsewhere.';
    if (visible.length === 0)
      return {
        summary: none,
        parts: [
          { kind: 'text', text: none },
          { kind: 'context', text: 'Every action takes an hour, like at="sun 03:00" or in=2h.' },
        ],
      };
    const protectionOf = await bot.protections();
    const shown = paged(visible, (operation) => [rowOf(operation, protectionOf)], {
      at: page,
      lineOf: (to) => `scheduled page=${to}`,
      most: mostOnPage,
    });
    const links = await bot.cardLinks(shown.rows.map(({ id }) => id));
    const rows = shown.rows.map(async (operation): Promise<ViewPart[]> => {
      const mayChange = (await bot.whyNotStop(operation.id)) === undefined;
      return [
        { kind: 'text', text: rowOf(operation, protectionOf, links.get(operation.id)) },
        {
          kind: 'buttons',
          buttons: [...(mayChange ? changesOf(operation) : []), { ...showOne(operation), label: 'Details' }],
        },
      ];
    });
    return {
      summary: `Scheduled: ${count(visible.length, 'request')}`,
      parts: [
        ...(await Promise.all(rows)).flat(),
        {
          kind: 'context',
          text: `${all.length === most ? 'The next ' : ''}${count(visible.length, 'request')}, the next hour first${shown.note}.`,
        },
        { kind: 'buttons', buttons: [...shown.buttons, refreshButton('scheduled')] },
      ],
    };
  },
});

/** `Restart web-1 · 📌 pinned · Sunday 03:00 · scheduled · asked by @ada in #ops` */
function rowOf(operation: OperationSummary, protectionOf: ProtectionOf, link?: string): Text {
  const { startsAt, waitsForThaw, stoppedBy, requester, channel, targets } = operation;
  return [
    titleOf(operation, link),
    `${protectionMark(protectionOf, ...targets)} · `,
    { date: startsAt, style: 'full' },
    ...(stoppedBy === null ? [] : text(' · will not run: ', stoppedBy)),
    ` · ${waitsForThaw === null ? stateWord(operation) : `waits for the end of the freeze: ${waitsForThaw}`} · asked by `,
    { user: requester },
    ' in ',
    { channel },
  ];
}

/** The buttons of its card. */
function changesOf({ id, state, isRun }: OperationSummary): Button[] {
  const vote = (kind: Vote) => ({ do: 'vote', operation: id, vote: kind }) as const;
  if (state === 'cooling') return [{ label: 'Stop', intent: vote('stop'), style: 'danger' }];
  if (state === 'standing') return [{ label: 'Stop', intent: vote('withdraw') }];
  if (state !== 'scheduled') return [];
  const off: Button = { label: 'Call off', intent: vote('withdraw') };
  if (isRun) return [off];
  return [{ label: 'Run now', intent: vote('now') }, { label: 'Move…', intent: vote('move'), opens: true }, off];
}
