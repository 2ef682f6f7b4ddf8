import type { Roster } from '../../core/alert/alert.ts';
import type { MentionedId, UploadedFile } from '../../core/command/bot.ts';
import type { Standing } from '../../core/policy/evaluate.ts';
import type { Form, FormOption } from '../../core/view/form.ts';
import type { View } from '../../core/view/view.ts';
import type { Place, Request } from './request.ts';

/**
 * Looks up people and channels in Slack. Lookups that fail throw or say `unknown`, which is not the same
 * as no: nothing is allowed by it, and nothing decided before is undone by it.
 */
export interface Directory {
  /** Answers may be remembered for a minute, unless somebody asks for one that is not so old. */
  readonly person: (user: string, maxAgeMs?: number) => Promise<Person>;
  readonly channel: (channel: string, maxAgeMs?: number) => Promise<Channel>;
  /** An empty set says for certain that nobody is in it. While Slack limits these calls, an answer of the last five minutes. */
  readonly groupMembers: (group: string, maxAgeMs?: number) => Promise<ReadonlySet<string>>;
  /** `@ops`; undefined for one that Slack does not list, or while it cannot be asked. */
  readonly groupName: (group: string) => Promise<string | undefined>;
  /** Finds the people and groups with this handle or shown name, as it was typed by hand. */
  readonly named: (handle: string) => Promise<readonly MentionedId[]>;
  /** Everybody in the workspace, deactivated people included, bots left out; of a very large one the first pages. */
  readonly roster: () => Promise<Roster>;
  readonly isInChannel: (channel: string, user: string, maxAgeMs?: number) => Promise<boolean>;
  /** The address of a message; undefined when Slack no longer has it. */
  readonly permalink: (channel: string, ts: string) => Promise<string | undefined>;
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
  /** The teams it is connected to, our own among them; nothing where Slack does not say. */
  readonly teams?: readonly string[];
  readonly isArchived: boolean;
  /** A direct message of several people, of which the bot may read nothing. */
  readonly isGroupDirect?: true;
  /** Whether the bot is in it and can post. */
  readonly hasBot: boolean;
}

/** Posts messages that need not survive a crash. Those that must (cards, ends, alerts) are rows of the outbox. */
export interface Messenger {
  /** Only this person sees it: in the dialog that was clicked in; else ephemeral, in the thread if there is one; a direct message where that is not possible. */
  readonly postEphemeral: (place: Place, user: string, view: View) => Promise<void>;
  /** In the channel, in the thread if there is one, with its files; false where Slack let only the person see it. */
  readonly answer: (place: Place, user: string, view: View) => Promise<boolean>;
  /** In place of the message whose button was clicked; false where Slack does not replace it any more. */
  readonly replace: (click: Pick<Request, 'id' | 'place' | 'actor'>, view: View) => Promise<boolean>;
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

/**
 * Brings Slack in line with the rows. The engine announces new rows; the replica that delivers a message claims it
 * first, so no two post the same.
 */
export interface Outbox {
  /** Others leave a claimed message alone for so long. */
  readonly claimMs: number;
  /** Messages that are due and not claimed by another replica, new ones first, the oldest first; of the channels in `except` only edits. */
  readonly claim: (limit: number, except?: readonly string[]) => Promise<readonly OutboxMessage[]>;
  /** `isAtRoot`: it was meant for a thread that is gone, and stands in the channel. */
  readonly delivered: (key: string, version: number, ts: string, isAtRoot?: boolean) => Promise<void>;
  readonly postpone: (key: string, delayMs: number, why: string) => Promise<void>;
  /** It can never be delivered (channel gone): the engine tells the requester by direct message. */
  readonly undeliverable: (key: string, why: string) => Promise<void>;
  /** Called when there is something to deliver; returns how to stop listening. */
  readonly onNudge: (listener: () => void) => () => void;
  /** The time at which the next postponed message is due; undefined when none is. */
  readonly nextDueInMs: () => Promise<number | undefined>;
}

/** The engine's interface for src/slack. */
export interface Engine {
  /** Synchronous: parses the line of a request, once, and begins to store the request. */
  readonly accept: (request: Request, modal?: ModalChance) => Accepted;
  /** The modal was closed without submitting. */
  readonly dropForm: (form: string, user: string) => Promise<void>;
  /** Search as you type; answers from memory, and offers only what this person may act on. Never rejects. */
  readonly suggest: (query: {
    readonly actor: string;
    readonly form: string;
    readonly source: string;
    readonly text: string;
    /** The place of the search over everything, which belongs to no form. */
    readonly everythingAt?: Place;
  }) => Promise<readonly FormOption[]>;
  /** A person opened Home. */
  readonly home: (actor: string) => Promise<View>;
  /** The Home of a person who opened it lately, each time that something on it has changed. */
  readonly onHomeChange: (listener: (user: string, view: View) => Promise<void>) => () => void;
  /**
   * Slack says that something about a channel changed: for the audit; rights are looked at whenever something is
   * decided. When it `moved`, all that belongs to it moves; the caller repeats this until it resolves.
   */
  readonly changed: (
    what:
      | {
          readonly kind: 'channel';
          readonly id: string;
          readonly change: ChannelChange;
          readonly invitation?: Invitation;
          /** Organizations. */
          readonly joined?: string;
          readonly left?: string;
        }
      | { readonly kind: 'moved'; readonly from: string; readonly to: string },
  ) => Promise<void>;
}

/** Whether a modal can be opened for a request; `wanted` by a button that says so. */
export type ModalChance = 'impossible' | 'possible' | 'wanted';

export type Accepted = {
  /** Resolves when the request is on disk; false when this payload was here before. It never has to be awaited. */
  readonly stored: Promise<boolean>;
} & (
  | {
      /** `now`: it changes nothing, so it is answered even when it cannot be stored. */
      readonly acknowledge: 'now' | 'when-stored';
      /** Works on it to its answer, which goes through the messenger or the outbox. Never rejects. */
      readonly run: () => Promise<void>;
    }
  | {
      readonly acknowledge: 'with-form';
      /** Returns the content of the modal that is open by then. Never rejects. */
      readonly run: () => Promise<FormAnswer>;
    }
  | {
      readonly acknowledge: 'with-answer';
      /** The answer to a submitted form, however long it takes. Never rejects. */
      readonly run: () => Promise<SubmitAnswer>;
    }
);

export type ChannelChange =
  | 'shared'
  | 'unshared'
  | 'became_public'
  | 'archived'
  | 'unarchived'
  | 'bot_left'
  | 'bot_joined';

/** Somebody added the bot to a channel; nobody did where the bot joined by itself. */
export interface Invitation {
  readonly by: string;
  /** The same in each delivery of one event. */
  readonly event: string;
}

/** `session` says what the buttons of a view belong to: the modal carries it, as it carries the id of a form. */
export type FormAnswer = { readonly form: Form } | { readonly view: View; readonly session?: string };

export type SubmitAnswer =
  | { readonly kind: 'accepted' }
  /** By field name; the empty name is the form as a whole. Errors by field keep the modal open. */
  | {
      readonly kind: 'errors';
      readonly errors: Readonly<Record<string, string>>;
      /** The same in full, for when the form is no longer open; its buttons belong to the session of the form. */
      readonly withoutForm?: { readonly view: View; readonly place: Place };
    }
  | { readonly kind: 'next'; readonly form: Form }
  /** In place of the form; where that is closed by then, at the place. */
  | { readonly kind: 'said'; readonly view: View; readonly session: string; readonly place: Place };

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
