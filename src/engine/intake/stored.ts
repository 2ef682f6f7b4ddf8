import { z } from 'zod';
import type { InboxRow } from '../../store/records/inbox.ts';
import { operationSeed, type Request, requestSchema } from '../context/request.ts';

/** The parts of a request that all versions store: enough to notify the requester that it was abandoned. */
const outlineSchema = z.object({
  actor: z.string().min(1),
  place: z.object({ channel: z.string() }),
  ask: z.object({ kind: z.string(), form: z.string().exactOptional() }),
});

export type Outline = z.infer<typeof outlineSchema>;

export interface Stored {
  readonly seed: string;
  /** Undefined if this version cannot read the request. */
  readonly request: Request | undefined;
  /** Undefined if no part of the request can be read. */
  readonly outline: Outline | undefined;
}

export function readStored({ key, body }: Pick<InboxRow, 'key' | 'body'>): Stored {
  const value = parse(body);
  const outline = outlineSchema.safeParse(value).data;
  return {
    seed: outline === undefined ? key : operationSeed({ id: key, ask: outline.ask }),
    request: requestSchema.safeParse(value).data,
    outline,
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
