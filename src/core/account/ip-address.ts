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

/** Counts an IPv6 /64 network as one client, since clients get whole /64 networks. */
export function clientOf(address = ''): string {
  const canonical = canonicalAddress(address.split('%')[0] ?? '');
  if (canonical?.includes(':') !== true) return canonical ?? address;
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: missing }, () => '0'), ...(tail ?? '').split(':')];
  return `${all.slice(0, 4).join(':')}::/64`;
}
