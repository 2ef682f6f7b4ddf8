import type { ProviderAnswer } from './answer.ts';
import type { ProviderRequestCall } from './call.ts';
import type { Feature } from './types.ts';

type ParamsOf<R extends string> = R extends `${string}{${infer P}}${infer Rest}` ? P | ParamsOf<Rest> : never;

export interface SimRoute {
  readonly method: string;
  readonly path: string;
  /** The method and template of the specification's tables: `GET /orders/{order_id}/`. */
  readonly route: string;
  /** The feature without which the route responds with 403; support enables it for the account. */
  readonly feature: Feature | undefined;
  readonly handle: (call: ProviderRequestCall) => ProviderAnswer | Promise<ProviderAnswer>;
}

export function defineRoute<const R extends `${string} /${string}`>(
  route: R,
  handle: (call: ProviderRequestCall<ParamsOf<R>>) => ProviderAnswer | Promise<ProviderAnswer>,
  feature?: Feature,
): SimRoute {
  const [method = '', path = ''] = route.split(' ');
  // The router provides exactly the parameters in this template.
  return { method, path, route, feature, handle: handle as SimRoute['handle'] };
}

interface Node {
  readonly literals: Map<string, Node>;
  variable: { readonly name: string; readonly node: Node } | undefined;
  readonly withSlash: Map<string, SimRoute>;
  readonly withoutSlash: Map<string, SimRoute>;
}

export type Match =
  | { readonly kind: 'found'; readonly methods: ReadonlyMap<string, SimRoute>; readonly params: Record<string, string> }
  | { readonly kind: 'redirect'; readonly path: string }
  | { readonly kind: 'none' };

/**
 * Finds routes by path segments. Literal segments take precedence over parameters, and the trailing slash must match.
 */
export function createRouter(routes: readonly SimRoute[]): { match(path: string): Match } {
  const root = createNode();
  for (const route of routes) {
    let node = root;
    for (const segment of segmentsOf(route.path)) node = descend(node, segment);
    (route.path.endsWith('/') ? node.withSlash : node.withoutSlash).set(route.method, route);
  }

  return {
    match(path) {
      const hasSlash = path.endsWith('/');
      const segments: string[] = [];
      for (const segment of segmentsOf(path)) {
        const decoded = decode(segment);
        if (!decoded) return { kind: 'none' };
        segments.push(decoded);
      }
      let other = false;
      for (const { node, params } of walk(root, segments, 0, {})) {
        const methods = hasSlash ? node.withSlash : node.withoutSlash;
        if (methods.size > 0) return { kind: 'found', methods, params };
        other ||= (hasSlash ? node.withoutSlash : node.withSlash).size > 0;
      }
      return other ? { kind: 'redirect', path: hasSlash ? path.slice(0, -1) : `${path}/` } : { kind: 'none' };
    },
  };
}

function* walk(
  node: Node,
  segments: readonly string[],
  at: number,
  params: Record<string, string>,
): Generator<{ node: Node; params: Record<string, string> }> {
  const segment = segments[at];
  if (segment === undefined) {
    yield { node, params };
    return;
  }
  const literal = node.literals.get(segment);
  if (literal) yield* walk(literal, segments, at + 1, params);
  if (node.variable) {
    yield* walk(node.variable.node, segments, at + 1, { ...params, [node.variable.name]: segment });
  }
}

function descend(node: Node, segment: string): Node {
  const name = /^\{(\w+)\}$/.exec(segment)?.[1];
  if (name !== undefined) {
    node.variable ??= { name, node: createNode() };
    if (node.variable.name !== name)
      throw new Error(`building the routes: {${name}} is {${node.variable.name}} elsewhere`);
    return node.variable.node;
  }
  const child = node.literals.get(segment);
  if (child) return child;
  const fresh = createNode();
  node.literals.set(segment, fresh);
  return fresh;
}

const createNode = (): Node => ({
  literals: new Map(),
  variable: undefined,
  withSlash: new Map(),
  withoutSlash: new Map(),
});

const segmentsOf = (path: string) => path.replace(/^\//, '').replace(/\/$/, '').split('/');

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
