import { z } from 'zod';
import { channelTarget, mayKnow } from '../../core/account/account.ts';
import { sayAsker, stateSign, stateWord } from '../../core/plan/say-state.ts';
import { firstFew } from '../../core/text/words.ts';
import { impossible, notFound } from '../../core/view/errors.ts';
import { fieldsPart, reviewButton } from '../../core/view/view.ts';
import { requestId } from '../args.ts';
import { defineAction, defineQuery, listView, sent, verdictOf } from '../define.ts';
import { auditColumns, itemOf, rowOf } from './audit-rows.ts';

const mostEntries = 80;

export const request = defineQuery({
  path: 'request',
  words: `| step · step by step · progress | status of my request · status of request · what happened to my request ·
    is my request · request number · step done · which step · run view · step by step`,
  title: 'Show a request',
  summary: 'Show one request: its steps and its history',
  examples: ['request a7f3c2abde', 'request k9m2x4pqrs'],
  args: { request: requestId({ hint: 'Its id, as in /host audit.', example: 'a7f3c2abde' }) },
  capability: 'read',
  isAboutChannel: true,
  run: async ({ request: id }, context) => {
    const summary = await context.bot.operation(id);
    // A request that the person may not read looks like one that does not exist.
    if (summary === undefined || summary.channel !== context.channel || !mayKnow(summary, context.actor, context)) {
      const show = { label: 'Show the requests', command: 'requests' };
      const why = `There is no request \`${id}\` here that you may see.`;
      throw notFound(why, '`/host audit` has the ids.', 'request', show);
    }
    const lines = await context.bot.audit({ channel: context.channel, operationId: id, limit: mostEntries });
    const steps = summary.steps.filter(({ label }) => label !== '').map(({ label, state }) => `${label}: ${state}`);
    return listView({
      all: lines,
      columns: auditColumns(true),
      row: (line) => rowOf({ ...itemOf(line), request: '' }),
      total: `${summary.title}: ${stateWord(summary)}`,
      above: [
        { kind: 'heading', text: `${stateSign(summary.state)} ${summary.title}`, aside: stateWord(summary) },
        ...fieldsPart([
          ['Asked by', [...sayAsker(summary), ', ', { date: summary.createdAt, style: 'full' }]],
          ['Ended', summary.endedAt === null ? '' : [{ date: summary.endedAt, style: 'full' }]],
          ['Steps', steps.join('\n')],
          ['End', summary.endText],
          ['Id', id],
        ]),
      ],
      buttons: [reviewButton('Open it', id)],
    });
  },
});

/** A stop must be quick, so it needs no confirmation. */
export const stopRequest = defineAction({
  path: 'request stop',
  words: `abort · stop · withdraw · cancel · forget · halt · break off · discontinue | request | stop request · halt
    request · call off request · request called off`,
  title: 'Stop a request',
  summary: 'Stop a running request after the present step',
  examples: ['request stop a7f3c2abde', 'request stop k9m2x4pqrs'],
  args: { request: requestId({ hint: 'The request, chosen in /host requests running.', example: 'a7f3c2abde' }) },
  capability: 'read',
  risk: 'safe',
  step: z.object({ id: z.string(), title: z.string() }),
  plan: async ({ request: id }, { bot, channel }) => {
    const operation = await bot.operation(id);
    // A request that the person may not stop looks like one that does not exist.
    if (operation === undefined || (await bot.whyNotStop(id)) !== undefined) {
      const hint = '`/host requests running` shows them and stops one.';
      throw notFound(`There is no request \`${id}\` that you may stop here.`, hint, 'request');
    }
    const { title, state, endedAt, steps, targets, names } = operation;
    if (state === 'waiting') {
      const hint = 'Decline or withdraw it on its card.';
      throw impossible(`${title} waits for a decision and is not running.`, hint, 'request');
    }
    const isStanding = state === 'standing';
    const left = steps.filter((step) => step.state === 'pending').map((step) => step.label || title);
    const nothingToDo =
      endedAt !== null
        ? `${title} has ended already.`
        : left.length === 0 && !isStanding
          ? `${title} has no step left to stop: what was sent is followed to its end.`
          : undefined;
    return {
      title: `Stop "${title}"`,
      names: [...targets, ...names],
      effect: isStanding
        ? 'No further run begins. One that is running is followed to its end.'
        : `Not started: ${firstFew(left, 8)}. A step that is running is followed to its end.`,
      facts: { request: id },
      steps: [{ target: channelTarget(channel), data: { id, title } }],
      nothingToDo,
    };
  },
  execute: ({ id }, { bot }) => sent(bot.stopRequest(id)),
  verify: async ({ id }, { bot }) => {
    const operation = await bot.operation(id);
    const isStopped = operation === undefined || operation.endedAt !== null || operation.isStopped;
    return verdictOf(isStopped, 'no further step begins', 'it is not stopped');
  },
  done: ([{ data }]) => ({ text: `"${data.title}" is stopped` }),
});
