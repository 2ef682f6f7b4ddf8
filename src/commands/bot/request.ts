import { mayKnow } from '../../core/account/account.ts';
import { stateSign, stateWord } from '../../core/plan/say-state.ts';
import { Refusal } from '../../core/view/errors.ts';
import { fieldsWith } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { listView } from '../list.ts';
import { requestId } from '../request-id.ts';
import { auditColumns, itemOf, rowOf } from './audit-rows.ts';

const mostEntries = 80;

export const request = defineQuery({
  path: 'request',
  title: 'Show a request',
  summary: 'Show one request: its steps and its history',
  examples: ['request a7f3c2abde', 'request k9m2x4pqrs'],
  args: {
    request: requestId({ hint: 'Its id, as in /host audit.', example: 'a7f3c2abde' }),
  },
  capability: 'read',
  isAboutChannel: true,
  visibility: 'person',
  run: async ({ request: id }, context) => {
    const summary = await context.bot.operation(id);
    // A request that the person may not read looks like one that does not exist.
    if (summary === undefined || summary.channel !== context.channel || !mayKnow(summary, context.actor, context)) {
      throw new Refusal('not_found', `There is no request \`${id}\` here that you may see.`, {
        hint: '`/host audit` has the ids.',
        suggestions: [{ label: 'Show the requests', command: 'requests' }],
        field: 'request',
      });
    }
    const lines = await context.bot.audit({ channel: context.channel, operation: id, limit: mostEntries });
    const steps = summary.steps.filter(({ label }) => label !== '').map(({ label, state }) => `${label}: ${state}`);
    const fields = fieldsWith([
      ['Asked by', [{ user: summary.requester }, ', ', { date: summary.createdAt, style: 'full' }]],
      ['Ended', summary.endedAt === null ? '' : [{ date: summary.endedAt, style: 'full' }]],
      ['Steps', steps.join('\n')],
      ['End', summary.endText],
      ['Id', id],
    ]);
    return listView({
      all: lines,
      columns: auditColumns(true),
      row: (line) => rowOf({ ...itemOf(line), request: '' }),
      total: `${summary.title}: ${stateWord(summary)}`,
      above: [
        { kind: 'heading', text: `${stateSign(summary.state)} ${summary.title}`, aside: stateWord(summary) },
        { kind: 'fields', fields },
      ],
      buttons: [{ label: 'Open it', intent: { do: 'review', operation: id }, opens: true }],
    });
  },
});
