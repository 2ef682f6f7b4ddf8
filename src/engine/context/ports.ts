import type { UploadedFile } from '../../core/bot.ts';
import type { Standing } from '../../core/evaluate.ts';
import type { Form, FormOption, FormValues } from '../../core/form.ts';
import type { View } from '../../core/view.ts';
import type { Acknowledgement, Place, Request } from './request.ts';

/** Who people are and what channels are like, from Slack. Lookups that fail throw or say `unknown`: both count as no. */
export interface Directory {
  /** Answers may be remembered for a minute, unless somebody asks for one that is not so old. */
  readonly person: (user: string, maxAgeMs?: number) => Promise<Person>;
  readonly channel: (channel: string, maxAgeMs?: number) => Promise<Channel>;
  readonly groupMembers: (group: string, maxAgeMs?: number) => Promise<ReadonlySet<string>>;
  readonly isInChannel: (channel: string, user: string) => Promise<boolean>;
  /** Only a file that this person uploaded. */
  readonly file: (id: string, uploader: string) => Promise<UploadedFile>;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly standing: Standing;
  readonly timeZone: string;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly isShared: boolean;
  readonly isArchived: boolean;
  /** Whether the bot is in it and can post. */
  readonly hasBot: boolean;
}

/** What is said right away and need not survive a crash. What must (cards, ends, alerts) is a row of the outbox. */
export interface Messenger {
  /** Only this person sees it: ephemeral, in the thread if there is one; a direct message where that is not possible. */
  readonly postEphemeral: (place: Place, user: string, view: View) => Promise<void>;
  /** In the channel, in the thread if there is one, with its files. */
  readonly answer: (place: Place, user: string, view: View) => Promise<void>;
}

/** A message that should exist in Slack with this content; `version` grows with each change of the content. */
export interface OutboxMessage {
  readonly key: string;
  /** A channel id, or a user id for a direct message. */
  readonly channel: string;
  /** The message in whose thread this one belongs. */
  readonly threadTs: string | null;
  /** Its own timestamp once posted: then it is edited, not posted. */
  readonly ts: string | null;
  readonly view: View;
  readonly version: number;
  readonly attempts: number;
}

/** Brings Slack in line with the rows. The engine nudges; whoever delivers claims, so replicas do not post twice. */
export interface Outbox {
  /** Messages that are due and not claimed by another replica, oldest first; at most one per channel is newly posted at a time. */
  readonly claim: (limit: number) => Promise<readonly OutboxMessage[]>;
  readonly delivered: (key: string, version: number, ts: string) => Promise<void>;
  readonly postpone: (key: string, delayMs: number, why: string) => Promise<void>;
  /** It can never be delivered (channel gone): the engine tells the requester by direct message. */
  readonly undeliverable: (key: string, why: string) => Promise<void>;
  /** Called when there is something to deliver; returns how to stop listening. */
  readonly onNudge: (listener: () => void) => () => void;
  /** When the next postponed message is due; undefined when none is. */
  readonly nextDueAt: () => Promise<number | undefined>;
}

/** What the Slack side may ask of the engine. */
export interface Engine {
  /** Pure and synchronous. */
  readonly urgency: (request: Request) => Acknowledgement;
  /**
   * Resolves when the request is on disk; false when this payload was here before. `opens` says that it is answered by a
   * modal: of such a request only the id is kept, because a modal that a crash cut off is opened again by a person.
   */
  readonly receive: (request: Request, opens?: 'opens') => Promise<boolean>;
  /** Works on a received request to its answer. Never rejects; every answer goes through the desk or the outbox. */
  readonly handle: (request: Request) => Promise<void>;
  /** For urgency `form`: what to show in the modal that is already open. Never rejects. */
  readonly form: (request: Request) => Promise<FormAnswer>;
  /** A submitted form, already received. Errors by field keep the modal open. Never rejects. */
  readonly submit: (request: Request) => Promise<SubmitAnswer>;
  /** The modal was closed without submitting. */
  readonly dropForm: (form: string, user: string) => Promise<void>;
  /** Search as you type; answers from memory, and offers only what this person may act on. Never rejects. */
  readonly suggest: (query: {
    readonly actor: string;
    readonly form: string;
    readonly source: string;
    readonly text: string;
    /** What is filled in so far. */
    readonly given?: FormValues;
  }) => Promise<readonly FormOption[]>;
  readonly home: (actor: string) => Promise<View>;
  /** Slack says that something about a channel changed: for the audit; rights are looked at whenever something is decided. */
  readonly changed: (what: {
    readonly kind: 'channel';
    readonly id: string;
    readonly change: ChannelChange;
  }) => Promise<void>;
}

export type ChannelChange =
  | 'shared'
  | 'unshared'
  | 'became_public'
  | 'archived'
  | 'unarchived'
  | 'bot_left'
  | 'bot_joined';

/** `session` says what the buttons of a view belong to: the modal carries it, as it carries the id of a form. */
export type FormAnswer = { readonly form: Form } | { readonly view: View; readonly session?: string };

export type SubmitAnswer =
  | { readonly kind: 'accepted' }
  /** By field name; the empty name is the form as a whole. */
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> }
  | { readonly kind: 'next'; readonly form: Form };

export interface ConnectionState {
  readonly mode: 'socket' | 'http';
  /** Connected and wanted; both 0 over HTTP. */
  readonly sockets: { readonly connected: number; readonly wanted: number };
  /** Why Slack refuses our token; undefined while it works. */
  readonly revoked: string | undefined;
  readonly lastError: string | undefined;
  /** Payloads being worked on, messages being sent, channels that wait. */
  readonly running: number;
  readonly sending: number;
  readonly waitingChannels: number;
  readonly isReady: boolean;
}
