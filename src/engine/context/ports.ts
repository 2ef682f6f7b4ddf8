import type { MentionedId, UploadedFile } from '../../core/command/bot-port.ts';
import type { Membership } from '../../core/policy/membership.ts';
import type { Form, FormOption } from '../../core/view/form.ts';
import type { View } from '../../core/view/view.ts';
import type { Place, Request } from './request.ts';

/** Looks up people and channels in Slack. A failed lookup throws or is `unknown`: it allows and revokes nothing. */
export interface Directory {
  /** Results may be cached for a minute, unless `maxAgeMs` is less. */
  readonly person: (user: string, maxAgeMs?: number) => Promise<Person>;
  readonly channel: (channel: string, maxAgeMs?: number) => Promise<Channel>;
  /** An empty set: the group certainly has no members. While Slack limits these calls, it may be five minutes old. */
  readonly groupMembers: (group: string, maxAgeMs?: number) => Promise<ReadonlySet<string>>;
  /** `@ops`; undefined if Slack does not list the group or does not answer. */
  readonly groupName: (group: string) => Promise<string | undefined>;
  /** Finds the people and groups with this typed handle or display name. */
  readonly named: (handle: string) => Promise<readonly MentionedId[]>;
  /** The active people of the workspace, without bots; only the first pages of a very large workspace. */
  readonly roster: () => Promise<readonly RosterEntry[]>;
  readonly isInChannel: (channel: string, user: string, maxAgeMs?: number) => Promise<boolean>;
  /** The permalink of a message; undefined if Slack no longer has the message. */
  readonly permalink: (channel: string, ts: string) => Promise<string | undefined>;
  /** Reads a file, if `uploader` uploaded it. */
  readonly file: (id: string, uploader: string) => Promise<UploadedFile>;
}

/** A person with their names in lower case: handle, display name and full name. */
export interface RosterEntry {
  readonly id: string;
  readonly names: readonly string[];
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly membership: Membership;
  /** Undefined if Slack did not say a known one. */
  readonly timeZone: string | undefined;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly isShared: boolean;
  /** The connected teams, including the bot's own; absent if Slack does not list them. */
  readonly teams?: readonly string[];
  readonly isArchived: boolean;
  /** A group direct message, which the bot may not read. */
  readonly isGroupDirect?: true;
  /** True if the bot is a member and can post. */
  readonly hasBot: boolean;
}

/** Posts messages that need not survive a crash. Those that must (cards, ends, alerts) are rows of the outbox. */
export interface Messenger {
  /** Shows it to this person only: in the clicked dialog, else as an ephemeral message, else as a direct message. */
  readonly postEphemeral: (place: Place, user: string, view: View) => Promise<void>;
  /** Posts in the channel or thread, with files; false if only the person could be shown it. */
  readonly answer: (place: Place, user: string, view: View) => Promise<boolean>;
  /** Replaces the message whose button was clicked; false if Slack no longer allows it. */
  readonly replace: (click: Pick<Request, 'id' | 'place' | 'actor'>, view: View) => Promise<boolean>;
}

/** The engine's interface for src/slack. */
export interface Engine {
  /** Synchronous: parses the line of a request once and begins to store the request. */
  readonly accept: (request: Request, modal?: ModalChance) => Accepted;
  /** Deletes the session of a modal that was closed without submitting. */
  readonly dropForm: (form: string, user: string) => Promise<void>;
  /** Search as you type: reads from memory and offers only targets that this person may act on. Never rejects. */
  readonly suggest: (query: {
    readonly actor: string;
    readonly form: string;
    readonly source: string;
    readonly text: string;
    /** The place of a search over everything, which belongs to no form. */
    readonly everythingAt?: Place;
  }) => Promise<readonly FormOption[]>;
  readonly home: (actor: string) => Promise<View>;
  /** Calls the listener with the new Home of a person who opened it lately, after each change. */
  readonly onHomeChange: (listener: (user: string, view: View) => Promise<void>) => () => void;
  /**
   * Records that Slack reported a change of a channel. The entry is for the audit only, since every decision reads the
   * rights again. A `moved` channel moves all of its rows; the caller retries until this resolves.
   */
  readonly changed: (
    what:
      | {
          readonly kind: 'channel';
          readonly id: string;
          readonly change: ChannelChange;
          readonly invitation?: Invitation;
          /** An organization that joined. */
          readonly joined?: string;
          readonly left?: string;
        }
      | { readonly kind: 'moved'; readonly from: string; readonly to: string },
  ) => Promise<void>;
}

/** Whether a modal can be opened for a request; `wanted` if the button requires one. */
export type ModalChance = 'impossible' | 'possible' | 'wanted';

export type Accepted = {
  /** Resolves when the request is stored; false if this payload was received before. May be left unawaited. */
  readonly stored: Promise<boolean>;
} & (
  | {
      /** `now`: the request changes nothing, so it is answered even if it cannot be stored. */
      readonly acknowledge: 'now' | 'when-stored';
      /** Works on the request until its response went to the messenger or the outbox. Never rejects. */
      readonly run: () => Promise<void>;
    }
  | {
      readonly acknowledge: 'with-form';
      /** Returns the content for the modal, which is open by then. Never rejects. */
      readonly run: () => Promise<FormAnswer>;
    }
  | {
      readonly acknowledge: 'with-answer';
      /** Returns the response to a submitted form, however long it takes. Never rejects. */
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

/** A person added the bot to a channel. Absent if the bot joined by itself. */
export interface Invitation {
  readonly by: string;
  /** The event id, equal in all deliveries of an event. */
  readonly event: string;
}

/** `session` is the subject of a view's buttons; the modal carries it like the id of a form. */
export type FormAnswer = { readonly form: Form } | { readonly view: View; readonly session?: string };

export type SubmitAnswer =
  | { readonly kind: 'accepted' }
  /** Errors by field name; the empty name is the whole form. Errors keep the modal open. */
  | {
      readonly kind: 'errors';
      readonly errors: Readonly<Record<string, string>>;
      /** The full response, shown if the form is closed; its buttons belong to the form's session. */
      readonly withoutForm?: { readonly view: View; readonly place: Place };
    }
  | { readonly kind: 'next'; readonly form: Form }
  /** Replaces the form; if it is closed by then, the view is posted at `place`. */
  | { readonly kind: 'said'; readonly view: View; readonly session: string; readonly place: Place };

export interface ConnectionState {
  readonly mode: 'socket' | 'http';
  /** Both are 0 over HTTP. */
  readonly sockets: { readonly connected: number; readonly wanted: number };
  /** The reason why Slack refuses the bot's token; undefined while it works. */
  readonly revoked: string | undefined;
  readonly lastError: string | undefined;
  /** Payloads being processed, messages being sent, and waiting channels. */
  readonly running: number;
  readonly sending: number;
  readonly waitingChannels: number;
  readonly isReady: boolean;
}
