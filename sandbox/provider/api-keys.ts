/** Operations without a key, by the provider's document: their success does not prove that a key is valid. */
const anonymous: ReadonlySet<string> = new Set([
  'GET /orders/vps/locations/',
  'GET /orders/vps/disks/',
  'GET /plans/backups',
  'GET /plans/dedicated',
  'GET /plans/hosting',
  'GET /plans/vps',
]);

interface Caller {
  readonly route: string | undefined;
  readonly authorization: string | undefined;
  readonly url: URL;
  readonly data: () => unknown;
}

/** Accepts the key in the header or, the older way, as `apikey` in the query or the body; some operations need none. */
export function mayCall({ route, authorization, url, data }: Caller, key: string): boolean {
  if (route !== undefined && anonymous.has(route)) return true;
  if (authorization !== undefined) return authorization === `Api-Key ${key}`;
  return url.searchParams.get('apikey') === key || keyInBody(data) === key;
}

function keyInBody(data: () => unknown): unknown {
  try {
    const body = data();
    return typeof body === 'object' && body !== null && 'apikey' in body ? body.apikey : undefined;
  } catch {
    return undefined;
  }
}
