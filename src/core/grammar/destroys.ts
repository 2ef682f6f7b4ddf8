import type { CommandShape } from './shapes.ts';

/** Whether it takes something away for good: then a line that names it in other words only suggests it. */
export function destroys({
  kind,
  risk = 'destructive',
  capability,
}: Pick<CommandShape, 'kind' | 'risk' | 'capability'>): boolean {
  return kind !== 'query' && (risk === 'destructive' || capability === 'destroy');
}
