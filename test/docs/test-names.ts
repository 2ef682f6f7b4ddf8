import { parseAst } from 'rolldown/parseAst';
import { isNode, type Node, textOf } from './texts.ts';

/** The name of a test or of a group of tests. */
export interface TestName {
  /** The number of the line on which it begins. */
  readonly line: number;
  readonly text: string;
}

const isTest =
  /^(?:(?:test|it|describe)(?:\.(?:concurrent|each|fails|for|only|runIf|skip|skipIf))*|onEachEngine)(?:\(|`|$)/s;

/** The names in a file; `…` stands for a value. */
export function testNamesIn(source: string): TestName[] {
  const names: TestName[] = [];
  const visit = (node: Node) => {
    const name = nameOf(node, source);
    if (name !== undefined) names.push(name);
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parseAst(source, { lang: 'ts' }) as unknown as Node);
  return names;
}

function nameOf(node: Node, source: string): TestName | undefined {
  if (node.type !== 'CallExpression' || !isNode(node.callee) || !Array.isArray(node.arguments)) return undefined;
  const [first] = node.arguments;
  const text = isNode(first) ? textOf(first) : undefined;
  if (!isNode(first) || text === undefined) return undefined;
  const start = Number(first.start);
  if (!isTest.test(source.slice(Number(node.callee.start), Number(node.callee.end)))) return undefined;
  return { line: source.slice(0, start).split('\n').length, text };
}
