import { policySchema } from '../../src/core/policy/policy.ts';
import { opsGroup } from '../../test/support/bot/fake-slack.ts';
import type { Act } from './acts.ts';
import type { World } from './world.ts';

/** Small worlds, each made so that a certain fault can show. Those at a later hour come first. */

const everyoneOperates = { to: ['everyone'], can: ['read', 'operate'] };
const byGroup = [`group:${opsGroup}`];
export const policies = {
  two: policySchema.parse({
    grants: [everyoneOperates],
    rules: { disruptive: { approve: 2, by: byGroup }, dangerous: { approve: 2, by: byGroup } },
  }),
  one: policySchema.parse({
    grants: [everyoneOperates],
    rules: { disruptive: { approve: 1, by: byGroup }, dangerous: { approve: 1, by: byGroup } },
  }),
  /** A countdown before what is dangerous. */
  wait: policySchema.parse({
    grants: [everyoneOperates],
    rules: { disruptive: 'confirm', dangerous: { approve: 1, by: byGroup, wait: '5m' } },
  }),
  confirm: policySchema.parse({ grants: [everyoneOperates], rules: { dangerous: 'confirm' } }),
  /** A window that opens 70 minutes after the start of each history, and each day. */
  window: policySchema.parse({
    grants: [everyoneOperates],
    windows: { maintenance: 'daily 14:10-14:40 Europe/Amsterdam' },
    rules: { disruptive: { approve: 1, by: byGroup, window: 'maintenance' }, dangerous: { approve: 1, by: byGroup } },
  }),
};

/** A policy in which two people of the group approve disruptive requests. */
export const twoApprove = policies.two;

const restart: Act = { do: 'say', who: 'operator', line: 'restart web-1', times: 2 };
export const approve = (who: string, times = 1): Act => ({ do: 'vote', who, vote: 'approve', times });
export const kill: Act = { do: 'kill' };
/** Kills the process that gets the last approval and runs the request. */
const killSecond: Act = { do: 'kill', which: 1 };
export const renamed: Act = {
  do: 'by hand',
  what: 'somebody renames web-1',
  change: (sim) => sim.order({ order: '34-12345', name: 'web-9' }),
};
export const freeze: Act = { do: 'say', who: 'admin', line: 'freeze all because of a test' };
export const forbidden: Act = {
  do: 'policy',
  what: 'nobody may operate',
  policy: policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'] }] }),
  allows: false,
};
export const databaseFails: Act = { do: 'fail', what: 'the database', times: 2 };
export const slackFails: Act = { do: 'fail', what: 'Slack', times: 1 };
export const standsStill: Act = { do: 'stand still', ms: 90_000 };
export const restartRoute = 'POST /vps/{order_id}/restart/';

export const toTheHour: Act = { do: 'to the hour', beforeMs: 30_000 };
export const pin: Act = { do: 'pin' };
export const fly: Act = { do: 'fly', who: 'operator', to: 'Europe/Helsinki' };
const at = (line: string): Act => ({ do: 'say', who: 'operator', line });

const again = 'restart web-1 every="daily 14:05" until=2026-01-07 runs=2';

