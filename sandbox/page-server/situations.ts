import { setTimeout as sleep } from 'node:timers/promises';
import { answersFrom } from '../provider/listeners.ts';
import type { SimOrder } from '../provider/model.ts';
import { hourMs } from '../provider/numbers.ts';
import { elementsOf } from '../slack/blocks.ts';
import { appCommand } from '../slack/seed.ts';
import type { SimulatedSlack } from '../slack/server.ts';
import { SimulationError } from '../slack/simulation-error.ts';
import type { SimMessage, SimPerson } from '../slack/state.ts';
import { findGroup } from '../slack/workspace.ts';
import { changeByHand, type Hosting, type Switches } from './switches.ts';

/** The situations of a drill. Each finds a server, a zone, an order or people in the account and in Slack. */

export const drillNames = ['boot', 'zone', 'payment', 'slow', 'asleep', 'leaves'] as const;
export type DrillName = (typeof drillNames)[number];

export const drillLabels: Readonly<Record<DrillName, string>> = {
  boot: 'A server hangs at boot',
  zone: 'A zone is changed by hand',
  payment: 'A payment is due tonight',
  slow: 'The provider answers slowly',
  asleep: 'An approver is asleep',
  leaves: 'Somebody leaves',
};

/** Something in a person's name. */
export interface Holding {
  readonly id: string;
  readonly kind: 'request' | 'token' | 'right';
  readonly text: string;
  /** True for a request that waits for anything but its hour. */
  readonly isPending?: boolean;
}

/** The facts that only the bot has. */
export interface BotFacts {
  /** The next moment for which the bot has planned something, such as the hour of a request. */
  readonly nextHour: () => Promise<number | undefined>;
  readonly held: (person: string) => Promise<readonly Holding[]>;
  /** The end of a request in one word; undefined while it is open. */
  readonly endOf: (request: string) => Promise<string | undefined>;
}

export interface DrillScene {
  readonly slack: SimulatedSlack;
  readonly provider: Hosting;
  readonly switches: () => Switches;
  readonly bot: () => BotFacts | undefined;
  /** The channel and the user group of the people who operate servers. */
  readonly team: { readonly channel: string; readonly group: string };
}

/** The end, or the state that a drill ended by hand leaves. */
export interface Progress {
  readonly isOver: boolean;
  readonly text: string;
  /** The moment of the end, if it is not this one. */
  readonly atMs?: number;
}

export interface Situation {
  /** The story and the task. */
  readonly brief: string;
  /** Each is a name of the target in the texts of people and of the bot. */
  readonly names: readonly string[];
  /** The alert rule that reports this in a channel. */
  readonly rule?: string;
  readonly progress: () => Progress | Promise<Progress>;
  readonly stop?: () => void;
}

/** `by` is the person who starts the drill, and plays. */
type Start = (scene: DrillScene, by: string | undefined) => Situation | Promise<Situation>;

const dueInHours = 6;
/** The top-up of the page pays for this. */
const mostPaid = 400;
/** The wait for an answer of the bot, and the pause between two reads. */
const askedInMs = 20_000;
const lookMs = 100;

