import { startProvider } from '../../sandbox/provider/server.ts';
import { ProviderError } from '../../src/core/view/errors.ts';
import type { EndpointRoute } from '../../src/provider/endpoint.ts';
import { type AnswerShape, shapeOf } from '../../src/provider/shape.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { walkReads } from '../../src/provider/walk-reads.ts';

/** All answers of the simulated provider to reads, by route. */
export async function seenAnswers(): Promise<ReadonlyMap<EndpointRoute, readonly unknown[]>> {
  const provider = await startProvider();
  const transport = createTransport({ baseUrl: provider.url, apiKey: provider.key });
  const answers = new Map<EndpointRoute, unknown[]>();
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
  return answers;
}

/** The shapes of these answers. */
export async function seenShapes(): Promise<Record<string, AnswerShape>> {
  return Object.fromEntries([...(await seenAnswers())].map(([route, seen]) => [route, shapeOf(...seen)]));
}
