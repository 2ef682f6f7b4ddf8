import type { z } from 'zod';

export type Effect = 'read' | 'write';
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** `POST /vps/{order_id}/restart/`, spelled as the provider's endpoint tables spell it, slashes included. */
export type EndpointRoute = `${HttpMethod} /${string}`;

/** Everything that is not a GET counts as a write. */
export function effectOf(route: EndpointRoute): Effect {
  return route.startsWith('GET ') ? 'read' : 'write';
}

/** One operation of the provider's API. Its place in the table names it: `vps.restart`. */
export interface Endpoint {
  readonly route: EndpointRoute;
  /** Path, query and body keys in one object. Those that the route does not name go to a GET's query, else the body. */
  readonly input: z.ZodType<Record<string, unknown>>;
  readonly output: z.ZodType;
  /** The response is a secret: only the execution of a step can call this endpoint, plans and queries cannot. */
  readonly reveals?: true;
  /** `output` is one item; the method follows `next` and returns all items. */
  readonly paginated?: true;
  /** `output` is one item; the response is a plain array of items. */
  readonly listed?: true;
  /** The format of the body; JSON by default. */
  readonly sends?: 'multipart';
  /** The format of the response; JSON by default. */
  readonly answers?: 'text';
}

export type Area = Readonly<Record<string, Endpoint>>;
