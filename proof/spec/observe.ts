import { z } from 'zod';
import { people } from '../../test/support/bot/fake-slack.ts';
import type { Step } from '../simulate/scheduler.ts';
import type { Look } from '../simulate/world.ts';

/** Translates a running history of the engine to actions of proof/spec/request.qnt. */

export interface RowStates {
  readonly state: string;
  readonly write: string;
}

/** An action, with the state of the rows before it. */
export interface Observed extends RowStates {
  readonly action: string;
}

export interface Observer {
  readonly watch: (state: Look) => Promise<void>;
  /** The present state of the rows. */
  readonly rows: () => RowStates;
  readonly actions: readonly Observed[];
}

const names = new Map(Object.entries(people).map(([name, id]) => [id, name]));
const writes: Readonly<Record<string, string>> = {
  verifying: 'accepted',
  answering: 'accepted',
  unverified: 'unknown',
};
const states: Readonly<Record<string, string>> = { unverified: 'unknown', stopped: 'refused' };
/** The reads that return the server's name. */
const tellsName = /^GET \/api\/orders\/(\?|34-12345\/)/;
/** Actions that the specification ignores once the write was sent. */
const beforeTheWrite = /^(stop|freeze|leaveGroup|change|takeBack)/;
const ends = ['done', 'failed', 'unknown', 'declined', 'withdrawn', 'refused'];

const outcomeSchema = z.looseObject({ by: z.string().nullable() }).nullable();

interface Seen extends RowStates {
  readonly votes: ReadonlySet<string>;
  /** The person who declined the request. */
  readonly decliner: string;
  readonly isStopped: boolean;
  readonly frozen: number;
  readonly arrived: number;
  /** The job's state in the specification's terms. */
  readonly job: string;
}

export function createObserver(): Observer {
  const actions: Observed[] = [];
  let before: Seen = {
    state: 'none',
    write: 'pending',
    votes: new Set(),
    decliner: '',
    isStopped: false,
    frozen: 0,
    arrived: 0,
    job: 'none',
  };
  let noted = 0;
  /** The process that waits for the response to the write. */
  let sender = '';
  const processOf = createSeats();
  /** The last person that each process looked up, until it has also looked up the group. */
  const lookups = new Map<string, string>();

  function say(action: string): void {
    const { state, write } = before;
    const isTooLate = ends.includes(state) || (write !== 'pending' && beforeTheWrite.test(action));
    if (!isTooLate) actions.push({ action, state, write });
  }

  /** Recognizes acts of people and reads, which change no row, by the label of their step. */
  function sayStep(step: Step): void {
    const { label, actor } = step;
    const isDecided = (before.state === 'approved' || before.state === 'running') && before.write === 'pending';
    const process = `"${processOf(step)}"`;
    const [, user] = /^Slack: who is (U\w+)$/.exec(label) ?? [];
    if (user !== undefined) lookups.set(actor, names.get(user) ?? user);
    const looked = lookups.get(actor);
    if (label.startsWith('Slack: who is in') && looked !== undefined) {
      lookups.delete(actor);
      if (isDecided && before.votes.has(looked)) say(`lookAtVote(${process}, "${looked}")`);
    }
    if (label === 'select freezes' && isDecided) say(`lookAtFreezes(${process})`);
    if (tellsName.test(label) && isDecided) say(`lookAtServer(${process})`);
    const [, leaver] = /^(\w+) leaves the group$/.exec(label) ?? [];
    if (leaver !== undefined) say(`leaveGroup("${leaver}")`);
    if (label === 'somebody renames web-1') say('change');
    for (const seat of processOf.emptiedBy(step)) {
      say(`kill("${seat}")`);
      if (seat === sender) sender = '';
    }
  }

  return {
    actions,
    rows: () => before,
    watch: async ({ steps, read, writes: writesOf }) => {
      // After the start the list of steps begins anew.
      if (steps.length < noted) noted = 0;
      for (; noted < steps.length; noted++) {
        const step = steps[noted];
        if (step !== undefined) sayStep(step);
      }
      const last = steps.at(-1);
      // Without steps the tables do not exist yet.
      if (last === undefined) return;
      const process = processOf(last);
      const now = await rowsOf(read, writesOf);
      if (now.frozen > before.frozen) say('freeze');
      if (before.state === 'none' && now.state !== 'none') say('ask');
      // A vote that arrives after a decline or withdrawal is stored, but does not count.
      const isOff = now.state === 'declined' || now.state === 'withdrawn';
      for (const who of now.votes) if (!isOff && !before.votes.has(who)) say(`approve("${who}")`);
      for (const who of before.votes) if (!now.votes.has(who)) say(`takeBack("${who}")`);
      if (now.isStopped && !before.isStopped) say('stop');
      for (const action of moves(before, now, process, sender)) say(action);
      if (before.write === 'pending' && now.write === 'running') sender = process;
      else if (before.write !== now.write && process === sender) sender = '';
      before = now;
    },
  };
}

