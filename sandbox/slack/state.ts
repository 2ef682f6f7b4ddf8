import { z } from 'zod';
import type { Dict } from './dict.ts';

export interface SimPerson {
  id: string;
  /** The handle, such as `lead`. */
  name: string;
  realName: string;
  teamId: string;
  tz: string;
  isAdmin: boolean;
  isRestricted: boolean;
  isUltraRestricted: boolean;
  isBot: boolean;
  isDeactivated: boolean;
}

export interface UserGroup {
  id: string;
  handle: string;
  name: string;
  members: string[];
  isDisabled: boolean;
  updatedS: number;
}

export interface SimChannel {
  id: string;
  name: string;
  /** `mpim` is a group direct message. */
  kind: 'public' | 'private' | 'im' | 'mpim';
  members: string[];
  isArchived: boolean;
  isExtShared: boolean;
  connectedTeams: string[];
  creator: string;
  createdS: number;
}

/** A person's entered values: by block id, then by action id. */
export type InputValues = Record<string, Record<string, Dict>>;

export interface SimMessage {
  channel: string;
  ts: string;
  user: string;
  /** Set on the bot's messages. */
  botId?: string;
  /** The name of the other app that posted the message. */
  byApp?: string;
  text: string;
  blocks: Dict[];
  attachments: Dict[];
  threadTs?: string;
  edited?: { user: string; ts: string };
  files: string[];
  metadata?: Dict;
  isBroadcast?: boolean;
  /** The only person who sees the message. */
  visibleTo?: string;
  /** The people who were notified of the post; edits notify no one. */
  pinged?: string[];
  /** People's selections in this message, by person. */
  values: Record<string, InputValues>;
}

export interface SimView {
  id: string;
  hash: string;
  type: 'modal' | 'home';
  userId: string;
  callbackId: string;
  externalId: string;
  privateMetadata: string;
  title: Dict | null;
  submit: Dict | null;
  close: Dict | null;
  blocks: Dict[];
  isClearOnClose: boolean;
  isNotifyOnClose: boolean;
  rootViewId: string;
  previousViewId: string | null;
  values: InputValues;
  /** The errors under inputs, by block id. */
  errors: Record<string, string>;
}

export interface StoredFile {
  id: string;
  name: string;
  title: string;
  altText: string;
  mimetype: string;
  size: number;
  userId: string;
  createdS: number;
  contentBase64: string;
  /** The address of a file that Slack only links to. */
  externalUrl?: string;
  isUploaded: boolean;
  isCompleted: boolean;
  shares: { channel: string; ts: string; threadTs: string | null }[];
}

interface Trigger {
  userId: string;
  atMs: number;
  isUsed: boolean;
  /** The modal of the click, if any. */
  viewId: string | null;
}

interface ResponseUrl {
  userId: string;
  channel: string;
  messageTs: string | null;
  isEphemeral: boolean;
  threadTs: string | null;
  atMs: number;
  uses: number;
}

export interface SlackState {
  version: 1;
  team: { id: string; name: string; domain: string };
  app: { id: string; name: string; botUserId: string; botId: string };
  scopes: string[];
  events: string[];
  secrets: { botToken: string; appToken: string; signingSecret: string; verificationToken: string };
  isTokenRevoked: boolean;
  people: SimPerson[];
  groups: UserGroup[];
  channels: SimChannel[];
  messages: SimMessage[];
  ephemerals: SimMessage[];
  files: StoredFile[];
  /** Each person's stack of modals; the last is visible. */
  modals: Record<string, SimView[]>;
  homes: Record<string, SimView>;
  triggers: Record<string, Trigger>;
  responseUrls: Record<string, ResponseUrl>;
  counter: number;
  lastTsMicros: number;
}

const saved = z.looseObject({
  version: z.literal(1),
  team: z.looseObject({ id: z.string() }),
  secrets: z.looseObject({ botToken: z.string(), appToken: z.string(), signingSecret: z.string() }),
  people: z.array(z.looseObject({ id: z.string() })),
  channels: z.array(z.looseObject({ id: z.string() })),
  messages: z.array(z.looseObject({ ts: z.string() })),
});

export function parseState(value: unknown): SlackState {
  saved.parse(value);
  // Only `snapshot()` writes states, and the check above refuses other files.
  return structuredClone(value) as SlackState;
}
