import { integer } from '../core/command/args.ts';
import { defaultOf } from './optional-of.ts';

/** The number of concurrent steps of a request. */
export const parallelOf = (things: 'orders' | 'servers') =>
  defaultOf(integer)({
    hint: `How many ${things} at a time. The default is one after another.`,
    min: 1,
    max: 10,
    place: 'option',
    usual: 1,
  });
