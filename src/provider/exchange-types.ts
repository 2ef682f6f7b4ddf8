import type { Effect, Endpoint, EndpointRoute, HttpMethod, Upload } from './endpoint.ts';

export interface ProviderRequest {
  readonly endpoint: EndpointRoute;
  readonly effect: Effect;
  readonly method: HttpMethod;
  /** The path after the base URL, with the query, and with slashes exactly as in the endpoint table. */
  readonly path: string;
  readonly body?: { readonly json: unknown } | { readonly form: Readonly<Record<string, Upload>> };
  readonly answers: NonNullable<Endpoint['answers']> | 'json';
  /** Ends the wait. A write that was already sent is then `lost`, since it may have taken effect. */
  readonly signal?: AbortSignal;
  /** Called right before the first byte; false guarantees that nothing is sent. */
  readonly mayStillSend?: () => boolean;
  /** True if the caller already holds a slot (Transport.takeWriteSlot). */
  readonly hasSlot?: boolean;
  /** True for a page of a list. */
  readonly isPage?: boolean;
  /** Called with the length of each response. */
  readonly onBytes?: (length: number) => void;
  /** Called with the text of the response; true skips parsing and yields undefined. */
  readonly isKnown?: (text: string) => boolean;
}
