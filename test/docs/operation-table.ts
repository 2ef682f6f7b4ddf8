import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { markdownTable } from '../../src/core/command-table.ts';
import { table } from '../../src/provider/table.ts';

/** Areas of which no client has published that it saw them on a live account. */
const neverSeen: ReadonlySet<string> = new Set(['network', 's3', 'tickets', 'privateNetworks', 'ds']);
const neverSeenRows: ReadonlySet<string> = new Set([
  'dns.setTags',
  'sshKeys.add',
  'sshKeys.remove',
  'sshKeys.ofServer',
  'sshKeys.link',
  'sshKeys.unlink',
  'domainOrders.changeNs',
]);

/** Every operation once, with the commands whose files, or files they import, call it. */
export function operationTable(): string {
  const rows = Object.entries(table).flatMap(([area, endpoints]) =>
    Object.entries(endpoints).map(([name, { route }]) => ({ route, key: `${area}.${name}`, area })),
  );
  const users = commandsByCall(rows.map(({ key }) => key));
  return markdownTable(
    ['Operation', 'Commands', 'Seen on a live account'],
    [...Map.groupBy(rows, ({ route }) => route)].map(([route, same]) => [
      `\`${route}\``,
      [...new Set(same.flatMap(({ key }) => users.get(key) ?? []))]
        .toSorted()
        .map((path) => `\`${path}\``)
        .join(', ') || '–',
      same.every(({ key, area }) => neverSeen.has(area) || neverSeenRows.has(key)) ? 'never' : 'yes',
    ]),
  );
}

function commandsByCall(keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const files = globSync('src/commands/**/*.ts');
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8').replace(/\s*\n\s*\./g, '.')]));
  const users = new Map<string, string[]>();
  for (const [file, source] of sources) {
    const paths = [...source.matchAll(/^ {2}path: '([^']+)'/gm)].map(([, path = '']) => path);
    if (paths.length === 0) continue;
    const reached = [...reachedFrom(file, sources)].map((one) => sources.get(one) ?? '').join('\n');
    for (const key of keys) {
      const call = new RegExp(`\\b(reader|provider)\\.${key.replace('.', '\\.')}\\b`);
      if (call.test(reached)) users.set(key, [...(users.get(key) ?? []), ...paths]);
    }
  }
  return users;
}

/** The file and what it imports of the commands, but not what defines another command. */
function reachedFrom(file: string, sources: ReadonlyMap<string, string>, seen = new Set<string>()): Set<string> {
  seen.add(file);
  for (const [, from = ''] of (sources.get(file) ?? '').matchAll(/from '(\.[^']+)'/g)) {
    const next = join(dirname(file), from);
    const source = sources.get(next);
    if (source === undefined || seen.has(next) || /^ {2}path: '/m.test(source)) continue;
    reachedFrom(next, sources, seen);
  }
  return seen;
}
