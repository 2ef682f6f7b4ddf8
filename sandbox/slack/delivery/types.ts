import type { Dict } from '../dict.ts';

export interface Payload {
  id: string;
  kind: 'slash_commands' | 'interactive' | 'events_api';
  /** "/host", "block_actions:confirm", "app_mention": for reading outcomes. */
  name: string;
  channel: string | null;
  userId: string | null;
  body: Dict;
}

/** How one attempt to hand a payload over went. */
export type DeliveryAnswer = { ok: true; body: unknown } | { ok: false; error: string; isFinal?: boolean };

export interface Attempt {
  atMs: number;
  reason: 'first' | 'retry' | 'redelivered' | 'duplicate' | 'replay';
  ackedMs: number | null;
  error: string | null;
}

export interface Outcome {
  /** Null when there was nothing to tell the app. */
  payloadId: string | null;
  kind: Payload['kind'] | null;
  name: string;
  channel: string | null;
  userId: string | null;
  deliveredAtMs: number;
  /** How long the app took to acknowledge, by a real clock. */
  ackedMs: number | null;
  /** The app's answer, sent with the acknowledgement. */
  ack: unknown;
  attempts: Attempt[];
  /** Deliveries after the first. */
  duplicates: number;
  error: string | null;
  /** The error as the person reads it. */
  shown: string | null;
  /** The message this was about, when a person said something. */
  ts: string | null;
}

export interface DeliveryTransport {
  send(payload: Payload, retry: { number: number; reason: string }, attempt: Attempt): Promise<DeliveryAnswer>;
  /** The same bytes once more: same envelope, or same body under the same signature. */
  resend(payload: Payload, attempt: Attempt): Promise<DeliveryAnswer>;
}

export interface PayloadDelivery {
  deliver(payload: Payload): Promise<Outcome>;
  replay(payloadId: string): Promise<DeliveryAnswer>;
  outcomes(): Outcome[];
  payload(id: string): Payload | undefined;
  /** A transport that sends again on its own says so here. */
  attempted(payload: Payload, reason: Attempt['reason']): Attempt;
  /** Everything that was delivered is forgotten, and nothing of it is sent again. */
  forget(): void;
  close(): void;
}
