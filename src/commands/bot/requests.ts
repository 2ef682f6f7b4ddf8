import { choice, optional, withDefault } from '../../core/command/args.ts';
import type { OperationSummary } from '../../core/command/bot.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { person } from '../../core/command/slack-args.ts';
import { type Answer, countUnseen, medianWaitMs } from '../../core/plan/answers.ts';
import type { PinOf } from '../../core/policy/pins.ts';
import { defined } from '../../core/text/defined.ts';
import { count, sayDuration } from '../../core/text/words.ts';
import type { View, ViewPart } from '../../core/view/view.ts';
import { buttonRow } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';
import { mayKnow } from './may-know.ts';
import { personNamed } from './one-named.ts';
import { operationRow, operationsTable, showOne, stopOne } from './operations-table.ts';

const most = 100;

const kinds = ['running', 'waiting', 'ended', 'mine', 'all'] as const;
const kindWords = {
  waiting: 'open requests here',
  ended: 'ended requests here',
  mine: 'requests of yours',
  all: 'requests here',
} as const;

export const requests = defineQuery({
  path: 'requests',
  title: 'Requests',
  summary: 'List the requests of this channel: those that run, wait or have ended',
  examples: ['requests waiting', 'requests running'],
  alsoSays: ['it', 'that', 'this', 'request'],
  args: {
    which: withDefault(
      choice({
        of: kinds,
        also: { open: 'waiting', jobs: 'running', pending: 'waiting', done: 'ended' },
        hint: 'Those that run, wait or have ended, yours, or all.',
      }),
      'all',
    ),
    by: {
      ...optional(person({ hint: 'Only what this person asked for.' })),
      fits: (word: string) => word.startsWith('@'),
    },
    page,
  },
  capability: 'read',
  visibility: 'person',
  run: async ({ which: whose, by, page }, context) => {
    if (whose === 'running') return running(context);
    const { bot, channel, actor } = context;
    const requester = by === undefined ? undefined : await personNamed(by, bot);
    const all = await bot.operations({
      limit: most,
      ...(whose === 'mine' ? { requester: actor } : { channel, ...defined({ requester }) }),
      ...(whose === 'waiting' ? { isOpen: true } : {}),
    });
    const visible = all.filter(mayKnow(context)).filter(({ endedAt }) => whose !== 'ended' || endedAt !== null);
    const whoseWords = kindWords[whose];
    const noun = requester === undefined ? whoseWords : `${whoseWords} by ${await bot.nameOf(requester)}`;
    const none = `There are no ${noun}.`;
    // A direct message has no requests; there, `approve it` means a request of another channel.
    const waiting = visible.length > 0 || whose === 'mine' ? [] : await bot.waitingForMe();
    const own = waiting.filter((summary) => requester === undefined || summary.requester === requester);
    const pinOf = await bot.pins();
    if (own.length > 0) return whatWaits(own, pinOf, await bot.cardLinks(own.map(({ id }) => id)));
    const ofChannel = whose !== 'mine' && by === undefined;
    const answered = ofChannel ? sayAnswers((await bot.answers(channel)).filter(mayKnow(context))) : [];
    if (visible.length === 0) return { summary: none, parts: [{ kind: 'text', text: none }, ...answered] };
    const shown = paged(visible, page, {
      row: (operation) => operationRow(operation, pinOf),
      lineOf: (to) => `requests ${whose}${requester === undefined ? '' : ` @${requester}`} page=${to}`,
    });
    const amount = `${visible.length} ${visible.length === 1 ? noun.replace('requests', 'request') : noun}`;
    return {
      summary: amount,
      parts: [
        operationsTable(shown.rows, pinOf, await bot.cardLinks(shown.rows.map(({ id }) => id))),
        ...showOne(shown.rows),
        {
          kind: 'context',
          text: `${all.length === most ? 'The last ' : ''}${amount}, the newest first${shown.note}. /host audit shows who did what.`,
        },
        ...answered,
        ...buttonRow(shown.buttons),
      ],
    };
  },
});

/** How long requests for approval wait here, and how many nobody answered. */
function sayAnswers(answers: readonly Answer[]): ViewPart[] {
  const waitMs = medianWaitMs(answers);
  const decided = answers.filter(({ decidedAt }) => decidedAt !== null).length;
  const unseen = countUnseen(answers);
  if (decided + unseen === 0) return [];
  const median = waitMs === undefined ? '' : `, the median after ${sayDuration(waitMs)}`;
  return [
    {
      kind: 'context',
      text: `Approvals of the last 30 days: ${decided} decided${median}; ${unseen} expired without a vote.`,
    },
  ];
}

const mostButtons = 5;

/** The requests that this person can decide, each with a button that opens it. */
function whatWaits(waiting: readonly OperationSummary[], pinOf: PinOf, links: ReadonlyMap<string, string>): View {
  const summary = `${count(waiting.length, 'request')} ${waiting.length === 1 ? 'waits' : 'wait'} for you.`;
  const [shown, others] = [waiting.slice(0, mostButtons), waiting.slice(mostButtons)];
  return {
    summary,
    parts: [
      { kind: 'text', text: summary },
      operationsTable(waiting, pinOf, links),
      {
        kind: 'buttons',
        buttons: shown.map(({ id, title }) => ({
          label: `Review ${title}…`.slice(0, 75),
          intent: { do: 'review', operation: id },
          opens: true,
        })),
      },
      ...showOne(others),
    ],
  };
}

/** Everything under way that this person may see, in any channel, with the provider’s job numbers. */
async function running(context: Pick<ReadContext<unknown>, 'actor' | 'bot' | 'channel' | 'may'>): Promise<View> {
  const underWay = await context.bot.operations({ isUnderWay: true, limit: 100 });
  const running = underWay.filter(mayKnow(context));
  if (running.length === 0)
    return { summary: 'Nothing is running.', parts: [{ kind: 'text', text: 'Nothing is running.' }] };
  const pinOf = await context.bot.pins();
  return {
    summary: `Running now: ${running.length}`,
    parts: [operationsTable(running, pinOf), ...showOne(running), ...stopOne(running)],
  };
}
