import type { z } from 'zod';

export type Effect = 'read' | 'write';
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `POST /vps/{order_id}/restart/`, spelled as the provider's endpoint tables spell it, slashes included. */
export type EndpointRoute = `${HttpMethod} /${string}`;

/** One operation of the provider's API. What it is for is said by its place in the table: `vps.restart`. */
export interface Endpoint {
  readonly route: EndpointRoute;
  readonly effect: Effect;
  /** Path, query and body keys in one flat object. What the route does not name is the query of a GET, else the body. */
  readonly input: z.ZodType<Record<string, unknown>>;
  readonly output: z.ZodType;
  /** The answer is a secret: plans and queries do not get this row, only the execution of a step. */
  readonly reveals?: true;
  /** `output` is one item; the method follows `next` and answers with all of them. */
  readonly paginated?: true;
  /** `output` is one item, and the answer a plain array of them. */
  readonly listed?: true;
  /** The body is JSON unless it is said here. */
  readonly sends?: 'multipart';
  /** The answer is JSON unless it is said here. */
  readonly answers?: 'text' | 'nothing';
}

export type Area = Readonly<Record<string, Endpoint>>;

/** The value of a `sends: 'multipart'` field. */
export interface Upload {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}
