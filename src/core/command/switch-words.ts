const yes: readonly string[] = ['yes', 'true', 'on', '1', 'y'];
const no: readonly string[] = ['no', 'false', 'off', '0', 'n', ''];
const words: Readonly<Record<string, readonly string[]>> = {
  on: ['yes', 'true', 'enable'],
  off: ['no', 'false', 'disable'],
};

export function isYes(word: string): boolean {
  return yes.includes(word.toLowerCase());
}

export function isNo(word: string): boolean {
  return no.includes(word.toLowerCase());
}

/** Synonyms for a choice between on and off: `solo yes` is `solo on`. */
export function switchWords<V extends string>(of: readonly V[]): readonly (readonly [string, V])[] {
  const isSwitch = of.length === 2 && of.every((value) => Object.hasOwn(words, value));
  return isSwitch ? of.flatMap((value) => (words[value] ?? []).map((word) => [word, value] as const)) : [];
}
