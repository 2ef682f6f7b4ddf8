import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { table } from '../../src/provider/table.ts';
import { markdownTable } from './markdown-table.ts';

/** Operations that other people's clients were seen to use on live accounts. */
const seen: ReadonlySet<string> = new Set([
  ...['account.balance', 'account.info', 'account.invoices'],
  ...['plans.backups', 'plans.dedicated', 'plans.hosting', 'plans.vps'],
  ...['projects.list'],
  ...['orders.list', 'orders.read', 'orders.cancel'],
  ...['vpsOrders.list', 'vpsOrders.read', 'vpsOrders.locations', 'vpsOrders.disks'],
  ...['dns.domains', 'dns.entries', 'dns.createEntry'],
]);
/** Operations that support has to enable: other clients saw only their refusal on live accounts. */
const seenRefused: ReadonlySet<string> = new Set([
  'vpsOrders.create',
  'vpsOrders.templates',
  'vpsOrders.apps',
  'vpsOrders.snapshots',
  'vpsOrders.services',
  'dns.createDomain',
]);

/** The words of the last column. A key in neither list is known from the document only. */
function sayWhetherSeen(keys: readonly string[]): string {
  if (keys.some((key) => seen.has(key))) return 'yes';
  return keys.some((key) => seenRefused.has(key)) ? 'refused' : '';
}

/** Commands by their noun: `dns` add, edit; `status`. */
function sayCommands(paths: readonly string[]): string {
  const nouns = Map.groupBy([...new Set(paths)].toSorted(), (path) => path.split(' ')[0] ?? path);
  return [...nouns]
    .map(([noun, same]) => {
      const verbs = same.map((path) => path.slice(noun.length + 1)).join(', ');
      return same.length === 1 ? `\`${same[0]}\`` : `\`${noun}\` ${verbs}`;
    })
    .join('; ');
}

/** Every operation once, with the commands whose files, or files they import, call it; a row for those with the same. */
export function operationTable(): string {
  const rows = Object.entries(table).flatMap(([area, endpoints]) =>
    Object.entries(endpoints).map(([name, { route }]) => ({ route, key: `${area}.${name}` })),
  );
  const unknown = [...seen, ...seenRefused].filter((key) => !rows.some((row) => row.key === key));
  if (unknown.length > 0) throw new Error(`there are no operations ${unknown.join(', ')}`);
  const users = commandsByCall(rows.map(({ key }) => key));
  const cells = [...Map.groupBy(rows, ({ route }) => route)].map(([route, same]) => ({
    route,
    commands: sayCommands(same.flatMap(({ key }) => users.get(key) ?? [])) || '–',
    seenLive: sayWhetherSeen(same.map(({ key }) => key)),
  }));
  return markdownTable(
    ['Endpoints', 'Commands', 'Seen live'],
    [...Map.groupBy(cells, ({ commands, seenLive }) => `${commands}|${seenLive}`)].map(([words, same]) => [
      same.map(({ route }) => `\`${route}\``).join(', '),
      ...words.split('|'),
    ]),
  );
}

/** The commands by the operations that their own declaration calls, or one that it leads to. */
function commandsByCall(keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const files = globSync('src/commands/**/*.ts');
  const declared = new Map(files.map((file) => [file, declarationsOf(file)]));
  const users = new Map<string, string[]>();
  for (const [file, declarations] of declared) {
    for (const [name, { source }] of declarations) {
      const path = /^ {2}path: '([^']+)'/m.exec(source)?.[1];
      if (path === undefined) continue;
      const reached = [...reachedFrom(file, name, declared)].join('\n');
      for (const key of keys) {
        const call = new RegExp(`\\b(reader|provider)\\.${key.replace('.', '\\.')}\\b`);
        if (call.test(reached)) users.set(key, [...(users.get(key) ?? []), path]);
      }
    }
  }
  return users;
}

interface Declaration {
  readonly source: string;
  /** The file of each imported name. */
  readonly imports: ReadonlyMap<string, string>;
}

/** The top-level functions and constants of a file, each with its text. */
function declarationsOf(file: string): ReadonlyMap<string, Declaration> {
  const text = readFileSync(file, 'utf8').replace(/\s*\n\s*\./g, '.');
  const imports = new Map(
    [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)].flatMap(([, names = '', from = '']) =>
      names.split(',').map((name) => [name.replace(/\btype\b/, '').trim(), join(dirname(file), from)] as const),
    ),
  );
  const pieces = text.split(/^(?=(?:export )?(?:async )?(?:const|function) \w)/m).slice(1);
  return new Map(
    pieces.map((source) => [/(?:const|function) (\w+)/.exec(source)?.[1] ?? '', { source, imports }] as const),
  );
}

/** The text of a declaration and of everything that it names, except another command. */
function reachedFrom(
  file: string,
  name: string,
  declared: ReadonlyMap<string, ReadonlyMap<string, Declaration>>,
  seen = new Set<string>(),
): Set<string> {
  const declaration = declared.get(file)?.get(name);
  const isOther = seen.size > 0 && /^ {2}path: '/m.test(declaration?.source ?? '');
  if (declaration === undefined || isOther || seen.has(declaration.source)) return seen;
  seen.add(declaration.source);
  for (const [word] of declaration.source.matchAll(/\b[A-Za-z]\w+\b/g))
    if (word !== name) reachedFrom(declaration.imports.get(word) ?? file, word, declared, seen);
  return seen;
}
