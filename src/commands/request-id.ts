import { z } from 'zod';
import { type CommonArg, text } from '../core/command/args.ts';

/** The id of a request; accepts capitals. */
export const requestId = (words: CommonArg) =>
  text({
    ...words,
    schema: z
      .string()
      .regex(/^[a-z0-9]{4,32}$/i, 'the id of a request')
      .toLowerCase(),
  });