/** Maps processes to the two of the specification; a new process gets the place of the killed one. */
function createSeats() {
  const free = ['first', 'second'];
  const taken = new Map<string, string>();
  const seatOf = ({ actor }: Step): string => {
    if (!actor.startsWith('bot-')) return '';
    const seat = taken.get(actor) ?? free.shift();
    if (seat === undefined) throw new Error(`${actor} is a third process`);
    taken.set(actor, seat);
    return seat;
  };
  const emptiedBy = ({ killed }: Step): string[] =>
    killed.map((process) => {
      const seat = taken.get(process) ?? free.shift() ?? '';
      taken.delete(process);
      free.unshift(seat);
      return seat;
    });
  return Object.assign(seatOf, { emptiedBy });
}

async function rowsOf(read: Look['read'], writesOf: Look['writes']): Promise<Seen> {
  const [operation] = await read("select * from operations where command in ('restart', 'stop') order by created_at");
  const id = operation?.id ?? '';
  const votes = await read("select user_id from votes where operation_id = ? and is_void = 0 and vote = 'approve'", [
    id,
  ]);
  const [step] = await read('select state from steps where operation_id = ? and n = 0', [id]);
  const frozen = await read('select id from freezes');
  const sent = writesOf();
  const state = String(operation?.state ?? 'none');
  const write = String(step?.state ?? 'pending');
  return {
    state: states[state] ?? state,
    write: writes[write] ?? write,
    votes: new Set(votes.map(({ user_id: user }) => names.get(String(user)) ?? String(user))),
    decliner: names.get(outcomeSchema.parse(JSON.parse(String(operation?.outcome ?? 'null')))?.by ?? '') ?? '',
    isStopped: typeof operation?.stop_by === 'string',
    frozen: frozen.length,
    arrived: sent.length,
    job: jobOf(sent),
  };
}

function jobOf([first]: ReturnType<Look['writes']>): string {
  if (first === undefined) return 'none';
  if (!first.isApplied) return 'refused';
  if (first.job === 'error') return 'broken';
  return first.job ?? 'done';
}

/** The actions between two states of the rows, in the order that the specification allows. */
function moves(before: Seen, now: Seen, process: string, sender: string): string[] {
  const from = `${before.state} ${now.state}`;
  const actions: string[] = [];
  if (from === 'waiting approved') actions.push('decide');
  if (from === 'waiting declined') actions.push(`decline("${now.decliner}")`);
  if (from === 'waiting withdrawn') actions.push('withdraw');
  if (from === 'approved waiting') actions.push('reopen');
  if (from === 'approved refused') actions.push('refuse');
  if (from === 'approved running') actions.push(`begin("${process}")`);
  if (before.write === 'pending' && now.write === 'running') actions.push(`send("${process}")`);
  for (let n = before.arrived; n < now.arrived; n++) actions.push(`arrive(${now.job !== 'refused'})`);
  if (now.job === 'done' && before.job !== 'done') actions.push('endJob(true)');
  if (now.job === 'broken' && before.job !== 'broken') actions.push('endJob(false)');
  if (before.write !== now.write && now.write !== 'running') actions.push(...endOf(now, process, process === sender));
  if (from === 'running reading') actions.push('tellLost');
  if (from === 'reading running') actions.push('goOn');
  if (['running', 'reading'].includes(before.state) && ['done', 'failed', 'unknown', 'refused'].includes(now.state))
    actions.push('finish');
  return actions;
}

function endOf(now: Seen, process: string, isSender: boolean): string[] {
  if (now.write === 'accepted') return [`accept("${process}")`];
  if (now.write === 'reading') return [...(isSender ? [`loseAnswer("${process}")`] : []), 'giveUpWaiting'];
  if (now.write === 'skipped') return ['skip'];
  // A write that has not arrived by now must never arrive.
  const vanish = now.write === 'failed' && now.arrived === 0 ? ['vanish'] : [];
  return [...vanish, isSender ? `refuseWrite("${process}")` : `settle("${now.write}")`];
}
