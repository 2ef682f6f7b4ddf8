import { z } from 'zod';
import { ProviderError } from '../../src/core/view/errors.ts';
import { type Endpoint, type EndpointRoute, effectOf } from '../../src/provider/endpoint.ts';
import { table } from '../../src/provider/table.ts';
import type { Transport } from '../../src/provider/transport.ts';
import { documented } from './documented.ts';
import { differencesOf, shapeOf } from './shape.ts';

/** The list whose items provide values for a path parameter, and the field with the value. */
const sources: readonly (readonly [start: string, list: EndpointRoute, field: string])[] = [
  ['/dns/domain/', 'GET /dns/domain/', 'name'],
  ['/project/', 'GET /project/', 'id'],
  ['/vps/', 'GET /orders/vps/', 'id'],
  ['/orders/vps/', 'GET /orders/vps/', 'id'],
  ['/orders/ds/', 'GET /orders/ds/', 'id'],
  ['/orders/s3/', 'GET /orders/s3/', 'id'],
  ['/orders/', 'GET /orders/', 'id'],
];

/** Several items of a kind, since the shape differs between servers that are on, off and being built. */
const mostOfAKind = 3;

const items = z.union([
  z.array(z.record(z.string(), z.unknown())),
  z.object({ results: z.array(z.record(z.string(), z.unknown())) }).transform(({ results }) => results),
]);

/**
 * Compares the responses to every read that reveals no secret with the provider's document. Prints field names and types
 * but no values; false if there are differences.
 */
export async function compareAnswers(
  transport: Pick<Transport, 'send'>,
  print: (line: string) => void,
): Promise<boolean> {
  const answers = new Map<EndpointRoute, unknown[]>();
  let unread = 0;
  const read = async (route: EndpointRoute, path: string) => {
    try {
      const answer = await transport.send({ endpoint: route, effect: 'read', method: 'GET', path, answers: 'json' });
      answers.set(route, [...(answers.get(route) ?? []), answer]);
    } catch (error) {
      unread++;
      print(`· ${route}: not read (${error instanceof ProviderError ? error.kind : 'an error'})`);
    }
  };
  const routes = Object.values<Readonly<Record<string, Endpoint>>>(table)
    .flatMap((area) => Object.values(area))
    .filter(
      ({ route, reveals, answers }) => effectOf(route) === 'read' && reveals !== true && (answers ?? 'json') === 'json',
    )
    .map(({ route }) => ({ route, path: route.slice('GET '.length) }));
  for (const { route, path } of routes) if (!path.includes('{')) await read(route, path);
  for (const { route, path } of routes) {
    // Two parameters name a job or a curve.
    if (path.split('{').length !== 2) continue;
    const [, list, field] = sources.find(([start]) => path.startsWith(start)) ?? [];
    if (list === undefined || field === undefined) continue;
    for (const item of (items.safeParse(answers.get(list)?.[0]).data ?? []).slice(0, mostOfAKind))
      await read(route, path.replace(/\{\w+\}/, encodeURIComponent(String(item[field]))));
  }
  const differences = [...answers].flatMap(([route, seen]) =>
    differencesOf(documented[route] ?? {}, shapeOf(...seen)).map((difference) => `✕ ${route}: ${difference}`),
  );
  for (const line of differences) print(line);
  print(`${answers.size} operations read, ${unread} reads failed, ${differences.length} differences.`);
  return differences.length === 0;
}
