import { z } from 'zod';

const target = {
  /** `POST /vps/{order_id}/restart/`, as in the specification's tables, or `*`. */
  match: z.string().default('*'),
  /** Happens only where this is part of the path, such as an order's id. */
  only: z.string().optional(),
  /** How often it happens; absent: until it is cleared. */
  times: z.int().min(1).optional(),
};

export const faultSchema = z.discriminatedUnion('kind', [
  /** Answers this instead of doing anything. A string body is sent as HTML. */
  z.object({
    ...target,
    kind: z.literal('answer'),
    status: z.int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
  z.object({ ...target, kind: z.literal('throttle'), retryAfterSec: z.int().min(0).optional() }),
  /** Answers late; goes together with any other fault. */
  z.object({ ...target, kind: z.literal('delay'), ms: z.int().min(0) }),
  /** Closes the connection, and nothing happened. */
  z.object({ ...target, kind: z.literal('drop') }),
  /** The thing happens, and then the connection closes: the answer is lost. */
  z.object({ ...target, kind: z.literal('lose') }),
  /** The thing happens, and the answer is cut off. */
  z.object({ ...target, kind: z.literal('malformed') }),
  /** The thing happens, and the answer is valid JSON of another shape. */
  z.object({ ...target, kind: z.literal('shape'), body: z.unknown().optional() }),
  /** The thing happens, and of a list in the answer one item, by its id or name, has other values in these fields. */
  z.object({ ...target, kind: z.literal('item'), item: z.string(), set: z.record(z.string(), z.unknown()) }),
  /** The next job that this operation makes ends in error, or never ends. */
  z.object({ ...target, kind: z.literal('nextJob'), end: z.enum(['error', 'hang']) }),
]);
type Fault = z.infer<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;
export type LiveFault = Fault & { readonly id: number; left: number };

export interface ProviderFaults {
  add(fault: FaultInput): number;
  /** Clears one by its id, all of an operation by its route, or all. */
  clear(which?: { id?: number | undefined; match?: string | undefined }): void;
  list(): readonly LiveFault[];
  /** The faults that apply to this request: every delay, and the first of the others. */
  strike(route: string, path: string): { delayMs: number; fault: LiveFault | undefined };
  nextJobEnd(route: string, orderId: string): 'done' | 'error' | 'hang';
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
      for (const fault of live.filter((one) => concerns(one, route, path))) {
        if (fault.kind === 'delay') {
          delayMs += fault.ms;
          use(fault);
        } else if (fault.kind !== 'nextJob' && !struck) {
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
  };
}
