import type { History, SealedLine } from './history.ts';

/** An approved step: the audit's line right before the step's write. */
export interface Call {
  readonly seq: number;
  readonly at: number;
  readonly step: number;
  /** `order:34-12345` or `domain:example.com`; null if the audit names no target. */
  readonly target: string | null;
}

export interface CountedVote {
  readonly seq: number;
  readonly at: number;
  readonly user: string;
  readonly isSolo: boolean;
}

/** A moment before which nothing begins, from this line of the audit on. */
export interface NotBefore {
  readonly seq: number;
  readonly at: number;
}

/** The runs that a standing approval allows. */
export interface RunLimits {
  readonly mostRuns: number;
  readonly until: number;
}

export type DecisionRule = 'none' | 'confirm' | { readonly approve: number; readonly by: readonly string[] };

export interface End {
  readonly seq: number;
  readonly at: number;
  readonly state: string;
  readonly by: string | null;
  readonly text: string;
  /** True for an error before the request had a card, which only its requester reads. */
  readonly isPrivate: boolean;
}

/** A request from its creation to its end, according to the audit. */
export interface RequestStory {
  readonly id: string;
  readonly channel: string;
  readonly requester: string;
  readonly command: string;
  /** The title and the effect. */
  readonly title: string;
  readonly rule: DecisionRule;
  readonly askedAt: number;
  readonly timesAsked: number;
  /** The request of the standing approval of which it is a run. */
  readonly runOf: string | null;
  /** Null for a request that is no standing approval. */
  readonly allowance: RunLimits | null;
  readonly votes: readonly CountedVote[];
  /** The lines after which it needs no approvals, because somebody broke the glass. */
  readonly glass: readonly number[];
  readonly voids: readonly { readonly seq: number; readonly at: number; readonly user: string }[];
  /** The hour of the request, then each hour to which people moved it. */
  readonly hours: readonly NotBefore[];
  /** The changes of its hour, which make earlier votes for it void. */
  readonly moves: readonly number[];
  /** The ends of its countdowns. */
  readonly countdowns: readonly NotBefore[];
  readonly startedAt: number | null;
  readonly calls: readonly Call[];
  readonly stoppedAt: number | null;
  /** The response to one of its steps was lost. */
  readonly wasLost: boolean;
  /** The title of the stopped request. */
  readonly stopped: string | null;
  readonly ends: readonly End[];
}

const endKinds = ['declined', 'expired', 'withdrawn', 'refused', 'failed', 'ended'];

/** Groups the audit by request, in the order of creation. */
export function requestsOf(history: History): RequestStory[] {
  const groups = Map.groupBy(
    history.audit.filter((line) => line.operationId !== null),
    (line) => line.operationId ?? '',
  );
  return [...groups].flatMap(([id, lines]) => {
    const asked = lines.find(({ kind }) => kind === 'asked');
    return asked === undefined ? [] : [storyOf(id, asked, lines)];
  });
}

function storyOf(id: string, asked: SealedLine, lines: readonly SealedLine[]): RequestStory {
  const of = (kind: string): SealedLine[] => lines.filter((line) => line.kind === kind);
  return {
    id,
    channel: asked.channel ?? '',
    requester: asked.actor ?? '',
    command: text(asked.data.command),
    title: text(asked.data.text),
    rule: ruleOf(asked.data.rule),
    askedAt: asked.at,
    timesAsked: of('asked').length,
    runOf: field(asked.data.when, 'of', 'string') ?? null,
    allowance: allowanceOf(asked.data.when),
    votes: of('vote').map(({ seq, at, actor, data }) => ({ seq, at, user: actor ?? '', isSolo: data.solo === true })),
    glass: of('glass_broken').map(({ seq }) => seq),
    voids: of('vote_void').map(({ seq, at, actor }) => ({ seq, at, user: actor ?? '' })),
    hours: [...momentsIn([asked], 'startsAt'), ...momentsIn(of('moved'), 'to')],
    moves: of('moved').map(({ seq }) => seq),
    countdowns: momentsIn(of('cooling'), 'readyAt'),
    startedAt: of('started')[0]?.at ?? null,
    calls: of('call').map(({ seq, at, data }) => ({
      seq,
      at,
      step: typeof data.step === 'number' ? data.step : -1,
      target: typeof data.target === 'string' ? data.target : null,
    })),
    stoppedAt: of('stop')[0]?.at ?? null,
    wasLost: of('lost').length > 0,
    stopped: of('stop')[0] === undefined ? null : text(of('stop')[0]?.data.text).replace(/^stopped: /, ''),
    ends: lines
      .filter(({ kind }) => endKinds.includes(kind))
      .map(({ seq, at, kind, actor, data }) => ({
        seq,
        at,
        state: kind === 'ended' ? text(data.end) : kind,
        by: actor,
        text: text(data.text),
        isPrivate: kind === 'failed',
      })),
  };
}

function momentsIn(lines: readonly SealedLine[], field: string): NotBefore[] {
  return lines.flatMap(({ seq, data }) => {
    const at = data[field];
    return typeof at === 'number' ? [{ seq, at }] : [];
  });
}

/** The valid votes at this line. A voided vote is valid again once it is cast again; approvals are for one hour. */
export function votesBefore(story: RequestStory, seq: number): CountedVote[] {
  const counted = new Map<string, CountedVote>();
  const movedAt = typeof story.rule === 'string' ? -1 : Math.max(-1, ...story.moves.filter((move) => move < seq));
  for (const vote of story.votes) if (vote.seq < seq && vote.seq > movedAt) counted.set(vote.user, vote);
  for (const gone of story.voids) {
    const vote = counted.get(gone.user);
    if (gone.seq < seq && vote !== undefined && vote.seq < gone.seq) counted.delete(gone.user);
  }
  return [...counted.values()];
}

/** The request whose votes count: for a run that of its standing approval. */
export function decidedBy(history: History, request: RequestStory): RequestStory {
  const standing = requestsOf(history).find(({ id }) => id === request.runOf);
  return standing ?? request;
}

function allowanceOf(repeat: unknown): RunLimits | null {
  const mostRuns = field(repeat, 'mostRuns', 'number');
  const until = field(repeat, 'until', 'number');
  return mostRuns === undefined || until === undefined ? null : { mostRuns, until };
}

function field(value: unknown, name: string, type: 'string'): string | undefined;
function field(value: unknown, name: string, type: 'number'): number | undefined;
function field(value: unknown, name: string, type: 'string' | 'number'): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const inner: unknown = Reflect.get(value, name);
  return typeof inner === type ? inner : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function ruleOf(value: unknown): DecisionRule {
  if (value === 'none' || value === 'confirm') return value;
  if (typeof value !== 'object' || value === null) return { approve: Number.POSITIVE_INFINITY, by: [] };
  const { approve, by } = value as { approve?: unknown; by?: unknown };
  return {
    approve: typeof approve === 'number' ? approve : Number.POSITIVE_INFINITY,
    by: Array.isArray(by) ? by.filter((approver) => typeof approver === 'string') : [],
  };
}
