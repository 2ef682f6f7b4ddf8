import { emptyHistory, type History, type Post, type SeenAct } from '../../../sandbox/judge/history.ts';
import { judge, type Violation } from '../../../sandbox/judge/judge.ts';
import type { SimulatedProvider } from '../../../sandbox/provider/server.ts';
import type { Outcome, Payload } from '../../../sandbox/slack/delivery/types.ts';
import type { SimulatedSlack } from '../../../sandbox/slack/server.ts';
import type { RecordedRequest } from '../../../sandbox/slack/workspace.ts';
import type { Store } from '../../../src/store/database.ts';
import type { PeopleOverTime } from '../process/people-over-time.ts';
import { adminId } from '../process/simulators.ts';
import { seenWrites } from './writes.ts';

/** Reads the visible history of a run: the provider's log, the messages and clicks in Slack, and the audit. */

interface SeenSystem {
  readonly slack: SimulatedSlack;
  readonly provider: SimulatedProvider;
  readonly store: Pick<Store, 'audit'>;
  readonly peopleOverTime: PeopleOverTime;
}

/** `more` has facts that no simulator keeps: past members of groups, freezes, the number of killed processes. */
export async function historyOf(
  { slack, provider, store, peopleOverTime }: SeenSystem,
  more: Partial<History> = {},
): Promise<History> {
  const { sim } = slack;
  return {
    ...emptyHistory,
    writes: seenWrites(provider.sim),
    acts: sim.outcomes().flatMap((outcome) => actsOf(slack, outcome)),
    posts: sim.requests().flatMap(postsOf),
    audit: await auditIn(store),
    ...peopleOverTime,
    admins: [adminId],
    channels: sim.state().channels,
    graceMs: 2_000,
    ...more,
  };
}

/** Returns the promises that the run has broken, each as a sentence. */
export async function verdictOn(seen: SeenSystem, more: Partial<History> = {}): Promise<Violation[]> {
  const history = await historyOf(seen, more);
  // A history of which the judge can read nothing breaks no promise either, so a lie about it has to be noticed.
  const twice = judge({ ...history, writes: history.writes.flatMap((write) => [write, write]) });
  if (history.writes.length > 0 && twice.every(({ rule }) => rule !== 'announced'))
    throw new Error('The judge cannot read this history: writes that were sent twice would break no promise.');
  return judge(history);
}

async function auditIn(store: Pick<Store, 'audit'>): Promise<History['audit']> {
  const lines: History['audit'][number][] = [];
  for await (const line of store.audit.exportAll()) lines.push(JSON.parse(JSON.stringify(line)));
  return lines;
}

function actsOf({ sim }: SimulatedSlack, outcome: Outcome): SeenAct[] {
  const payload = outcome.payloadId === null ? undefined : sim.payload(outcome.payloadId);
  if (payload === undefined || payload.userId === null) return [];
  const { body, userId: user } = payload;
  const act = { at: outcome.deliveredAtMs, user, channel: payload.channel ?? '' };
  const pressed = votesIn(payload);
  if (pressed.length > 0) return pressed.map((vote) => ({ ...act, ...vote, text: '' }));
  return [{ ...act, kind: 'line', operation: null, text: JSON.stringify(body) }];
}

/** A button carries its request and the decision as JSON. */
function votesIn({ body }: Payload): { kind: string; operation: string }[] {
  const actions: unknown = body.actions;
  if (!Array.isArray(actions)) return [];
  return actions.flatMap(({ value }: { value?: unknown }) => voteIn(value) ?? []);
}

function voteIn(value: unknown): { kind: string; operation: string } | undefined {
  const intent = typeof value === 'string' ? jsonOf(value) : undefined;
  return intent?.do === 'vote' ? { kind: String(intent.vote), operation: String(intent.operation) } : undefined;
}

/** The values of all buttons. */
function valuesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (typeof value !== 'object' || value === null) return [];
  return 'value' in value ? [value.value] : Object.values(value).flatMap(valuesIn);
}

function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const posting = ['chat.postMessage', 'chat.update', 'chat.postEphemeral'];

function postsOf({ method, args, atMs, ok, ts }: RecordedRequest): Post[] {
  if (!ok || !posting.includes(method)) return [];
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const blocks: unknown = typeof args.blocks === 'string' ? jsonOf(args.blocks) : args.blocks;
  return [
    {
      at: atMs,
      channel: text(args.channel) ?? '',
      thread: text(args.thread_ts),
      message: ts ?? text(args.ts) ?? '',
      requests: valuesIn(blocks).flatMap((value) => voteIn(value)?.operation ?? []),
      text: [text(args.text) ?? '', ...wordsIn(blocks)].join('\n'),
      onlyFor: text(args.user),
      isEdit: method === 'chat.update',
    },
  ];
}

/** All texts of the blocks; those of one line of rich text are one. */
function wordsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { type, elements, text } = value as { type?: unknown; elements?: unknown; text?: unknown };
  if (type === 'rich_text_section' && Array.isArray(elements))
    return [elements.map((element: { text?: unknown }) => String(element.text ?? '')).join('')];
  if (typeof text === 'string') return [plain(text)];
  return Object.values(value).flatMap(wordsIn);
}

const plain = (text: string): string => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
