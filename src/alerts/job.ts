import { identityOf, type Order, orderTarget } from '../core/account/account.ts';
import type { AlertEnd, Finding } from '../core/alert/alert.ts';
import type { JobSeen } from '../core/alert/alert-rule.ts';
import { day, minute, sayDuration } from '../core/text/words.ts';
import { defineAlert, leftAccount, sampleOrder, warning } from './define-alert.ts';

/** Covers only jobs started by this bot, since the provider lists none. */
export const job = defineAlert({
  name: 'job',
  title: 'A job ended in error or hangs',
  many: (n) => `${n} jobs ended in error or hang`,
  everyMs: minute,
  fires: 'a job ended in error, or runs longer than the threshold',
  clears: 'it ends well, a later job of the server ends well, or a day after its end',
  thresholds: { unit: 'minutes', usual: [30], isFalling: false, min: 5, max: 1_440, most: 1 },
  // Reads the names even for no job: a rule that reads nothing would say that it can read again.
  read: async ({ jobs, names, now }) => ({ ...(await names()), jobs: await jobs(now - day) }),
  find: ({ jobs, orders }, [mostMinutes = 30], now) =>
    jobs.flatMap((job) => {
      const order = orders.find((order) => order.id === job.orderId);
      if (order === undefined) return [];
      if (job.end === undefined) {
        const tookMs = now - job.acceptedAt;
        if (tookMs < mostMinutes * minute) return [];
        return [findingOf(order, job, `has been running for ${sayDuration(floor(tookMs))}`)];
      }
      if (job.end === 'done' || mended(jobs, job) !== undefined) return [];
      // The card and its thread already report the end there.
      return [{ ...findingOf(order, job, badEnds[job.end]), heardIn: job.channel }];
    }),
  calm: (cause, { jobs, ...account }, { target, title }): AlertEnd | undefined => {
    const job = jobs.find((candidate) => String(candidate.jobId) === cause);
    if (job === undefined) return { over: `A day ago: ${title}` };
    if (job.end === 'done') return `${job.label}: ${job.action}, job ${job.jobId}, is done`;
    const later = mended(jobs, job);
    if (later !== undefined) return `${job.label}: ${later.action}, job ${later.jobId}, is done`;
    return leftAccount(account, target);
  },
  sample: () => findingOf(sampleOrder, { jobId: 812, action: 'restart', note: '' }, badEnds.failed),
});

/** A later job of the server that ended well. */
function mended(jobs: readonly JobSeen[], { orderId, acceptedAt }: JobSeen): JobSeen | undefined {
  return jobs.find((later) => later.orderId === orderId && later.end === 'done' && later.acceptedAt > acceptedAt);
}

const badEnds = { failed: 'ended in error', unknown: 'has an end that is not known' } as const;

/** Rounds down to ten minutes, so that the alert of a hanging job is edited rarely. */
function floor(ms: number): number {
  return Math.floor(ms / (10 * minute)) * 10 * minute || ms;
}

type Named = Pick<JobSeen, 'action' | 'jobId' | 'note'>;

function findingOf(order: Order, { jobId, action, note }: Named, how: string): Finding {
  return {
    cause: String(jobId),
    target: orderTarget(order),
    title: `${order.label}: ${action}, job ${jobId}, ${how}`,
    lines: [identityOf(order), ...(note === '' ? [] : [note])],
    ...warning,
    offers: [{ label: 'Job', line: `job ${order.id} ${jobId}` }],
  };
}
