import { detail } from './answer.ts';
import { formData } from './form-data.ts';
import type { ProviderState } from './types.ts';

/** An API request for a handler. */
export interface ProviderRequestCall<P extends string = string> {
  readonly provider: ProviderState;
  readonly route: string;
  readonly params: Readonly<Record<P, string>>;
  readonly query: URLSearchParams;
  /** `http://host:port` in the caller's spelling, for the absolute links in responses. */
  readonly origin: string;
  readonly path: string;
  /**
   * Reads the body's fields, from JSON or a form. Handlers call it after they have found the path's items, so a 404
   * comes first.
   */
  data(): unknown;
  form(): Promise<FormData>;
}

export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Reads a body as JSON, or as a form in either encoding (`form` is the parsed multipart form). */
export function readData({ bytes, contentType }: RawBody, form: FormData | undefined): unknown {
  if (bytes.length === 0) return {};
  const type = mediaType(contentType);
  if (type === 'application/x-www-form-urlencoded') return formData(new URLSearchParams(bytes.toString('utf8')));
  if (type === 'multipart/form-data') {
    if (form === undefined) throw brokenForm();
    return formData([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
  }
  if (type !== 'application/json') throw unsupported(contentType);
  return readJson(bytes);
}

function readJson(bytes: Buffer): unknown {
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

/** Undefined if the body is not a valid multipart form. */
export async function parseForm({ bytes, contentType }: RawBody): Promise<FormData | undefined> {
  if (mediaType(contentType) !== 'multipart/form-data') return undefined;
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch {
    return undefined;
  }
}

export function requireForm({ contentType }: RawBody, form: FormData | undefined): FormData {
  if (mediaType(contentType) !== 'multipart/form-data') throw unsupported(contentType);
  if (form === undefined) throw brokenForm();
  return form;
}

const brokenForm = () => detail(400, 'Multipart form parse error - Invalid boundary in multipart: None');

const mediaType = (contentType: string) => (contentType.split(';')[0] ?? '').trim().toLowerCase();

const unsupported = (contentType: string) => detail(415, `Unsupported media type "${contentType}" in request.`);

function positionOf(error: unknown, source: string): string {
  const char = Number(
    /at position (\d+)/.exec(String(error))?.[1] ?? (/end of JSON/.test(String(error)) ? source.length : 0),
  );
  const before = source.slice(0, char).split('\n');
  return `line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1} (char ${char})`;
}
