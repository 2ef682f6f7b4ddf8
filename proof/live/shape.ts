/** The shape of a response: the types at each path, without values. `results[].cost_month` → `number`. */
export type AnswerShape = Readonly<Record<string, string>>;

const fieldName = /^[a-z_][a-z0-9_]{0,60}$/i;

/** The shape of one response, or of several responses to the same request. */
export function shapeOf(...answers: readonly unknown[]): AnswerShape {
  const types = new Map<string, Set<string>>();
  const walk = (value: unknown, path: string): void => {
    const isList = Array.isArray(value);
    const type = isList ? 'array' : value === null ? 'null' : typeof value;
    types.set(path, new Set([...(types.get(path) ?? []), type]));
    if (isList) for (const item of value) walk(item, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      // A key that is not a field's name, such as an address, is a value and is replaced.
      for (const [key, item] of Object.entries(value))
        walk(item, `${path}${path === '' ? '' : '.'}${fieldName.test(key) ? key : '*'}`);
  };
  for (const answer of answers) walk(answer, '');
  return Object.fromEntries([...types].map(([path, seen]) => [path, [...seen].sort().join(' | ')]).sort());
}

/**
 * The differences as sentences, without values. The items of an empty list are not compared, and a path whose types
 * include `missing` may be absent.
 */
export function differencesOf(documented: AnswerShape, seen: AnswerShape): string[] {
  const differences: string[] = [];
  for (const [path, types] of Object.entries(seen)) {
    const knownTypes = documented[path];
    const name = path === '' ? 'the answer' : `\`${path}\``;
    if (knownTypes === undefined) {
      if (isReached(documented, path)) differences.push(`${name} (${types}) is not documented`);
    } else {
      const unknown = types.split(' | ').filter((type) => !knownTypes.split(' | ').includes(type));
      if (unknown.length > 0) differences.push(`${name} is ${unknown.join(' | ')}; documented: ${knownTypes}`);
    }
  }
  for (const [path, types] of Object.entries(documented)) {
    const isMissing = seen[path] === undefined && isReached(seen, path);
    if (isMissing && !types.split(' | ').includes('missing')) differences.push(`\`${path}\` is missing`);
  }
  return differences;
}

/** Whether the parent of this path was present, so that the path's absence is a difference. */
function isReached(shape: AnswerShape, path: string): boolean {
  if (path === '') return true;
  if (path.endsWith('*') || path.endsWith('[]')) return false;
  const end = Math.max(...['.', '[', ']'].map((sign) => path.lastIndexOf(sign)));
  const holder = path.slice(0, path[end] === '.' ? end : end + 1);
  return shape[holder]?.split(' | ').includes('object') === true;
}
