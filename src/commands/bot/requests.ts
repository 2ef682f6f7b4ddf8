import { mayKnow } from '../../core/account/account.ts';
import { choice, optional } from '../../core/command/args.ts';
import type { BotReader, OperationSummary } from '../../core/command/bot-port.ts';
import type { AnswerContext } from '../../core/command/command.ts';
import { person } from '../../core/command/slack-args.ts';
import { type Answer, countUnseen, medianWaitMs } from '../../core/plan/answers.ts';
import { underWayStates } from '../../core/plan/operation.ts';
import { sayAsker, sayState, stateSign } from '../../core/plan/say-state.ts';
import { defined } from '../../core/text/defined.ts';
import { count, sayDuration } from '../../core/text/words.ts';
import { menuOf, type Row, reviewButton, runButton, text, titleSpan, type ViewPart } from '../../core/view/view.ts';
import { defaultOf } from '../args.ts';
import { defineList } from '../define.ts';
import { protectionMark } from '../protection-mark.ts';
import { personNamed } from './one-named.ts';

const most = 100;

const kinds = ['running', 'waiting', 'ended', 'mine', 'all'] as const;
const kindWords = {
  waiting: 'open requests here',
  ended: 'ended requests here',
  mine: 'requests of yours',
  all: 'requests here',
} as const;

export const requests = defineList({
  path: 'requests',
  words: `approve · decline · confirm · continue · reject · deny · retry · escalate · withdraw · forget | request ·
    approval · pending · queue | what is waiting · waiting · waiting for me · cancel that · cancel it · stop it ·
    forget it · forget my request · cancel my request · cancel last request · call it off · needs approval ·
    nobody approves · say yes · take it back · my request · open request · go ahead · do it · never mind ·
    nevermind · try again · yes · no · did my · did go through · go thru · request still · still hanging · urgent
    for me · need my ok · pr list · jobs = running · running = running · what is running = running · what runs =
    running · what wait for · i wait for · waiting on · finish or not · finished or not · in queue · in the queue ·
    what has asked · run list · lgtm · nvm`,
  title: 'Requests',
  summary: 'List the requests of this channel: those that run, wait or have ended',
  examples: ['requests waiting', 'requests running'],
  alsoSays: ['it', 'that', 'this', 'request'],
  args: {
    which: defaultOf(choice)({
      of: kinds,
      also: { open: 'waiting', jobs: 'running', pending: 'waiting', done: 'ended' },
      hint: 'Those that run, wait or have ended, yours, or all.',
      usual: 'all',
    }),
    by: {
      ...optional(person({ hint: 'Only what this person asked for.', after: ['by'] })),
      fits: (word: string) => word.startsWith('@'),
    },
  },
  capability: 'read',
  list: async ({ which: whose, by }, context, show) => {
    if (whose === 'running') return show(await running(context));
    const { bot, channel, actor } = context;
    const requester = by === undefined ? undefined : await personNamed(by, bot);
    const all = await bot.operations({
      limit: most,
      ...(whose === 'mine' ? { requester: actor } : { channel, ...defined({ requester }) }),
      ...(whose === 'waiting' ? { open: true } : {}),
    });
    const isKnown = (each: Parameters<typeof mayKnow>[0]) => mayKnow(each, actor, context);
    const visible = all.filter(isKnown).filter(({ endedAt }) => whose !== 'ended' || endedAt !== null);
    const whoseWords = kindWords[whose];
    const noun = requester === undefined ? whoseWords : `${whoseWords} by ${await bot.nameOf(requester)}`;
    // A direct message has no requests; there, `approve it` means a request of another channel.
    const waiting = visible.length > 0 || whose === 'mine' ? [] : await bot.waitingForMe();
    const own = waiting.filter((summary) => requester === undefined || summary.requester === requester);
    if (own.length > 0) return show(await whatWaits(own, bot));
    const ofChannel = whose !== 'mine' && by === undefined;
    const answered = ofChannel ? sayAnswers((await bot.answers(channel)).filter(isKnown)) : [];
    const amount = `${visible.length} ${visible.length === 1 ? noun.replace('requests', 'request') : noun}`;
    const last = all.length === most ? 'The last ' : '';
    return show({
      ...(await operationList(visible, bot)),
      none: `There are no ${noun}.`,
      total: amount,
      foot: (note) => `${last}${amount}, the newest first${note}. /host audit shows who did what.`,
      showOne,
      below: () => answered,
      after: visible.length === 0 ? answered : [],
    });
  },
});

