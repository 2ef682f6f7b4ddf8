import { z } from 'zod';
import type { OperationState } from '../../core/plan/operation.ts';
import type { Operation } from './read-operation.ts';

/** The button that undoes the operation, as stored at its end. */
export function undoOf({ undo, state, undoneBy }: Pick<Operation, 'undo' | 'state' | 'undoneBy'>): Undo | undefined {
  return undoable.includes(state) && undoneBy === null ? undoSchema.safeParse(undo).data : undefined;
}

const undoSchema = z.union([
  z.object({ line: z.string(), label: z.string() }),
  z.string().transform((line) => ({ line, label: 'Undo' })),
]);
type Undo = z.infer<typeof undoSchema>;

/** Ends in which at least one step may have been done. */
const undoable: readonly OperationState[] = ['done', 'unverified', 'stopped', 'failed'];
