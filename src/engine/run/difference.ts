import { canonicalJson, type Json } from '../../core/json.ts';

/** Facts that are ids of the bot's own: they show that something else is there now, and say nothing to people. */
const ownIds: ReadonlySet<string> = new Set(['id', 'hooks']);

/** `power: on → off` for each fact that is no longer so. */
export function differenceOf(before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>): string {
  const known = renamed(before, after);
  const names = [...new Set([...Object.keys(known), ...Object.keys(after)])];
  const lines = names
    .filter((name) => !ownIds.has(name))
    .filter((name) => canonicalJson(known[name] ?? null) !== canonicalJson(after[name] ?? null))
    .map((name) => `${name}: ${sayFact(known[name])} → ${sayFact(after[name])}`);
  return lines.length === 0
    ? ''
    : `${lines.slice(0, 8).join('; ')}${lines.length > 8 ? `; and ${lines.length - 8} more` : ''}.`;
}

/** Compared under the new name: `power of web-1` does not disappear because web-1 was renamed. */
function renamed(before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>) {
  const newNames = new Map<string, Json | undefined>();
  for (const [fact, name] of Object.entries(before)) {
    if (fact.startsWith('name of ')) newNames.set(` of ${String(name)}`, after[fact]);
  }
  return Object.fromEntries(
    Object.entries(before).map(([fact, value]) => {
      const ending = [...newNames.keys()].find((one) => fact.endsWith(one));
      const name = ending === undefined ? undefined : newNames.get(ending);
      return [
        ending === undefined || typeof name !== 'string' ? fact : `${fact.slice(0, -ending.length)} of ${name}`,
        value,
      ];
    }),
  );
}

function sayFact(value: Json | undefined): string {
  if (value === undefined || value === null) return 'none';
  // Other workspaces have no name that the bot may know.
  if (Array.isArray(value) && value.length > 0 && value.every((one) => /^[TE][A-Z0-9]{6,}$/.test(String(one))))
    return value.length === 1 ? 'one' : String(value.length);
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ').slice(0, 120);
  if (typeof value === 'object') return canonicalJson(value).slice(0, 120);
  return String(value).slice(0, 120);
}