/** How long requests for approval wait here, and how many nobody answered. */
function sayAnswers(answers: readonly Answer[]): ViewPart[] {
  const waitMs = medianWaitMs(answers);
  const decided = answers.filter(({ decidedAt }) => decidedAt !== null).length;
  const unseen = countUnseen(answers);
  if (decided + unseen === 0) return [];
  const median = waitMs === undefined ? '' : `, the median after ${sayDuration(waitMs)}`;
  const words = `Approvals of the last 30 days: ${decided} decided${median}; ${unseen} expired without a vote.`;
  return [{ kind: 'context', text: words }];
}

const mostButtons = 5;

/** The requests that this person can decide, each with a button that opens it. */
async function whatWaits(all: readonly OperationSummary[], bot: BotReader) {
  const total = `${count(all.length, 'request')} ${all.length === 1 ? 'waits' : 'wait'} for you.`;
  return {
    ...(await operationList(all, bot)),
    total,
    above: [{ kind: 'text', text: total }],
    foot: (note: string) => note,
    buttons: all.slice(0, mostButtons).map(({ id, title }) => reviewButton(`Review ${title}…`.slice(0, 75), id)),
    after: menuOf('Show one in full', all.slice(mostButtons), showOne),
  } as const;
}

/** Everything under way that this person may see, in any channel, with the provider’s job numbers. */
async function running({ bot, actor, ...reader }: AnswerContext) {
  const underWay = await bot.operations({ states: underWayStates, limit: most });
  const all = underWay.filter((each) => mayKnow(each, actor, reader));
  const stoppable = all.filter(({ state, isStopped }) => state === 'running' && !isStopped);
  return {
    ...(await operationList(all, bot)),
    none: 'Nothing is running.',
    total: `Running now: ${all.length}`,
    foot: (note: string) => note,
    showOne,
    after: menuOf('Stop one', stoppable, ({ id, title }) => runButton(title, `request stop ${id}`)),
  };
}

/** A list of requests, with the protections of their targets and links to their cards. */
async function operationList(all: readonly OperationSummary[], bot: Pick<BotReader, 'cardLinks' | 'protections'>) {
  const protectionOf = await bot.protections();
  return {
    all,
    linksOf: (shown: readonly OperationSummary[]) => bot.cardLinks(shown.map(({ id }) => id)),
    columns: [{ name: 'Request' }, { name: 'State' }, { name: 'Asked' }],
    row: (operation: OperationSummary, links?: ReadonlyMap<string, string>): Row => {
      const { id, title, endedAt, targets, channel, createdAt } = operation;
      // The protection of today says nothing about a request that has ended.
      const protection = endedAt === null ? protectionMark(protectionOf, ...targets) : '';
      const link = links?.get(id);
      return [
        text(link === undefined ? title : titleSpan(title, link), protection),
        stateOf(operation),
        [...sayAsker(operation), ' in ', { channel }, ', ', { date: createdAt, style: 'full' }],
      ];
    },
  } as const;
}

function showOne({ id, title }: OperationSummary) {
  return reviewButton(title, id);
}

function stateOf(operation: OperationSummary): string {
  if (operation.waitsFor !== null && operation.endedAt === null)
    return `${stateSign('waiting')} waiting for "Continue"`;
  // The provider's numbers of its jobs.
  const jobs = operation.steps.flatMap((step) => (step.job && step.state === 'accepted' ? [step.job.jobId] : []));
  return `${sayState(operation)}${jobs.length === 0 ? '' : ` · job ${jobs.slice(0, 3).join(', ')}`}`;
}