export const situations: Readonly<Record<DrillName, Start>> = {
  boot({ provider: { sim } }) {
    const { id, name } = answeringServer(sim, 'hang');
    const fault = sim.fault({ kind: 'nextBoot', boot: 'silent', only: id, times: 1 });
    for (const state of ['off', 'on'] as const) sim.power({ order: id, state });
    sim.clearFaults({ id: fault });
    return {
      brief: `${name} was restarted at the provider: its power is on, and nothing on it answers. Bring it back.`,
      names: [name, id],
      rule: 'answers',
      progress() {
        const vps = sim.state().orders.find((order) => order.id === id)?.vps;
        const atMs = vps ? answersFrom(vps) : Number.POSITIVE_INFINITY;
        return atMs <= sim.now()
          ? { isOver: true, text: `${name} answered again`, atMs }
          : { isOver: false, text: `${name} did not answer` };
      },
    };
  },

  zone({ provider }) {
    const { domain, record, value: stray } = changeByHand(provider);
    const { host, type, value } = record;
    const name = host === '' || host === '@' ? domain : `${host}.${domain}`;
    return {
      brief: `Somebody changed a record of ${domain} at the provider; ${name} pointed to ${value} until then. Find the change and put it back.`,
      names: [domain],
      rule: 'zone',
      progress() {
        const zone = provider.sim.state().domains.find((candidate) => candidate.name === domain);
        const values = zone?.entries.filter((entry) => entry.host === host && entry.type === type);
        const isOver = values?.some((entry) => entry.value === value) && !values.some((entry) => entry.value === stray);
        return isOver
          ? { isOver, text: `${name} pointed to ${value} again` }
          : { isOver: false, text: `${name} did not point to ${value} again` };
      },
    };
  },

  payment({ provider: { sim } }) {
    const { orders, account } = sim.state();
    const priceOf = ({ costMonth, termMonths }: SimOrder) => (costMonth ?? 0) * termMonths;
    const order = orders.find(
      (candidate) =>
        candidate.status === 'active' &&
        candidate.isAutorenewed &&
        !candidate.hasCancelMark &&
        priceOf(candidate) > 0 &&
        priceOf(candidate) <= mostPaid,
    );
    if (order === undefined)
      throw new SimulationError(
        `No order of this account renews by itself for at most ${mostPaid} ${account.currency}.`,
      );
    const price = priceOf(order);
    const name = callName(orders, order);
    const dueAt = sim.now() + dueInHours * hourMs;
    const balance = Math.min(account.balance, Math.floor(price * 50) / 100);
    sim.order({ order: order.id, expiration_date: new Date(dueAt).toISOString() });
    sim.balance({ balance });
    const money = (amount: number) => `${amount.toFixed(2)} ${account.currency}`;
    return {
      brief: `An order renews in ${dueInHours} hours, and the balance does not pay it. Find it, and pay into the account at the provider (Money) before it goes off.`,
      names: [name, order.id],
      rule: 'expiring',
      progress() {
        const { orders: ordersNow, account: accountNow } = sim.state();
        const now = ordersNow.find(({ id }) => id === order.id);
        if (now?.status !== 'active') return { isOver: true, text: `${name} went off unpaid` };
        if ((now.expiresAt ?? 0) > dueAt) return { isOver: true, text: `${name} was renewed` };
        return accountNow.balance >= price
          ? { isOver: true, text: `The balance paid for ${name}, which costs ${money(price)}` }
          : { isOver: false, text: `${name} costs ${money(price)}, and the balance was ${money(accountNow.balance)}` };
      },
    };
  },

  slow({ provider: { sim }, switches }) {
    const { id, name } = answeringServer(sim, 'be restarted');
    const since = sim.now();
    let isTold = false;
    switches().set('slow', true);
    // The answer is made right before its request is finished, so it tells the state of the job at this moment.
    const stopListening = sim.onChange((change) => {
      const request = change.what === 'request' ? sim.requests().findLast((each) => each.id === change.id) : undefined;
      if (request?.status !== 200 || !request.path.includes(`/vps/${id}/log_details/`)) return;
      const job = sim.state().jobs.find(({ pk }) => request.path.endsWith(`/log_details/${pk}/`));
      isTold ||= job !== undefined && job.startedAt >= since && job.kind === 'restart' && job.state !== 'ready';
    });
    return {
      brief: `Every answer of the provider takes some seconds, and ${name} needs a restart. Restart it once, and wait until its end is known.`,
      names: [name, id],
      progress: () => ({
        isOver: isTold,
        text: `Hostler ${isTold ? 'knew' : 'did not know'} the end of a restart of ${name}`,
      }),
      stop() {
        stopListening();
        switches().set('slow', false);
      },
    };
  },

  async asleep(scene) {
    const { provider, slack } = scene;
    const bot = connectedBot(scene);
    const { id, name } = answeringServer(provider.sim, 'be asked for');
    const [asker, sleeper] = teamOf(slack, scene.team);
    if (asker === undefined || sleeper === undefined)
      throw new SimulationError(`The group has fewer than two people, so there is no approver who could be asleep.`);
    const before = new Set((await bot.held(asker.id)).map((item) => item.id));
    let request = '';
    const isDone = async () => {
      request = (await bot.held(asker.id)).find((item) => !before.has(item.id))?.id ?? '';
      return request !== '';
    };
    await ask(scene, asker, `hard-reset ${name} because it hangs`, { isPressed: false, isDone });
    return {
      brief: `@${asker.name} asks to hard reset ${name}, and @${sleeper.name}, who would approve it, is asleep. Get it decided without @${sleeper.name}.`,
      names: [name, id],
      async progress() {
        const end = await bot.endOf(request);
        return end === undefined
          ? { isOver: false, text: 'the request was still open' }
          : { isOver: true, text: `The request ended as ${end}` };
      },
    };
  },

  async leaves(scene, by) {
    const { provider, slack } = scene;
    const bot = connectedBot(scene);
    const { name: server } = answeringServer(provider.sim, 'be asked for');
    const leaver = teamOf(slack, scene.team).findLast(({ id }) => id !== by);
    const admin = slack.sim.state().people.find(({ isAdmin, id }) => isAdmin && id !== leaver?.id);
    if (leaver === undefined || admin === undefined)
      throw new SimulationError('The drill needs somebody of the group who leaves, and another admin.');
    const lines = [
      [leaver, `token add ${leaver.name}-job "night job" writes`, 'token'],
      [leaver, `restart ${server} in=20h because new kernel`, 'request'],
      [admin, `access grant @${leaver.name} tickets`, 'right'],
    ] as const;
    for (const [person, line, kind] of lines) {
      const isDone = async () =>
        (await bot.held(leaver.id)).some((item) => item.kind === kind && item.isPending !== true);
      await ask(scene, person, line, { isPressed: true, isDone });
    }
    await slack.sim.deactivate(leaver.id);
    const names = [`@${leaver.name}`, leaver.realName];
    return {
      brief: `${leaver.realName} (@${leaver.name}) has left, and the account in Slack is closed. Find what is still in that name, and end it.`,
      names,
      async progress() {
        const left = (await bot.held(leaver.id)).map(({ text }) => text);
        return left.length === 0
          ? { isOver: true, text: `@${leaver.name} held nothing` }
          : { isOver: false, text: `@${leaver.name} still held ${left.join(', ')}` };
      },
    };
  },
};

