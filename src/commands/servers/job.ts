import type { Order } from '../../core/account/account.ts';
import { integer, order } from '../../core/command/args.ts';
import { parseProviderDate, sayDay } from '../../core/view/days.ts';
import { notFound, readOr } from '../../core/view/errors.ts';
import { buttonRow, fieldsPart, runButton, type Text, text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { Job } from '../../provider/endpoints/vps-orders.ts';
import { channelRead, defineQuery } from '../define.ts';

export const job = defineQuery({
  path: 'job',
  words: `| job · task · background job | job number · task number · provider job · background job · job done · job
    status · status of job · progress of job`,
  isBehind: true,
  title: 'Show a job',
  summary: 'Show the status of a provider job',
  examples: ['job web-1 812', 'job 34-12345 812'],
  args: {
    server: order({ hint: 'The server it runs on.', example: 'web-1' }),
    id: integer({
      hint: 'The number of the job; /host requests running lists those that are running.',
      min: 1,
      max: 999_999_999_999,
      label: 'Job',
    }),
  },
  ...channelRead,
  run: async ({ server, id }, { reader }) => {
    const entry = await read(reader, server, id);
    const date = parseProviderDate(entry.time);
    const started: Text =
      date === undefined
        ? 'unknown'
        : date.isNaive
          ? text(sayDay(entry.time), ' (by the provider’s clock)')
          : [{ date: date.ms, style: 'full' }];
    const state = sayJob(entry);
    return {
      summary: `Job ${id} of ${server.label}: ${state}`,
      parts: [
        { kind: 'heading', text: `Job ${id} of ${server.label}`, aside: state },
        ...fieldsPart([
          ['Action', entry.action || entry.job_action || 'unknown'],
          ['State', state],
          ['Started', started],
          ['By', entry.user],
          ['The provider says', entry.note],
        ]),
        ...buttonRow([runButton('Status', `status ${server.id}`)]),
      ],
    };
  },
});

function read(reader: Reader, server: Order, id: number): Promise<Job> {
  return readOr(reader.vps.logDetails({ order_id: server.id, log_id: id }), 'not_found', ({ words }) => {
    const hint = '`/host requests running` lists the jobs that are running now.';
    throw notFound(`${server.label} has no job ${id}. The provider says: ${words}`, hint, 'id');
  });
}

/** The relation of `completed` and `job_state` is not documented: an error counts first, then either sign of an end. */
export function sayJob({ job_state, completed }: Pick<Job, 'job_state' | 'completed'>) {
  if (job_state === 'error') return 'ended in error';
  return job_state === 'done' || completed ? 'done' : 'running';
}
