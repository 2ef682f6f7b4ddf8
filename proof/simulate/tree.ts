import { depend } from './happens-before.ts';
import type { Point, Resource, Step } from './scheduler.ts';
import { usual } from './scheduler.ts';

/**
 * The histories that were played, as a tree: each node is a moment, each branch a point that was taken there. A point that
 * was taken at a moment sleeps in all later branches of it until something happens that touches what it touches: to take it
 * before then leads to what was already seen.
 */

export interface Node {
  /** In the order in which they were found. */
  readonly branches: Branch[];
  readonly asleep: readonly Asleep[];
}

interface Branch {
  readonly point: number;
  /** Known once it was played. */
  resources?: readonly Resource[];
  next?: Node;
}

interface Asleep {
  readonly point: number;
  readonly resources: readonly Resource[];
}

export const createRoot = (): Node => ({ branches: [], asleep: [] });

/**
 * True when what begins with these steps was seen, or will be: a point that was taken here, or sleeps here, is one of those
 * with which they can begin. A point that touched nothing of theirs is not enough: what it touches may be other after them.
 */
export function isKnown({ branches, asleep }: Node, initials: readonly Step[]): boolean {
  return [...branches, ...asleep].some(({ point }) => initials.some((step) => step.point === point));
}

export function addBranch({ branches }: Node, point: number): void {
  branches.push({ point });
}

/** Follows a history through the tree while it is played, and lets it grow. */
export function createWalk(root: Node) {
  const nodes: Node[] = [];
  /** Moves on to the node in which the history is after these steps. */
  const reach = (steps: readonly Step[]): Node => {
    for (let n = Math.max(0, nodes.length - 1); n < steps.length; n++) {
      const node = nodes[n] ?? root;
      nodes[n] = node;
      const step = steps[n];
      if (step !== undefined) nodes[n + 1] = follow(node, step);
    }
    nodes[steps.length] ??= root;
    return nodes[steps.length] ?? root;
  };
  return { nodes, reach };
}

function follow({ branches, asleep }: Node, { point, resources }: Step): Node {
  const place = branches.findIndex((one) => one.point === point);
  const branch = branches[place] ?? { point };
  if (place < 0) branches.push(branch);
  branch.resources ??= resources;
  const before = (place < 0 ? branches.slice(0, -1) : branches.slice(0, place)).flatMap((one) =>
    one.resources === undefined ? [] : [{ point: one.point, resources: one.resources }],
  );
  branch.next ??= {
    branches: [],
    asleep: [...asleep, ...before].filter((one) => one.point !== point && !depend(one.resources, resources)),
  };
  return branch.next;
}

/** The usual one of the points that do not sleep; undefined when all of them do. */
export function awake({ asleep }: Node, open: readonly Point[]): Point | undefined {
  return usual(open.filter(({ id }) => asleep.every(({ point }) => point !== id)));
}
