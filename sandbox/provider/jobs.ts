import { createHash } from 'node:crypto';
import { assignAddress } from './addresses.ts';
import { detail } from './answer.ts';
import type { JobKind, SimJob, SimOrder, SimPower } from './model.ts';
import { numbers } from './numbers.ts';
import { zuluDate } from './time.ts';
import type { ProviderState } from './types.ts';
import { sendCreated } from './webhook.ts';

interface Kind {
  readonly action: string;
  readonly jobAction: string;
  readonly note: string;
  /** The power states during the job, each with its beginning as a share of the duration. */
  readonly powers: readonly (readonly [at: number, power: SimPower])[];
}

/** The notes of ended jobs. */
export const endNotes = { done: '', error: 'The hypervisor did not answer in time.' } as const;

const reboot = [
  [numbers.jobPowerDipAt, 'off'],
  [1, 'on'],
] as const;

const kinds: Record<JobKind, Kind> = {
  start: { action: 'Start', jobAction: 'start', note: 'Starting the server', powers: [[1, 'on']] },
  stop: { action: 'Stop', jobAction: 'stop', note: 'Shutting the server down', powers: [[1, 'off']] },
  restart: { action: 'Restart', jobAction: 'restart', note: 'Restarting the server', powers: reboot },
  rescue_mode: { action: 'Rescue mode', jobAction: 'rescue', note: 'Booting the rescue system', powers: reboot },
  stop_rescue_mode: { action: 'Leave rescue mode', jobAction: 'unrescue', note: 'Booting from disk', powers: reboot },
  hard_reset: { action: 'Hard reset', jobAction: 'hard_reset', note: 'Reset signal sent', powers: reboot },
  passwd_reset: {
    action: 'Password reset',
    jobAction: 'passwd_reset',
    note: 'Setting a new root password',
    powers: [],
  },
  reinstall: {
    action: 'Reinstall',
    jobAction: 'reinstall',
    note: 'Installing the operating system',
    powers: [
      [0, 'unknown'],
      [1, 'on'],
    ],
  },
  create: { action: 'Create', jobAction: 'create', note: 'Creating the server', powers: [[1, 'on']] },
};

export const jobKinds = Object.keys(kinds);

const locked: Readonly<Record<string, string>> = {
  unpaid: 'The order is not paid.',
  expired: 'The order has expired. Renew it to control its server.',
  disabled: 'The order is disabled.',
  canceled: 'The order is canceled.',
  blocked: 'The order is blocked. Contact technical support.',
};

/** Starts a job on a server. Refuses if one is running, or if the order's status forbids it. */
export function startJob(
  provider: ProviderState,
  order: SimOrder,
  kind: JobKind,
  route: string,
  os: string | null = null,
): SimJob {
  const { vps } = order;
  if (!vps) throw new Error(`starting a job: ${order.id} is no VPS`);
  if (vps.runningJob !== null) throw detail(409, 'Another operation is in progress.');
  const reason = locked[order.status];
  if (reason) throw detail(400, reason);

  const pk = provider.state.next.job++;
  const end = provider.faults.nextJobEnd(route, order.id);
  const startedAt = provider.clock.now();
  const job: SimJob = {
    pk,
    orderId: order.id,
    kind,
    note: kinds[kind].note,
    user: provider.state.account.email,
    startedAt,
    dueAt: end === 'hang' ? null : startedAt + durationOf(provider, kind, pk),
    willEnd: end === 'error' ? 'error' : 'done',
    state: 'ready',
    powerBefore: vps.power,
    os,
  };
  provider.state.jobs.set(pk, job);
  vps.runningJob = pk;
  if (kind === 'reinstall') provider.setPower(order, 'unknown');
  scheduleJob(provider, job);
  provider.changed('job', pk);
  return job;
}

/** Sets the timers of a running job, also after a restore. */
export function scheduleJob(provider: ProviderState, job: SimJob): void {
  const order = provider.state.orders.get(job.orderId);
  if (job.state !== 'ready' || job.dueAt === null || !order) return;
  for (const [at, power] of kinds[job.kind].powers) {
    if (at === 0 || at === 1) continue;
    const dueAt = job.startedAt + (job.dueAt - job.startedAt) * at;
    provider.clock.schedule(`job ${job.pk} at ${at}`, dueAt, () => {
      if (job.state === 'ready') provider.setPower(order, power);
    });
  }
  provider.clock.schedule(`job ${job.pk}`, job.dueAt, () => endJob(provider, job, job.willEnd));
}

/** Ends a job, hanging ones included. */
export function endJob(provider: ProviderState, job: SimJob, how: 'done' | 'error', note?: string): void {
  const order = provider.state.orders.get(job.orderId);
  if (job.state !== 'ready' || !order?.vps) return;
  job.state = how;
  job.dueAt = provider.clock.now();
  job.note = note ?? endNotes[how];
  provider.clock.unschedule(`job ${job.pk}`);
  order.vps.runningJob = null;
  const isStillOurs = order.status === 'active' || order.status === 'noprolong' || order.status === 'pending';
  if (isStillOurs) (how === 'done' ? finish : giveUp)(provider, order, job);
  provider.changed('order', order.id);
  provider.changed('job', job.pk);
}

function finish(provider: ProviderState, order: SimOrder, job: SimJob): void {
  if (!order.vps) return;
  const last = kinds[job.kind].powers.at(-1);
  if (job.kind === 'create') {
    assignAddress(provider, order);
    provider.setStatus(order, 'active');
  }
  if (job.kind === 'rescue_mode') order.vps.isRescue = true;
  if (job.kind === 'reinstall') order.vps.installedSshKeys = [...order.vps.sshKeys];
  if (job.kind === 'stop_rescue_mode' || job.kind === 'reinstall') order.vps.isRescue = false;
  if (job.os !== null) order.vps.os = job.os;
  if (last) provider.setPower(order, last[1]);
  if (job.kind === 'create') sendCreated(provider, order);
}

function giveUp(provider: ProviderState, order: SimOrder, job: SimJob): void {
  if (job.kind === 'create') {
    provider.pay(-(order.vps?.paid ?? 0));
    provider.setStatus(order, 'canceled');
    return;
  }
  provider.setPower(order, job.powerBefore);
}

/** One of the recorded durations, or one between the bounds. Always the same for a pk, so that stories are repeatable. */
function durationOf(provider: ProviderState, kind: JobKind, pk: number): number {
  const { min, max } = provider.settings.jobMs;
  const share = createHash('sha1').update(String(pk)).digest().readUInt16BE() / 0xffff;
  const recorded = provider.state.jobTimes[kind] ?? [];
  const duration = recorded[Math.floor(share * (recorded.length - 1))];
  if (duration !== undefined) return duration;
  return Math.round(min + (max - min) * share);
}

export function presentJob(job: SimJob) {
  const kind = kinds[job.kind];
  return {
    pk: job.pk,
    action: kind.action,
    note: job.note,
    user: job.user,
    time: zuluDate(job.startedAt),
    completed: job.state !== 'ready',
    job_state: job.state,
    job_action: kind.jobAction,
  };
}
