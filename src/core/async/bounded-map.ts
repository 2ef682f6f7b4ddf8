/** Sets the newest entry of a map that would otherwise only grow, and keeps at most this many entries. */
export function setBounded<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  dropOldest(map, most);
}

export function dropOldest(map: Map<string, unknown>, most: number): void {
  const oldest = map.keys().next().value;
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
