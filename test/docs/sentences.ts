import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { lazily } from '../support/values/lazily.ts';
import { isNode, type Node, sourceFolders, textOf } from './texts.ts';

/** The places in the source whose text is shown to a person as whole sentences, by the kind of place. */

export const sentenceKinds = ['effect', 'hint', 'refusal', 'notice', 'answer'] as const;
export type SentenceKind = (typeof sentenceKinds)[number];

export interface SaidText {
  readonly file: string;
  readonly kind: SentenceKind;
  readonly text: string;
}

export const saidTexts = lazily((): readonly SaidText[] =>
  globSync(sourceFolders)
    .sort()
    .flatMap((file) => saidIn(readFileSync(file, 'utf8')).map((said) => ({ file, ...said }))),
);

export function saidIn(source: string): Omit<SaidText, 'file'>[] {
  const found: Omit<SaidText, 'file'>[] = [];
  const look = (node: Node) => {
    for (const [kind, value] of valuesOf(node, source)) for (const text of textsOf(value)) found.push({ kind, text });
    for (const child of Object.values(node).flat()) if (isNode(child)) look(child);
  };
  look(parseAst(source, { lang: 'ts' }) as unknown as Node);
  return found;
}

function valuesOf(node: Node, source: string): (readonly [SentenceKind, Node])[] {
  const written = (part: unknown) => (isNode(part) ? source.slice(Number(part.start), Number(part.end)) : '');
  if (node.type === 'ObjectExpression' && /^\{\s*kind: 'notice'/.test(written(node))) {
    const properties = Array.isArray(node.properties) ? node.properties.filter(isNode) : [];
    return properties.flatMap(({ key, value }) =>
      written(key) === 'text' && isNode(value) ? [['notice', value] as const] : [],
    );
  }
  if (node.type === 'Property' && isNode(node.value)) {
    const name = written(node.key);
    if (name === 'effect' || name === 'hint') return [[name, node.value]];
    if (name === 'nothingToDo') return [['answer', node.value]];
  }
  if (node.type === 'VariableDeclarator' && isNode(node.init) && written(node.id) === 'hint')
    return [['hint', node.init]];
  const args = Array.isArray(node.arguments) ? node.arguments.filter(isNode) : [];
  const callee = written(node.callee);
  const [first, second] = args;
  if (node.type === 'NewExpression' && callee === 'Refusal' && second) return [['refusal', second]];
  if (
    node.type === 'CallExpression' &&
    /^(?:badValue|impossible|notFound|unavailable)$/.test(callee) &&
    first &&
    second
  )
    return [
      ['refusal', first],
      ['hint', second],
    ];
  if (node.type === 'CallExpression' && callee === 'notice' && second) return [['notice', second]];
  if (node.type === 'CallExpression' && callee === 'says' && first) return [['answer', first]];
  return [];
}

/** The texts of a place; a text that is made elsewhere is checked there or not at all. */
function textsOf(node: Node): string[] {
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].filter(isNode).flatMap(textsOf);
  if (node.type === 'LogicalExpression') return [node.right].filter(isNode).flatMap(textsOf);
  if (node.type === 'ArrayExpression' && Array.isArray(node.elements))
    return [node.elements.map((one) => (isNode(one) ? (textOf(one) ?? '…') : '…')).join('')];
  const text = textOf(node);
  return text === undefined || text === '' ? [] : [text];
}

/** Begins with a capital, a name or something that is quoted, and ends as a sentence does. */
export function isSentence(text: string): boolean {
  const words = text.trim();
  return /^(?:\p{Lu}|…|`|"|\d|[a-z]+[-./][a-z\d]|HOSTLER_)/u.test(words) && /[.!?…:]["`)]?$/u.test(words);
}