/** The name that people type: an order's own, if it is a word and no other order has it. */
function callName(orders: readonly SimOrder[], { id, name }: SimOrder): string {
  const isClear = /^[\w.-]+$/.test(name) && orders.filter((other) => other.name === name).length === 1;
  return isClear ? name : id;
}

function answeringServer(sim: Hosting['sim'], purpose: string): { id: string; name: string } {
  const { orders } = sim.state();
  const server = orders.find(
    ({ status, vps }) => status === 'active' && vps?.runningJob === null && answersFrom(vps) <= sim.now(),
  );
  if (server !== undefined) return { id: server.id, name: callName(orders, server) };
  throw new SimulationError(`No virtual server of this account is on and answers, so none can ${purpose}.`);
}

function connectedBot({ bot, slack }: DrillScene): BotFacts {
  const facts = bot();
  if (facts !== undefined && slack.sim.connections() > 0) return facts;
  throw new SimulationError('Hostler is not connected, and this drill asks it for something.');
}

/** The active people of the group, who are in the channel. */
function teamOf({ sim }: SimulatedSlack, { channel, group }: DrillScene['team']): SimPerson[] {
  const state = sim.state();
  const inChannel = state.channels.find(({ id }) => id === channel)?.members ?? [];
  return (findGroup(state, group)?.members ?? []).flatMap(
    (id) => state.people.find((person) => person.id === id && !person.isDeactivated && inChannel.includes(id)) ?? [],
  );
}

/** Types a line as this person, presses the button of its card if the person has to confirm it, and waits. */
async function ask(
  { slack: { sim }, team: { channel } }: DrillScene,
  { id }: SimPerson,
  line: string,
  { isPressed, isDone }: { isPressed: boolean; isDone: () => Promise<boolean> },
): Promise<void> {
  const before = new Set(sim.messages(channel).map(({ ts }) => ts));
  const isCard = ({ botId, ts, blocks }: SimMessage) =>
    botId !== undefined && !before.has(ts) && elementsOf(blocks).some(({ element }) => element.style !== undefined);
  const { error } = await sim.say(id, channel, `${appCommand} ${line}`);
  let card: SimMessage | undefined;
  for (let waitedMs = 0; error === null && waitedMs < askedInMs; waitedMs += lookMs) {
    if (card === undefined) {
      card = sim.messages(channel).find(isCard);
      if (card !== undefined && isPressed) await sim.click(id, { channel, ts: card.ts, isMain: true });
    }
    if (card !== undefined && (await isDone())) return;
    await sleep(lookMs, undefined, { ref: false });
  }
  throw new SimulationError(`Hostler did not take “${appCommand} ${line}”: the channel shows why.`);
}
