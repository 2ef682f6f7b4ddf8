import type { Effect, Endpoint, EndpointRoute, HttpMethod, Upload } from './endpoint.ts';

export interface ProviderRequest {
  readonly endpoint: EndpointRoute;
  readonly effect: Effect;
  readonly method: HttpMethod;
  /** From the base URL on, with its query, slashes exactly as in the endpoint table. */
  readonly path: string;
  readonly body?: { readonly json: unknown } | { readonly form: Readonly<Record<string, Upload>> };
  readonly answers: NonNullable<Endpoint['answers']> | 'json';
  readonly signal?: AbortSignal;
  /** Asked right before the first byte; after a no nothing leaves, which is certain. */
  readonly mayStillSend?: () => boolean;
  /** Waits for no slot: the caller holds one (Transport.takeWriteSlot). */
  readonly hasSlot?: boolean;
  /** Told how long each answer is. */
  readonly onBytes?: (length: number) => void;
  /** Asked about the text of an answer; one that is known is not parsed, and the answer is undefined. */
  readonly isKnown?: (text: string) => boolean;
}
