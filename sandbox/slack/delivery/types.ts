import type { Dict } from '../dict.ts';

export interface Payload {
  id: string;
  kind: 'slash_commands' | 'interactive' | 'events_api';
  /** A name for outcomes, such as "/host", "block_actions:confirm" or "app_mention". */
  name: string;
  channel: string | null;
  userId: string | null;
  body: Dict;
}

/** The result of one attempt to deliver a payload. */
export type DeliveryAnswer = { ok: true; body: unknown } | { ok: false; error: string; isFinal?: boolean };

export interface Attempt {
  atMs: number;
  reason: 'first' | 'retry' | 'redelivered' | 'duplicate' | 'replay';
  ackedMs: number | null;
  error: string | null;
}

export interface Outcome {
  /** Null if the app gets no payload. */
  payloadId: string | null;
  kind: Payload['kind'] | null;
  name: string;
  channel: string | null;
  userId: string | null;
  deliveredAtMs: number;
  /** The app's time to the acknowledgement, by a real clock. */
  ackedMs: number | null;
  /** The app's answer in the acknowledgement. */
  ack: unknown;
  attempts: Attempt[];
  /** The number of deliveries after the first. */
  duplicates: number;
  error: string | null;
  /** The error that the person sees. */
  shown: string | null;
  /** The message, if the person posted one. */
  ts: string | null;
}

export interface DeliveryTransport {
  send(payload: Payload, retry: { number: number; reason: string }, attempt: Attempt): Promise<DeliveryAnswer>;
  /** Sends the same bytes again: the same envelope, or the same body and signature. */
  resend(payload: Payload, attempt: Attempt): Promise<DeliveryAnswer>;
}

export interface PayloadDelivery {
  deliver(payload: Payload): Promise<Outcome>;
  replay(payloadId: string): Promise<DeliveryAnswer>;
  outcomes(): Outcome[];
  payload(id: string): Payload | undefined;
  /** Called by a transport that retries by itself. */
  attempted(payload: Payload, reason: Attempt['reason']): Attempt;
  /** Forgets all deliveries and their retries. */
  forget(): void;
  close(): void;
}
