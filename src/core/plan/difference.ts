import { canonicalJson, type Json } from '../text/json.ts';
import { sentenceStart } from '../text/words.ts';

/** Facts whose values mean nothing to people: ids and hashes. They detect a replaced target. */
const silent =
  /^(?:id|hooks|key|file|fingerprint|networks|request|scope|bucket|alerts|zone|access key|(?:linked )?SSH keys)$|(?:^|: )(?:record of|project id of|zone) /;
const most = 8;

/** `The power of web-1 was on and is off now.` for each changed fact. */
export function differenceOf(before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>): string {
  const parts = new Set(Object.keys({ ...before, ...after }).flatMap((name) => /^part \d+: /.exec(name)?.[0] ?? []));
  if (parts.size > 0) {
    const each = [...parts].map((part) => differenceOf(factsIn(part, before), factsIn(part, after)));
    return [...new Set(each)].filter(Boolean).join(' ');
  }
  const renamedBefore = renamed(before, after);
  const names = [...new Set([...Object.keys(renamedBefore), ...Object.keys(after)])];
  const sentences = names
    .filter((name) => !silent.test(name))
    .filter((name) => canonicalJson(renamedBefore[name] ?? null) !== canonicalJson(after[name] ?? null))
    .map((name) => sentence(name, renamedBefore[name] ?? null, after[name] ?? null));
  const more = sentences.length > most ? [`And ${sentences.length - most} more.`] : [];
  return [...sentences.slice(0, most), ...more].join(' ');
}

function factsIn(part: string, facts: Readonly<Record<string, Json>>) {
  const own = Object.entries(facts).filter(([name]) => name.startsWith(part));
  return Object.fromEntries(own.map(([name, fact]) => [name.slice(part.length), fact]));
}

function sentence(name: string, before: Json, after: Json): string {
  if (typeof before === 'boolean' || typeof after === 'boolean')
    return `“${name}” ${after === true ? 'holds now' : 'holds no longer'}.`;
  const was = sayFact(name, before);
  const is = sayFact(name, after);
  // The name and type of a DNS record stay unchanged.
  const isRecord = / [A-Z]+$/.test(name);
  const what = isRecord ? name : name.includes(' of ') ? `The ${name}` : sentenceStart(name);
  if (after === null && isRecord) return `${name} ${was} is no longer there.`;
  if (was === is) return `${what}: different now.`;
  if (name.startsWith('name of ') && was !== none && is !== none) return `${was} is called ${is} now.`;
  // No verb fits a singular and a plural list.
  if (Array.isArray(before ?? after)) return `${what}: ${is} now; ${was} before.`;
  return `${what} was ${was} and is ${is} now.`;
}

/** Renames facts to a target's new name, so that renaming web-1 does not remove `power of web-1`. */
function renamed(before: Readonly<Record<string, Json>>, after: Readonly<Record<string, Json>>) {
  const facts = Object.entries(before);
  const names = facts.filter(([fact]) => fact.startsWith('name of '));
  const newNames = [...new Map(names.map(([fact, name]) => [` of ${String(name)}`, after[fact]]))];
  return Object.fromEntries(
    facts.map(([fact, value]) => {
      const [ending = '', name] = newNames.find(([ending]) => fact.endsWith(ending)) ?? [];
      return [typeof name === 'string' ? `${fact.slice(0, -ending.length)} of ${name}` : fact, value];
    }),
  );
}

const none = 'none';

function sayFact(name: string, value: Json): string {
  if (value === null) return none;
  // The bot cannot look up names of other workspaces.
  if (Array.isArray(value) && value.length > 0 && value.every((id) => /^[TE][A-Z0-9]{6,}$/.test(String(id))))
    return value.length === 1 ? 'one' : String(value.length);
  if (Array.isArray(value)) return value.map(String).join(', ').slice(0, 120) || none;
  if (typeof value === 'object') return 'name' in value ? sayFact('', value.name ?? null) : 'another';
  const words = String(value).slice(0, 120);
  // A record's value repeats its name and type, which the sentence already contains.
  return words.startsWith(`${name} `) ? words.slice(name.length + 1) : words || none;
}
