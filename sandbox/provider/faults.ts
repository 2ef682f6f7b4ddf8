import { z } from 'zod';
import type { Boot } from './model.ts';

const target = {
  /** `POST /vps/{order_id}/restart/`, as in the specification's tables, or `*`. */
  match: z.string().default('*'),
  /** Limits the fault to paths that contain this text, such as an order's id. */
  only: z.string().optional(),
  /** How many times the fault happens; if absent, until it is cleared. */
  times: z.int().min(1).optional(),
};

export const faultSchema = z.discriminatedUnion('kind', [
  /** Sends this response without applying the request. A string body is sent as HTML. */
  z.object({
    ...target,
    kind: z.literal('answer'),
    status: z.int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.object({ ...target, kind: z.literal('throttle'), retryAfterSec: z.int().min(0).optional() }),
  /** Responds late; can be combined with any other fault. */
  z.object({ ...target, kind: z.literal('delay'), ms: z.int().min(0) }),
  /** Closes the connection without applying the request. */
  z.object({ ...target, kind: z.literal('drop') }),
  /** Applies the request and closes the connection, so that the response is lost. */
  z.object({ ...target, kind: z.literal('lose') }),
  /** Applies the request and truncates the response. */
  z.object({ ...target, kind: z.literal('malformed') }),
  /** Applies the request and sends valid JSON of another shape. */
  z.object({ ...target, kind: z.literal('shape'), body: z.unknown().optional() }),
  /** Applies the request and changes these fields of one item, by id or name, in the response's list. */
  z.object({ ...target, kind: z.literal('item'), item: z.string(), set: z.record(z.string(), z.unknown()) }),
  /** Makes the operation's next job end in error, or never. */
  z.object({ ...target, kind: z.literal('nextJob'), end: z.enum(['error', 'hang']) }),
  /** Makes the next server that boots answer late from outside, or nothing until another boot. */
  z.object({ ...target, kind: z.literal('nextBoot'), boot: z.enum(['late', 'silent']) }),
]);
type Fault = z.infer<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;
export type LiveFault = Fault & { readonly id: number; left: number };

export interface ProviderFaults {
  add(fault: FaultInput): number;
  /** Clears one fault by its id, all faults of an operation by its route, or all faults. */
  clear(which?: { id?: number | undefined; match?: string | undefined }): void;
  list(): readonly LiveFault[];
  /** The faults that apply to this request: every delay, and the first of the others. */
  strike(route: string, path: string): { delayMs: number; fault: LiveFault | undefined };
  nextJobEnd(route: string, orderId: string): 'done' | 'error' | 'hang';
  nextBoot(orderId: string): Boot;
}

export function createFaults(changed: () => void): ProviderFaults {
  let live: LiveFault[] = [];
  let nextId = 1;

  const concerns = (fault: Fault, route: string, path: string) =>
    (fault.match === '*' || fault.match === route) && (fault.only === undefined || path.includes(fault.only));

  function use(fault: LiveFault): void {
    fault.left -= 1;
    if (fault.left <= 0) live = live.filter((other) => other !== fault);
    changed();
  }

  return {
    add(input) {
      const fault = faultSchema.parse(input);
      const id = nextId++;
      live.push({ ...fault, id, left: fault.times ?? Number.POSITIVE_INFINITY });
      changed();
      return id;
    },
    clear({ id, match } = {}) {
      live = live.filter(
        (fault) => (id !== undefined && fault.id !== id) || (match !== undefined && fault.match !== match),
      );
      changed();
    },
    list: () => live,
    strike(route, path) {
      let delayMs = 0;
      let struck: LiveFault | undefined;
      for (const fault of live.filter((candidate) => concerns(candidate, route, path))) {
        if (fault.kind === 'delay') {
          delayMs += fault.ms;
          use(fault);
        } else if (fault.kind !== 'nextJob' && fault.kind !== 'nextBoot' && !struck) {
          struck = fault;
          use(fault);
        }
      }
      return { delayMs, fault: struck };
    },
    nextJobEnd(route, orderId) {
      for (const fault of live) {
        if (fault.kind !== 'nextJob' || !concerns(fault, route, orderId)) continue;
        use(fault);
        return fault.end;
      }
      return 'done';
    },
    nextBoot(orderId) {
      for (const fault of live) {
        if (fault.kind !== 'nextBoot' || !concerns(fault, '*', orderId)) continue;
        use(fault);
        return fault.boot;
      }
      return 'usual';
    },
  };
}
