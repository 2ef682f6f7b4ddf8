import { SimulationError } from './simulation-error.ts';
import type { BlockWay } from './validate/rule.ts';

/** A fault of the Web API. */
export interface ApiFault {
  /** A method name, or `*` for all. */
  method: string;
  /** Responds with this status, 429 or 5xx, without doing the work. */
  status?: number;
  retryAfterS?: number;
  /** Responds with `{ok: false, error: …}` without doing the work. */
  errorCode?: string;
  delayMs?: number;
  /** Does the work, but sends no response. */
  isAnswerLost?: boolean;
  /** The number of affected calls; if absent, until cleared. */
  count?: number;
}

/** Blocks that Slack refuses. `*` means any type, an absent surface all surfaces. `message` is a new message. */
export interface BlockRefusal {
  type: string;
  surface?: BlockWay;
}

export interface DeliveryFaults {
  /** Delivers every payload twice. */
  isDuplicating: boolean;
  /** Delivers every second payload before the previous one. */
  isReordering: boolean;
  /** The number of next acknowledgements to lose. */
  acksToLose: number;
  delayMs: number;
}

export interface SlackFaults {
  /** True while Slack refuses all connections. */
  isDown: boolean;
  delivery: DeliveryFaults;
  api: ApiFault[];
  blocks: BlockRefusal[];
  add(fault: ApiFault): () => void;
  refuseBlocks(refusal: BlockRefusal): () => void;
  refusesBlock(type: string, way: BlockWay): boolean;
  /** Counts and returns the first fault that affects this call. */
  strike(method: string): ApiFault | undefined;
  /** How many of the next blocks with an uploaded picture are refused, since Slack still processes it. */
  unreadyPictures: number;
  takeUnreadyPicture(): boolean;
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
    unreadyPictures: 0,
    takeUnreadyPicture: () => {
      if (faults.unreadyPictures === 0) return false;
      faults.unreadyPictures -= 1;
      return true;
    },
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
    strike(method) {
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
      faults.unreadyPictures = 0;
    },
  };
  return faults;
}
