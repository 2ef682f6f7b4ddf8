import { integer, withDefault } from '../core/args.ts';

/** How many steps of one request run side by side. */
export const parallelOf = (things: 'orders' | 'servers') =>
  withDefault(
    integer({
      hint: `how many ${things} at a time; one after another unless you say so`,
      min: 1,
      max: 10,
      place: 'option',
    }),
    1,
  );
