import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { lazily } from '../support/values/lazily.ts';

/** Texts that a person can read, from the literals of the source. */

/** Parts of the source whose literals people read in Slack. */
export const sourceFolders = 'src/{alerts,commands,core,engine,slack,cli,http,charts}/**/*.ts';
/** Further files whose literals people read: the settings in `--help` and in their errors. */
const sourceFiles = ['src/settings.ts', 'src/config.ts'];
/** Texts of the Slack app: people read them where Slack lists its commands and shortcuts. */
const manifest = 'manifest.yml';

export interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Calls whose words only operators read, in the log or in a report of a bug, or that only the bot compares. */
const forOperators = /^(?:log|Error|TypeError|RegExp|regex|wordSet)$|\.(?:debug|info|warn|error|regex|sql)$/;

/** The texts of each file, in the order of the source; `…` stands for a value that is only known at run time. */
export const textsByFile = lazily((): ReadonlyMap<string, readonly string[]> => {
  const files = [...globSync(sourceFolders), ...sourceFiles].sort();
  const texts = files.map((file) => [file, textsIn(readFileSync(file, 'utf8'))] as const);
  const ofApp = [manifest, textsOfManifest(readFileSync(manifest, 'utf8'))] as const;
  return new Map([...texts, ofApp].filter(([, found]) => found.length > 0));
});

/** The descriptions and names; comments and identifiers are for the people who install it. */
function textsOfManifest(source: string): string[] {
  return [...source.matchAll(/^\s*-?\s*(?:name|description|usage_hint): (.+)$/gm)].map(([, text = '']) => text);
}

export function textsIn(source: string): string[] {
  const found: string[] = [];
  walk(parseAst(source, { lang: 'ts' }) as unknown as Node, source, (text) => found.push(text));
  return [...new Set(found)];
}

function walk(node: Node, source: string, add: (text: string) => void): void {
  if (node.type.startsWith('Import') || node.type.startsWith('TS') || isForOperators(node, source)) return;
  const text = textOf(node);
  if (text !== undefined && isSaid(text)) add(text.trim());
  for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, source, add);
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function isForOperators(node: Node, source: string): boolean {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false;
  const { callee } = node;
  if (!isNode(callee)) return false;
  return forOperators.test(source.slice(Number(callee.start), Number(callee.end)));
}

export function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return undefined;
  return node.quasis.map(({ value }: { value: { cooked: string } }) => value.cooked).join('…');
}

/** Whether the literal has two words at least: names, keys and signs are no texts. */
function isSaid(text: string): boolean {
  return /\p{L}{2,}\S*\s+\S*\p{L}/u.test(text) && !isSql(text);
}

/** Whether the literal is SQL, and not a text such as `Delete a project`. */
function isSql(text: string): boolean {
  return /^\s*(?:select (?:.* from|\w+\.)|insert into|update \w+ set|delete from|create (?:table|index|unique|schema|database)|alter |drop )/is.test(
    text,
  );
}
