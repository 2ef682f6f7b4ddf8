import { parseAst } from 'rolldown/parseAst';
import { isNode, type Node } from './texts.ts';

/** The names that a source declares: of variables, parameters, functions and methods. */

export interface Declared {
  readonly name: string;
  readonly line: number;
}

const functions = /Function(Declaration|Expression|Type)?$|^ArrowFunctionExpression$|^TSMethodSignature$/;

export function declaredNamesIn(source: string): Declared[] {
  const names: Declared[] = [];
  const add = (pattern: unknown) => {
    for (const { name, start } of namesOf(pattern))
      names.push({ name, line: source.slice(0, start).split('\n').length });
  };
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) walk(child);
    if (!isNode(node)) return;
    const isMethod = node.type === 'MethodDefinition' || node.type === 'TSMethodSignature' || isFunctionOf(node);
    if (isMethod && node.computed !== true) add(node.key);
    if (node.type === 'VariableDeclarator') add(node.id);
    if (functions.test(node.type)) {
      add(node.id);
      add(node.params);
    }
    for (const child of Object.values(node)) walk(child);
  };
  walk(parseAst(source, { lang: 'ts' }));
  return names;
}

/** A property whose value is a function written in place. */
function isFunctionOf({ type, value }: Node): boolean {
  return type === 'Property' && isNode(value) && functions.test(value.type);
}

function namesOf(pattern: unknown): { readonly name: string; readonly start: number }[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesOf);
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [{ name: String(pattern.name), start: Number(pattern.start) }];
    case 'ObjectPattern':
      return namesOf(pattern.properties);
    case 'Property':
      return namesOf(pattern.value);
    case 'ArrayPattern':
      return namesOf(pattern.elements);
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    case 'FormalParameters':
      return namesOf(pattern.items);
    default:
      return [];
  }
}
