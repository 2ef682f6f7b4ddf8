/**
 * A history is everything about a run that can be seen from outside: requests at the provider, messages and clicks in
 * Slack, and the exported audit. The judge uses nothing else: no file of the bot, no row of its database.
 */
export interface History {
  readonly writes: readonly Write[];
  readonly acts: readonly SeenAct[];
  readonly posts: readonly Post[];
  readonly audit: readonly SealedLine[];
  /** Members of each group, from this moment on. */
  readonly groups: readonly { readonly at: number; readonly group: string; readonly members: readonly string[] }[];
  /** People who left, and who came back. */
  readonly people: readonly { readonly at: number; readonly user: string; readonly isActive: boolean }[];
  readonly admins: readonly string[];
  readonly channels: readonly { readonly id: string; readonly members: readonly string[] }[];
  /** Names that only these people may read. */
  readonly secretNames: readonly { readonly name: string; readonly readers: readonly string[] }[];
  /** Times in which nothing may begin: a freeze, a pause, or a policy that gives nobody the right. */
  readonly freezes: readonly { readonly from: number; readonly to: number | null }[];
  /** Times in which no process was awake. */
  readonly absences: readonly { readonly from: number; readonly to: number }[];
  /** Things that somebody changed behind the bot's back. */
  readonly changes: readonly { readonly at: number; readonly target: string }[];
  /** Processes that were killed, or stood still: a message may stand in Slack once more for each. */
  readonly kills: number;
  /** The most time between the last write of a request and its end; null where jobs hang or processes sleep. */
  readonly mostFollowMs: number | null;
  /** The most time between a check and the write that it allows. */
  readonly graceMs: number;
  /** False while requests may still be under way. */
  readonly isOver: boolean;
}

/** A request that changes something, as the provider received it. */
export interface Write {
  readonly at: number;
  readonly method: string;
  /** Without the leading `/api`. */
  readonly path: string;
  /** Whether the provider did it, whatever it answered. */
  readonly isApplied: boolean;
  /** The state of the job that it began; null when it began none. */
  readonly job: 'open' | 'done' | 'error' | null;
}

/** Something that a person did in Slack. */
export interface SeenAct {
  readonly at: number;
  readonly user: string;
  readonly channel: string;
  /** `approve`, `decline` and so on for a button of a card; `line` for typed words. */
  readonly kind: string;
  readonly operation: string | null;
  /** The words that were typed; empty for a button. */
  readonly text: string;
}

/** A message as it was posted or changed. */
export interface Post {
  readonly at: number;
  readonly channel: string;
  readonly thread: string | null;
  /** Names the message: each edit of it has the same. */
  readonly message: string;
  /** The requests about which its buttons decide. */
  readonly requests: readonly string[];
  readonly text: string;
  /** The one person who sees it; null for all in the channel. */
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
  absences: [],
  changes: [],
  kills: 0,
  mostFollowMs: null,
  graceMs: 0,
  isOver: true,
};