export const smallWorlds: readonly World[] = [
  {
    name: 'scheduled, and run now after the votes',
    replicas: 2,
    policy: policies.two,
    threads: [
      [
        at('restart web-1 in=2h'),
        approve('lead'),
        approve('reader'),
        { do: 'vote', who: 'operator', vote: 'now' },
        approve('lead'),
      ],
    ],
  },
  {
    name: 'scheduled, and pinned before its hour',
    replicas: 1,
    policy: policies.one,
    threads: [[at('hard-reset web-1 in=3d'), approve('lead'), pin, toTheHour]],
  },
  {
    name: 'scheduled, and the machine sleeps over its hour',
    replicas: 2,
    policy: policies.one,
    threads: [[at('restart web-1 in=3m'), approve('lead'), { do: 'suspend', ms: 16 * 60_000 }]],
  },
  {
    name: 'scheduled by the clock, and its requester flies',
    replicas: 1,
    policy: policies.one,
    // In Amsterdam it is 13:00.
    threads: [[at('restart web-1 at=14:03'), fly, approve('lead'), toTheHour]],
  },
  {
    name: 'counting down, and stopped',
    replicas: 2,
    policy: policies.wait,
    threads: [[at('hard-reset web-1'), approve('lead'), { do: 'vote', who: 'reader', vote: 'stop' }]],
  },
  {
    name: 'scheduled with a countdown, and killed',
    replicas: 2,
    policy: policies.wait,
    threads: [[at('hard-reset web-1 in=3d')], [approve('lead')], [toTheHour], [kill]],
  },
  {
    name: 'scheduled, and frozen',
    replicas: 2,
    policy: policies.one,
    threads: [[at('restart web-1 in=2d')], [approve('lead')], [toTheHour], [freeze], [kill]],
  },
  {
    name: 'scheduled into a window, frozen, and killed',
    replicas: 2,
    policy: policies.window,
    threads: [[at('restart web-1')], [approve('lead')], [toTheHour], [freeze], [kill]],
  },
  {
    name: 'standing, two runs, and killed',
    replicas: 2,
    policy: policies.one,
    threads: [[at(again)], [approve('lead')], [toTheHour], [kill]],
  },
  {
    name: 'standing, and its approver leaves',
    replicas: 1,
    policy: policies.one,
    threads: [[at(again), approve('lead')], [toTheHour], [{ do: 'leave group', who: 'lead' }]],
  },
  {
    name: 'two approvers, two clicks, a kill',
    replicas: 2,
    policy: policies.two,
    threads: [[restart], [approve('lead', 2)], [approve('reader')], [killSecond]],
  },
  {
    name: 'two approvers, a lost answer, a kill',
    replicas: 2,
    policy: policies.two,
    faults: [{ kind: 'lose', match: restartRoute, times: 1 }],
    threads: [[restart], [approve('lead')], [approve('reader', 2)], [killSecond]],
  },
  {
    name: 'two approvers, a change by hand',
    replicas: 2,
    policy: policies.two,
    threads: [[restart], [approve('lead')], [approve('reader')], [renamed]],
  },
  {
    name: 'one approval is enough, and two give it',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [approve('reader')]],
  },
  {
    name: 'an approver leaves the group',
    replicas: 2,
    policy: policies.two,
    threads: [[restart], [approve('lead'), { do: 'leave group', who: 'lead' }], [approve('reader')]],
  },
  {
    name: 'approved and withdrawn',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [{ do: 'vote', who: 'operator', vote: 'withdraw' }]],
  },
  {
    name: 'approved and frozen',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [freeze]],
  },
  {
    name: 'three servers, stopped in between',
    replicas: 2,
    policy: policies.one,
    threads: [
      [{ do: 'say', who: 'operator', line: 'restart web-1 web-2 db-1' }],
      [approve('lead')],
      [{ do: 'vote', who: 'operator', vote: 'stop' }],
    ],
  },
  {
    name: 'three servers, frozen in between',
    replicas: 2,
    policy: policies.one,
    threads: [
      [{ do: 'say', who: 'operator', line: 'restart web-1 web-2 db-1' }],
      [approve('lead')],
      [{ do: 'freeze' }],
    ],
  },
  {
    name: 'an approver asks, and approves',
    replicas: 2,
    policy: policies.two,
    threads: [[{ do: 'say', who: 'lead', line: 'restart web-1' }], [approve('lead')], [approve('reader')]],
  },
  {
    name: 'somebody outside the group approves',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [{ do: 'leave group', who: 'reader' }, approve('reader')], [approve('guest')]],
  },
  {
    name: 'a job that ends in error',
    replicas: 2,
    policy: policies.one,
    faults: [{ kind: 'nextJob', end: 'error', times: 1 }],
    threads: [[restart], [approve('lead')]],
  },
  {
    name: 'confirmed when the time is over',
    replicas: 2,
    policy: policies.confirm,
    threads: [[restart, { do: 'suspend', ms: 16 * 60_000 }], [{ do: 'vote', who: 'operator', vote: 'confirm' }]],
  },
  {
    name: 'a lookup fails while two approve',
    replicas: 1,
    policy: policies.two,
    threads: [[restart], [approve('lead')], [approve('reader')], [slackFails]],
  },
  {
    name: 'the database fails while it is sent',
    replicas: 1,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [databaseFails]],
  },
  {
    name: 'a process stands still',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [standsStill]],
  },
  {
    name: 'the right is taken away',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [forbidden]],
  },
  {
    name: 'started again, paused, and let go',
    replicas: 1,
    policy: policies.one,
    threads: [
      [restart, { do: 'start again', isPaused: true }],
      [approve('lead')],
      [{ do: 'start again', isPaused: false }],
    ],
  },
  {
    name: 'the machine sleeps over an approval',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [{ do: 'suspend', ms: 16 * 60_000 }]],
  },
  {
    name: 'a job that hangs',
    replicas: 2,
    policy: policies.one,
    faults: [{ kind: 'nextJob', end: 'hang', times: 1 }],
    // By the wall clock the job lasts longer than the two hours in which it is polled.
    threads: [[restart], [approve('lead'), { do: 'suspend', ms: 2.1 * 3_600_000, isOnceWatched: true }]],
  },
  {
    name: 'names that nobody here may read',
    replicas: 1,
    policy: policySchema.parse({ grants: [{ ...everyoneOperates, on: ['tag:web'] }] }),
    secretNames: ['db-1', '192.0.2.20'],
    threads: [
      [{ do: 'say', who: 'operator', line: 'restart db' }],
      [{ do: 'say', who: 'reader', line: 'status web-1 db-' }],
      [{ do: 'say', who: 'lead', line: 'list' }],
    ],
  },
  {
    // The end is posted before time passes.
    name: 'declined, and a process stands still for a moment',
    replicas: 2,
    policy: policies.one,
    threads: [[restart], [{ do: 'vote', who: 'lead', vote: 'decline' }], [{ do: 'stand still', ms: 5_000 }]],
  },
  {
    name: 'the database fails once while it is sent',
    replicas: 1,
    policy: policies.one,
    threads: [[restart], [approve('lead')], [{ do: 'fail', what: 'the database', times: 1 }]],
  },
  {
    // A restart reads its server again right before the write; a rename only repeats its plan.
    name: 'renamed by request and by hand',
    replicas: 2,
    policy: policySchema.parse({
      grants: [{ to: ['everyone'], can: ['read', 'organize'] }],
      rules: { routine: { approve: 1, by: byGroup } },
    }),
    threads: [[{ do: 'say', who: 'operator', line: 'rename web-1 web-7' }], [approve('lead')], [renamed]],
  },
  {
    name: 'a write that never arrives',
    replicas: 2,
    policy: policies.one,
    faults: [{ kind: 'drop', match: restartRoute, times: 1 }],
    threads: [[restart], [approve('lead')]],
  },
  {
    name: 'asked, and a kill',
    replicas: 2,
    policy: policies.confirm,
    threads: [[{ do: 'say', who: 'operator', line: 'restart web-1' }], [{ do: 'kill', which: 0 }]],
  },
  {
    name: 'one after the other',
    replicas: 2,
    policy: policies.one,
    threads: [
      [restart, { do: 'say', who: 'operator', line: 'stop web-1', after: 'restarted' }, approve('lead')],
      [approve('lead')],
    ],
  },
  {
    name: 'a question that is delivered twice',
    replicas: 2,
    policy: policies.one,
    threads: [[{ do: 'say', who: 'reader', line: 'status web-1', times: 2 }]],
  },
  {
    name: 'two requests for one server',
    replicas: 2,
    policy: policies.confirm,
    threads: [
      [
        { ...restart, anyway: true },
        { do: 'vote', who: 'operator', vote: 'confirm' },
      ],
      [
        { do: 'say', who: 'lead', line: 'stop web-1', anyway: true },
        { do: 'vote', who: 'lead', vote: 'confirm' },
      ],
    ],
  },
];
