/** The canonical spelling of an address, since IPv6 has many; undefined if the text is not an address. */
export function canonicalAddress(text: string): string | undefined {
  const word = text.trim().replace(/^\[(.*)\]$/, '$1');
  if (/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(word)) return word;
  if (!word.includes(':') || !/^[\da-f:.]{2,45}$/i.test(word)) return undefined;
  const host = URL.parse(`http://[${word}]/`)?.hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host ?? '');
  if (mapped === null) return host;
  const [high = 0, low = 0] = mapped.slice(1).map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** True for two spellings of one address; other texts are compared literally. */
export function isSameAddress(a: string, b: string): boolean {
  return a === b || (canonicalAddress(a) ?? a) === (canonicalAddress(b) ?? b);
}
