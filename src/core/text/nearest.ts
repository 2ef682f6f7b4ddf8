/** For "Did you mean": the known word at the smallest edit distance, if that is small for the word's length. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  return allNearest(word, candidates).words[0];
}

/** All known words at the smallest edit distance; people choose among equally near ones. */
export function allNearest(word: string, candidates: Iterable<string>) {
  const wanted = word.toLowerCase();
  const limit = wanted.length <= 3 ? 1 : wanted.length <= 6 ? 2 : 3;
  let words: string[] = [];
  let best = limit;
  for (const candidate of new Set(candidates)) {
    if (Math.abs(candidate.length - wanted.length) > best) continue;
    const distance = editDistance(wanted, candidate.toLowerCase(), best + 1);
    if (distance > best) continue;
    words = distance < best ? [candidate] : [...words, candidate];
    best = distance;
  }
  // A word with every letter changed is a different word.
  return best < wanted.length ? { words, distance: best } : { words: [], distance: best };
}

/** Optimal string alignment: swapped neighbors count as one edit. Stops at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(value);
      least = Math.min(least, value);
    }
    if (least >= limit) return limit;
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? limit;
}
