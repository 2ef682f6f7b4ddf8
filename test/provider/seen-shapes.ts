import { startProvider } from '../../sandbox/provider/server.ts';
import { ProviderError } from '../../src/core/errors.ts';
import { type AnswerShape, shapeOf } from '../../src/provider/shape.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { walkReads } from '../../src/provider/walk-reads.ts';

/** The shapes of all answers of the simulated provider, by route. */
export async function seenShapes(): Promise<Record<string, AnswerShape>> {
  const provider = await startProvider();
  const transport = createTransport({ baseUrl: provider.url, apiKey: provider.key });
  const answers = new Map<string, unknown[]>();
  try {
    for await (const one of walkReads(transport)) {
      if ('answer' in one) answers.set(one.route, [...(answers.get(one.route) ?? []), one.answer]);
      // Some servers have no counter of traffic; anything else is an error.
      else if (!(one.error instanceof ProviderError) || one.error.kind !== 'not_found') throw one.error;
    }
  } finally {
    await transport.close();
    await provider.close();
  }
  return Object.fromEntries([...answers].map(([route, seen]) => [route, shapeOf(...seen)]));
}
