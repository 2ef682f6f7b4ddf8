import type { Look } from '../simulate/world.ts';
import { people } from '../support/fake-slack.ts';

/** Reads a history of the engine as actions of spec/request.qnt, while it is played. */

export interface Rows {
  readonly state: string;
  readonly write: string;
}

export interface Observer {
  readonly watch: (look: Look) => Promise<void>;
  /** The rows as they are now. */
  readonly rows: () => Rows;
  readonly actions: readonly string[];
}

const names = new Map(Object.entries(people).map(([name, id]) => [id, name]));
const writes: Readonly<Record<string, string>> = { verifying: 'accepted', unverified: 'unknown' };
const states: Readonly<Record<string, string>> = { unverified: 'unknown', stopped: 'refused' };

interface Seen extends Rows {
  readonly votes: ReadonlySet<string>;
  readonly isStopped: boolean;
  readonly frozen: number;
  readonly arrived: number;
  readonly isApplied: boolean;
}

export function createObserver(): Observer {
  const actions: string[] = [];
  let before: Seen = {
    state: 'none',
    write: 'pending',
    votes: new Set(),
    isStopped: false,
    frozen: 0,
    arrived: 0,
    isApplied: false,
  };
  let known = 0;
  /** The last person whom each process looked up, until it also looked up the group. */
  const lookups = new Map<string, string>();
  /** Votes that became void since it was decided. */
  let gone: string[] = [];

  const say = (action: string) => actions.push(action);

  return {
    actions,
    rows: () => before,
    watch: async ({ steps, read, writes: writesOf }) => {
      for (; known < steps.length; known++) {
        const { label = '', actor = '' } = steps[known] ?? {};
        const isDecided = (before.state === 'approved' || before.state === 'running') && before.write === 'pending';
        const [, user] = /^Slack: who is (U\w+)$/.exec(label) ?? [];
        if (user !== undefined) lookups.set(actor, names.get(user) ?? user);
        const looked = lookups.get(actor);
        if (label.startsWith('Slack: who is in') && looked !== undefined) {
          lookups.delete(actor);
          if (isDecided && before.votes.has(looked)) say(`lookAtVote("${looked}")`);
        }
        if (label === 'select freezes' && isDecided) say('lookAtFreezes');
        const [, leaver] = /^(\w+) leaves the group$/.exec(label) ?? [];
        if (leaver !== undefined) say(`leaveGroup("${leaver}")`);
        if (label === 'a kill') say('kill');
      }
      // Before the processes have started there are no tables yet.
      if (steps.length === 0) return;
      const now = await rowsOf(read, writesOf);
      if (now.frozen > before.frozen) say('freeze');
      if (before.state === 'none' && now.state !== 'none') say('ask');
      // A vote that was on its way when the request was declined or withdrawn is kept, and counts for nothing.
      const isOff = now.state === 'declined' || now.state === 'withdrawn';
      for (const who of now.votes) if (!isOff && !before.votes.has(who)) say(`approve("${who}")`);
      gone.push(...[...before.votes].filter((who) => !now.votes.has(who)));
      if (now.isStopped && !before.isStopped) say('stop');
      for (const action of moves(before, now, gone)) say(action);
      if (now.state === 'waiting') gone = [];
      before = now;
    },
  };
}

async function rowsOf(read: Look['read'], writesOf: Look['writes']): Promise<Seen> {
  const [operation] = await read('select * from operations where command = ? order by created_at limit 1', ['restart']);
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
    isStopped: typeof operation?.stop_by === 'string',
    frozen: frozen.length,
    arrived: sent.length,
    isApplied: sent.some(({ isApplied }) => isApplied),
  };
}

/** The actions between two looks at the rows, in the order in which the page allows them. */
function moves(before: Seen, now: Seen, gone: readonly string[]): string[] {
  const from = `${before.state} ${now.state}`;
  const found: string[] = [];
  if (from === 'waiting approved') found.push('decide');
  if (from === 'waiting declined') found.push('decline("lead")');
  if (from === 'waiting withdrawn') found.push('withdraw');
  const [left] = gone;
  if (from === 'approved waiting' && left !== undefined) found.push(`reopen("${left}")`);
  if (from === 'approved refused') found.push('refuse');
  if (from === 'approved running') found.push('begin');
  if (before.write === 'pending' && now.write === 'running') found.push('send');
  for (let n = before.arrived; n < now.arrived; n++) found.push(`arrive(${now.isApplied})`);
  if (before.write !== now.write && now.write !== 'running') found.push(endOf(before.write, now.write));
  if (from === 'running reading') found.push('tellLost');
  if (from === 'reading running') found.push('goOn');
  if (['running', 'reading'].includes(before.state) && ['done', 'failed', 'unknown', 'refused'].includes(now.state))
    found.push('finish');
  return found;
}

function endOf(before: string, now: string): string {
  if (now === 'accepted') return 'accept';
  if (now === 'reading') return 'lose';
  if (now === 'skipped') return 'skip';
  if (before === 'running') return 'refuseWrite';
  return `settle("${now}")`;
}
