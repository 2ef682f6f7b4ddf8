import { z } from 'zod';
import type { Dict } from './dict.ts';

export interface SimPerson {
  id: string;
  /** The handle, as in @lead. */
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

/** Values a person has entered: block id, then action id, then Slack's state value. */
export type InputValues = Record<string, Record<string, Dict>>;

export interface SimMessage {
  channel: string;
  ts: string;
  user: string;
  /** Set on what the bot posted; people's messages have none. */
  botId?: string;
  /** Name of another app that posted it. */
  byApp?: string;
  text: string;
  blocks: Dict[];
  attachments: Dict[];
  threadTs?: string;
  edited?: { user: string; ts: string };
  files: string[];
  metadata?: Dict;
  isBroadcast?: boolean;
  /** Only this person sees it. */
  visibleTo?: string;
  /** People who were notified when it was posted; an edit notifies nobody. */
  pinged?: string[];
  /** Selections people made in this message, by person. */
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
  /** Errors shown in red under inputs: block id to words. */
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
  /** The modal the click came from, when it came from one. */
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
  /** Each person's stack of modals, the visible one last. */
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
  // The cast is safe for anything `snapshot()` wrote, which is the only writer; the check above refuses other files.
  return structuredClone(value) as SlackState;
}
