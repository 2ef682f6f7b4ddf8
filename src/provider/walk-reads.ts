import { z } from 'zod';
import type { Endpoint, EndpointRoute } from './endpoint.ts';
import { table } from './table.ts';
import type { Transport } from './transport.ts';

export interface RawAnswer {
  readonly route: EndpointRoute;
  readonly answer: unknown;
}

export interface UnreadRoute {
  readonly route: EndpointRoute;
  readonly error: unknown;
}

/** The list whose items provide values for a path parameter, and the field with the value. */
interface NameSource {
  readonly list: EndpointRoute;
  readonly field: string;
}

const orderLists: readonly (readonly [start: string, list: EndpointRoute])[] = [
  ['/vps/', 'GET /orders/vps/'],
  ['/orders/vps/', 'GET /orders/vps/'],
  ['/orders/ds/', 'GET /orders/ds/'],
  ['/orders/s3/', 'GET /orders/s3/'],
  ['/orders/', 'GET /orders/'],
];

/**
 * The most items of a kind to read. Several, since the shape differs between servers that are on, off and being built.
 */
const mostOfAKind = 3;

const items = z.union([
  z.array(z.unknown()),
  z.object({ results: z.array(z.unknown()) }).transform((page) => page.results),
]);

/** Calls every read that reveals no secret, once or for a few items, and yields the raw responses. */
export async function* walkReads(transport: Pick<Transport, 'send'>): AsyncGenerator<RawAnswer | UnreadRoute> {
  const rows = Object.values<Readonly<Record<string, Endpoint>>>(table)
    .flatMap((area) => Object.values(area))
    .filter(({ effect, reveals, answers }) => effect === 'read' && reveals !== true && (answers ?? 'json') === 'json');
  const read = new Map<EndpointRoute, unknown>();
  const send = async (route: EndpointRoute, path: string): Promise<RawAnswer | UnreadRoute> => {
    try {
      const answer = await transport.send({ endpoint: route, effect: 'read', method: 'GET', path, answers: 'json' });
      if (!read.has(route)) read.set(route, answer);
      return { route, answer };
    } catch (error) {
      return { route, error };
    }
  };
  for (const { route } of rows) if (!route.includes('{')) yield await send(route, route.slice('GET '.length));
  for (const { route } of rows) {
    const source = sourceOf(route);
    if (source === undefined) continue;
    const template = route.slice('GET '.length);
    for (const name of namesIn(read.get(source.list), source.field))
      yield await send(route, template.replace(/\{\w+\}/, encodeURIComponent(name)));
  }
}

/** Undefined for paths with two parameters, which name a job or a curve. */
function sourceOf(route: EndpointRoute): NameSource | undefined {
  const path = route.slice('GET '.length);
  const [, name, ...others] = path.split('{');
  if (name === undefined || others.length > 0) return undefined;
  if (path.startsWith('/dns/domain/')) return { list: 'GET /dns/domain/', field: 'name' };
  if (path.startsWith('/project/')) return { list: 'GET /project/', field: 'id' };
  const list = orderLists.find(([start]) => path.startsWith(start))?.[1];
  return list === undefined ? undefined : { list, field: 'id' };
}

function namesIn(answer: unknown, field: string): string[] {
  const parsed = items.safeParse(answer);
  if (!parsed.success) return [];
  const names = parsed.data.flatMap((item) => {
    const value: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, field) : undefined;
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
  return names.slice(0, mostOfAKind);
}
