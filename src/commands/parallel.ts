import { integer, withDefault } from '../core/command/args.ts';

/** The number of concurrent steps of a request. */
export const parallelOf = (things: 'orders' | 'servers') =>
  withDefault(
    integer({
      hint: `How many ${things} at a time. The default is one after another.`,
      min: 1,
      max: 10,
      place: 'option',
    }),
    1,
  );
