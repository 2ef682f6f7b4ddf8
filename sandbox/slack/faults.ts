import { SimulationError } from './simulation-error.ts';
import type { BlockWay } from './validate/rule.ts';

/** Something made to go wrong in the Web API. */
export interface ApiFault {
  /** A method name, or `*` for all. */
  method: string;
  /** 429 or 5xx, answered instead of doing the work. */
  status?: number;
  retryAfterS?: number;
  /** `{ok: false, error: …}`, answered instead of doing the work. */
  errorCode?: string;
  delayMs?: number;
  /** The work is done, the answer never arrives. */
  isAnswerLost?: boolean;
  /** How many calls are hit; without it, until cleared. */
  count?: number;
}

/** Blocks that Slack does not take; `*` stands for any type, no surface for all of them. `message` is a new message. */
export interface BlockRefusal {
  type: string;
  surface?: BlockWay;
}

export interface DeliveryFaults {
  /** Every payload arrives twice. */
  isDuplicating: boolean;
  /** Every second payload overtakes the one before it. */
  isReordering: boolean;
  /** The next so many acknowledgements are lost on their way. */
  acksToLose: number;
  delayMs: number;
}

export interface SlackFaults {
  /** Slack refuses every connection. */
  isDown: boolean;
  delivery: DeliveryFaults;
  api: ApiFault[];
  blocks: BlockRefusal[];
  add(fault: ApiFault): () => void;
  refuseBlocks(refusal: BlockRefusal): () => void;
  refusesBlock(type: string, way: BlockWay): boolean;
  /** The first fault that hits this call; counts it. */
  take(method: string): ApiFault | undefined;
  clear(): void;
}

const noDeliveryFaults = (): DeliveryFaults => ({
  isDuplicating: false,
  isReordering: false,
  acksToLose: 0,
  delayMs: 0,
});

export function createFaults(): SlackFaults {
  const faults: SlackFaults = {
    isDown: false,
    delivery: noDeliveryFaults(),
    api: [],
    blocks: [],
    add(fault) {
      if (fault.count !== undefined && fault.count < 1)
        throw new SimulationError('a fault needs a count of at least 1');
      const own = { ...fault };
      faults.api.push(own);
      return () => {
        faults.api = faults.api.filter((other) => other !== own);
      };
    },
    refuseBlocks(refusal) {
      const own = { ...refusal };
      faults.blocks.push(own);
      return () => {
        faults.blocks = faults.blocks.filter((other) => other !== own);
      };
    },
    refusesBlock: (type, way) =>
      faults.blocks.some(
        (refusal) =>
          (refusal.type === '*' || refusal.type === type) && (refusal.surface === undefined || refusal.surface === way),
      ),
    take(method) {
      const fault = faults.api.find((candidate) => candidate.method === '*' || candidate.method === method);
      if (fault?.count !== undefined) {
        fault.count -= 1;
        if (fault.count === 0) faults.api = faults.api.filter((other) => other !== fault);
      }
      return fault;
    },
    clear() {
      faults.isDown = false;
      faults.delivery = noDeliveryFaults();
      faults.api = [];
      faults.blocks = [];
    },
  };
  return faults;
}
