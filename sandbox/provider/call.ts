import { detail } from './answer.ts';
import { formData } from './form-data.ts';
import type { ProviderState } from './types.ts';

/** One API request, as a handler sees it. */
export interface ProviderRequestCall<P extends string = string> {
  readonly provider: ProviderState;
  readonly route: string;
  readonly params: Readonly<Record<P, string>>;
  readonly query: URLSearchParams;
  /** `http://host:port`, as the caller named this server: links in answers are absolute. */
  readonly origin: string;
  readonly path: string;
  /**
   * The fields of the body, JSON or a form. Read by the handler, after it has looked up what the path names: so is the
   * order of refusals.
   */
  data(): unknown;
  form(): Promise<FormData>;
}

export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** A body as every operation takes it: JSON, or a form in either encoding (`form` is the parsed multipart one). */
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

/** Undefined where the body is no multipart form, or a broken one. */
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
