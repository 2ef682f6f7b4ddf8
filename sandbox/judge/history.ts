/**
 * A history is all that is visible of a run from outside: requests at the provider, messages and clicks in Slack, and
 * the exported audit. The judge uses nothing else, neither the bot's files nor its database.
 */
export interface History {
  readonly writes: readonly Write[];
  readonly acts: readonly SeenAct[];
  readonly posts: readonly Post[];
  readonly audit: readonly SealedLine[];
  /** The members of each group, from this time on. */
  readonly groups: readonly { readonly at: number; readonly group: string; readonly members: readonly string[] }[];
  /** The people who left or returned. */
  readonly people: readonly { readonly at: number; readonly user: string; readonly isActive: boolean }[];
  readonly admins: readonly string[];
  readonly channels: readonly { readonly id: string; readonly members: readonly string[] }[];
  /** Names that only their readers may see. */
  readonly secretNames: readonly { readonly name: string; readonly readers: readonly string[] }[];
  /** Times in which no request may start: a freeze, a pause, or a policy that gives no one the right. */
  readonly freezes: readonly { readonly from: number; readonly to: number | null }[];
  /** The servers, domains and buckets that were pinned, each from this time on. */
  readonly pins: readonly { readonly at: number; readonly target: string }[];
  /** Times without a running process. */
  readonly absences: readonly { readonly from: number; readonly to: number }[];
  /** Changes that people made without the bot. */
  readonly changes: readonly { readonly at: number; readonly target: string }[];
  /** The number of killed or suspended processes: each may cause one duplicate message in Slack. */
  readonly kills: number;
  /** The most time between a request's last write and its end; null if jobs hang or processes sleep. */
  readonly mostFollowMs: number | null;
  /** The most time between a check and the write that it allows. */
  readonly graceMs: number;
  /** The time by which a simulated clock advances before each act; 0 in real time. */
  readonly actMs: number;
  /** False while requests may still be running. */
  readonly isOver: boolean;
}

/** A request that changes something, as the provider received it. */
export interface Write {
  readonly at: number;
  readonly method: string;
  /** The path without the leading `/api`. */
  readonly path: string;
  /** Whether the provider applied it, regardless of its response. */
  readonly isApplied: boolean;
  /** The state of the job that it began; null without a job. */
  readonly job: 'open' | 'done' | 'error' | null;
}

/** An act of a person in Slack. */
export interface SeenAct {
  readonly at: number;
  readonly user: string;
  readonly channel: string;
  /** `approve`, `decline` and so on for a button of a card; `line` for typed words. */
  readonly kind: string;
  readonly operation: string | null;
  /** The typed text; empty for a button. */
  readonly text: string;
}

/** A posted or edited message. */
export interface Post {
  readonly at: number;
  readonly channel: string;
  readonly thread: string | null;
  /** The id of the message, which all its edits share. */
  readonly message: string;
  /** The requests of the message's buttons. */
  readonly requests: readonly string[];
  readonly text: string;
  /** The only person who sees the message; null for the whole channel. */
  readonly onlyFor: string | null;
  readonly isEdit: boolean;
}

/** A line of `hostler audit export`. */
export interface SealedLine {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly actor: string | null;
  readonly channel: string | null;
  readonly operationId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly prev: string;
  readonly hash: string;
}

export const emptyHistory: History = {
  writes: [],
  acts: [],
  posts: [],
  audit: [],
  groups: [],
  people: [],
  admins: [],
  channels: [],
  secretNames: [],
  freezes: [],
  pins: [],
  absences: [],
  changes: [],
  kills: 0,
  mostFollowMs: null,
  graceMs: 0,
  actMs: 0,
  isOver: true,
};
