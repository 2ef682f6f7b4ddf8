import type { FaultInput } from '../provider/faults.ts';
import type { SimDnsEntry } from '../provider/model.ts';
import { routes } from '../provider/routes/all.ts';
import type { SimulatedProvider } from '../provider/server.ts';
import type { SimulatedSlack } from '../slack/server.ts';
import { SimulationError } from '../slack/simulation-error.ts';

/** Faults that the page can cause. */

export const switchNames = [
  'jobFails',
  'answerLost',
  'bootsSilent',
  'answersLate',
  'slow',
  'throttled',
  'down',
  'recordChanged',
  'clickTwice',
  'slackThrottled',
  'socketDropped',
] as const;
export type SwitchName = (typeof switchNames)[number];

interface Shown {
  /** `once` stays on until it has happened, `while` until it is turned off, `now` happens at once. */
  readonly kind: 'once' | 'while' | 'now';
  readonly label: string;
  /** The part of the page that shows the effect. */
  readonly watch: string;
}

const shown: Record<SwitchName, Shown> = {
  jobFails: {
    kind: 'once',
    label: 'The next job fails',
    watch: "The card ends as failed, with the provider's own words. Nothing is tried again.",
  },
  answerLost: {
    kind: 'once',
    label: 'The next answer is lost',
    watch: 'A change is made, but its answer never arrives. The bot does not send it again: it reads until it knows.',
  },
  bootsSilent: {
    kind: 'once',
    label: 'The next server boots, but answers nothing',
    watch:
      'The power is on, but the card waits for an answer. After 5 minutes it ends as not verified, with next steps.',
  },
  answersLate: {
    kind: 'once',
    label: 'The next server answers late',
    watch: 'The card waits 40 seconds and says after which time the server answered again.',
  },
  slow: {
    kind: 'while',
    label: 'Every answer takes 4 seconds',
    watch: 'Slack gets its acknowledgement in time all the same; the answer comes later.',
  },
  throttled: {
    kind: 'while',
    label: 'Too many requests (429)',
    watch: 'A read waits as it is told to, then says why it has no answer; a change is not run, and says so.',
  },
  down: {
    kind: 'while',
    label: 'The API is down (503)',
    watch: 'The bot says that the provider does not answer, and does not pretend to know.',
  },
  recordChanged: {
    kind: 'now',
    label: 'Change a DNS record by hand',
    watch: 'A record moves behind the bot’s back: an approval of the old state no longer counts, nor an Undo.',
  },
  clickTwice: {
    kind: 'while',
    label: 'Every click and command is delivered twice',
    watch: 'Under Calls, a click says “2 times”; the provider hears of it once.',
  },
  slackThrottled: {
    kind: 'while',
    label: 'Slack takes no calls (429)',
    watch: 'Nothing that was confirmed waits for Slack: it runs. Cards and answers come when Slack takes them again.',
  },
  socketDropped: {
    kind: 'now',
    label: 'Drop the Slack connection',
    watch: 'The bot comes back by itself within seconds, and nothing it was doing stops.',
  },
};

const strayAddresses = ['203.0.113.66', '203.0.113.67'];
const slowMs = 4_000;
const slackRetryAfterS = 3;
const writes = routes.map(({ route }) => route).filter((route) => !route.startsWith('GET '));

export type Hosting = Pick<SimulatedProvider, 'sim'>;

export interface Switches {
  list(): readonly (Shown & { name: SwitchName; isOn: boolean })[];
  set(name: SwitchName, isOn: boolean): void;
  clear(): void;
}

export function createSwitches(slack: SimulatedSlack, provider: SimulatedProvider, changed: () => void): Switches {
  const { sim } = provider;
  const armed = new Map<SwitchName, readonly number[]>();

  const isLive = (id: number): boolean => sim.state().faults.some((fault) => fault.id === id);
  const disarm = (name: SwitchName): void => {
    const ids = armed.get(name) ?? [];
    armed.delete(name);
    for (const id of ids) sim.clearFaults({ id });
  };
  const arm = (name: SwitchName, faults: readonly FaultInput[]): void => {
    armed.set(
      name,
      faults.map((fault) => sim.fault(fault)),
    );
  };

  // After a fault has hit one operation, it is removed from all: "the next answer" is a single one.
  sim.onChange(({ what }) => {
    if (what !== 'faults') return;
    for (const [name, ids] of [...armed]) if (!ids.every(isLive)) disarm(name);
    changed();
  });

  const faults: Partial<Record<SwitchName, readonly FaultInput[]>> = {
    jobFails: [{ kind: 'nextJob', end: 'error', times: 1 }],
    answerLost: writes.map((match) => ({ kind: 'lose', match, times: 1 })),
    bootsSilent: [{ kind: 'nextBoot', boot: 'silent', times: 1 }],
    answersLate: [{ kind: 'nextBoot', boot: 'late', times: 1 }],
    slow: [{ kind: 'delay', ms: slowMs }],
    throttled: [{ kind: 'throttle', retryAfterSec: 5 }],
    down: [{ kind: 'answer', status: 503, body: '<h1>503 Service Unavailable</h1>' }],
  };

  /** Slack's faults. Each returns the function that ends it. */
  const slackFaults: Partial<Record<SwitchName, () => () => void>> = {
    clickTwice() {
      slack.sim.deliveryFaults({ isDuplicating: true });
      return () => slack.sim.deliveryFaults({ isDuplicating: false });
    },
    slackThrottled: () => slack.sim.fault({ method: '*', status: 429, retryAfterS: slackRetryAfterS }),
  };
  const ends = new Map<SwitchName, () => void>();
  const acts: Partial<Record<SwitchName, () => void>> = {
    socketDropped: () => slack.sim.dropSockets(),
    recordChanged: () => void changeByHand(provider),
  };

  const switches: Switches = {
    list: () =>
      switchNames.map((name) => ({
        name,
        ...shown[name],
        isOn: armed.has(name) || ends.has(name),
      })),
    clear() {
      for (const name of switchNames) if (shown[name].kind !== 'now') switches.set(name, false);
    },
    set(name, isOn) {
      disarm(name);
      ends.get(name)?.();
      ends.delete(name);
      const theirs = faults[name];
      const end = isOn ? slackFaults[name]?.() : undefined;
      if (isOn && theirs !== undefined) arm(name, theirs);
      if (end !== undefined) ends.set(name, end);
      if (isOn) acts[name]?.();
      changed();
    },
  };
  return switches;
}

/** Changes the address of `www`, or of the first name that has one, as somebody does in the panel of the provider. */
export function changeByHand({ sim }: Hosting): { domain: string; record: SimDnsEntry; value: string } {
  const records = sim
    .state()
    .domains.flatMap(({ name, entries }) => entries.map((record) => ({ domain: name, record })))
    .filter(({ record }) => record.type === 'A');
  const chosen = records.find(({ record }) => record.host === 'www') ?? records[0];
  if (chosen === undefined)
    throw new SimulationError('No zone of this account has an A record that could be changed by hand.');
  const { domain, record } = chosen;
  const value = strayAddresses.find((address) => address !== record.value) ?? '';
  sim.records({ domain, set: [{ id: record.id, value }] });
  return { domain, record, value };
}
