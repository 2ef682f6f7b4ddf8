import { z } from 'zod';
import { jsonIn } from '../../core/text/json.ts';
import type { InboxRow } from '../../store/records/inbox.ts';
import { operationSeed, requestSchema } from '../context/request.ts';

/** The parts of a request that all versions store: enough to notify the requester that it was abandoned. */
const outlineSchema = z.object({
  actor: z.string().min(1),
  place: z.object({ channel: z.string() }),
  ask: z.object({ kind: z.string(), form: z.string().exactOptional() }),
});

export type Outline = z.infer<typeof outlineSchema>;

export function readStored({ key, body }: Pick<InboxRow, 'key' | 'body'>) {
  const value = jsonIn(body);
  const outline = outlineSchema.safeParse(value).data;
  return {
    seed: outline === undefined ? key : operationSeed({ id: key, ask: outline.ask }),
    /** Undefined if this version cannot read the request. */
    request: requestSchema.safeParse(value).data,
    /** Undefined if no part of the request can be read. */
    outline,
  };
}
