import { detail } from './answer.ts';
import type { ProviderState } from './types.ts';

/** One API request, as a handler sees it. */
export interface ProviderRequestCall<P extends string = string> {
  readonly world: ProviderState;
  readonly route: string;
  readonly params: Readonly<Record<P, string>>;
  readonly query: URLSearchParams;
  /** `http://host:port`, as the caller named this server: links in answers are absolute. */
  readonly origin: string;
  readonly path: string;
  /** The JSON body. Read by the handler, after it has looked up what the path names: so is the order of refusals. */
  data(): unknown;
  form(): Promise<FormData>;
}

export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string;
}

export function readJson({ bytes, contentType }: RawBody): unknown {
  if (bytes.length === 0) return {};
  if (mediaType(contentType) !== 'application/json') throw unsupported(contentType);
  let source = '';
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw detail(400, "JSON parse error - 'utf-8' codec can't decode the body: invalid start byte");
  }
  try {
    return JSON.parse(source);
  } catch (error) {
    throw detail(400, `JSON parse error - Expecting value: ${positionOf(error, source)}`);
  }
}

export async function readForm({ bytes, contentType }: RawBody): Promise<FormData> {
  if (mediaType(contentType) !== 'multipart/form-data') throw unsupported(contentType);
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch {
    throw detail(400, 'Multipart form parse error - Invalid boundary in multipart: None');
  }
}

const mediaType = (contentType: string) => (contentType.split(';')[0] ?? '').trim().toLowerCase();

const unsupported = (contentType: string) => detail(415, `Unsupported media type "${contentType}" in request.`);

function positionOf(error: unknown, source: string): string {
  const char = Number(
    /at position (\d+)/.exec(String(error))?.[1] ?? (/end of JSON/.test(String(error)) ? source.length : 0),
  );
  const before = source.slice(0, char).split('\n');
  return `line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1} (char ${char})`;
}
