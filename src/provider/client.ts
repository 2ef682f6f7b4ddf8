import { z } from 'zod';
import type { UploadedFile } from '../core/command/bot-port.ts';
import { ProviderError } from '../core/view/errors.ts';
import { createAbsent } from './absent.ts';
import { type Endpoint, effectOf, type HttpMethod } from './endpoint.ts';
import { nothing } from './endpoints/shapes.ts';
import type { ProviderRequest } from './exchange.ts';
import { type ItemList, issuesOf, listOf, parseItem } from './items.ts';
import { type Caller, type KnownPages, readPages } from './pages.ts';
import { type Table, table } from './table.ts';

export interface CallOptions extends Pick<ProviderRequest, 'signal' | 'mayStillSend' | 'hasSlot'> {
  /** The pages of a list from its last read; a page is parsed again only if it changed. */
  readonly knownPages?: KnownPages;
}

type Result<Row extends Endpoint> = Row extends { readonly paginated: true } | { readonly listed: true }
  ? ItemList<z.output<Row['output']>>
  : z.output<Row['output']>;

type Method<Row extends Endpoint> =
  Record<never, never> extends z.input<Row['input']>
    ? (input?: z.input<Row['input']>, options?: CallOptions) => Promise<Result<Row>>
    : (input: z.input<Row['input']>, options?: CallOptions) => Promise<Result<Row>>;

type Methods<Rows> = { readonly [Name in keyof Rows]: Rows[Name] extends Endpoint ? Method<Rows[Name]> : never };
type Reads<Rows> = {
  readonly [Name in keyof Rows as Rows[Name] extends { readonly reveals: true }
    ? never
    : Rows[Name] extends { readonly route: `GET /${string}` }
      ? Name
      : never]: Rows[Name] extends Endpoint ? Method<Rows[Name]> : never;
};

/** `provider.vps.restart({ order_id })`: a method for every row of the table. */
export type Provider = { readonly [Name in keyof Table]: Methods<Table[Name]> };
/** The client for plans and queries, without endpoints that write or reveal a secret. */
export type Reader = { readonly [Name in keyof Table]: Reads<Table[Name]> };

export function createProvider(transport: Caller): Provider {
  // mapTable makes one method per row, as the mapped type says; TypeScript cannot follow that.
  return mapTable(methodsOver(transport)) as Provider;
}

/** A client that is made without the endpoints that write. */
export function createReader(transport: Caller): Reader {
  const methodOf = methodsOver(transport);
  return readerWith((_area, _name, row) => methodOf(row));
}

function methodsOver(transport: Caller) {
  const aroundAbsent = createAbsent();
  return (row: Endpoint) => (input: unknown, options?: CallOptions) =>
    aroundAbsent(row.route, () => call(transport, row, input, options));
}

/** A reader without writing methods, at run time too. */
export function readerOf(provider: Provider): Reader {
  const methods: Readonly<Record<string, Readonly<Record<string, unknown>>>> = provider;
  return readerWith((area, name) => methods[area]?.[name]);
}

export function readerWith(methodOf: (area: string, name: string, row: Endpoint) => unknown): Reader {
  // Methods are picked by the same condition as in the type `Reads`.
  return mapTable((row, area, name) =>
    effectOf(row.route) === 'read' && row.reveals !== true ? methodOf(area, name, row) : undefined,
  ) as Reader;
}

function mapTable(map: (row: Endpoint, area: string, name: string) => unknown): unknown {
  const rows = Object.entries<Readonly<Record<string, Endpoint>>>(table);
  return Object.fromEntries(
    rows.map(([area, endpoints]) => [
      area,
      Object.fromEntries(
        Object.entries(endpoints)
          .map(([name, row]) => [name, map(row, area, name)])
          .filter(([, method]) => method !== undefined),
      ),
    ]),
  );
}

const listed = z.array(z.unknown());

async function call(
  transport: Caller,
  row: Endpoint,
  input: unknown,
  { knownPages = new Map(), ...options }: CallOptions = {},
): Promise<unknown> {
  const request = { ...requestFor(row, input), ...options };
  const schema = row.output;
  if (row.paginated === true) return readPages({ transport, first: request, schema, knownPages });
  const answer = await transport.send(request);
  if (row.listed === true) return listOf(parseAnswer(row, listed, answer).map((item) => parseItem(schema, item)));
  return parseAnswer(row, row.output, answer);
}

/** Throws before anything is sent if the input does not match the schema, which is a bug in Hostler. */
function requestFor(row: Endpoint, input: unknown): ProviderRequest {
  const parsed = row.input.safeParse(input ?? {});
  if (!parsed.success) throw new TypeError(`${row.route}: the input does not fit: ${issuesOf(parsed.error)}`);
  const rest = new Map(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
  // The type of an EndpointRoute promises a method and a path.
  const [method, template] = row.route.split(' ') as [HttpMethod, string];
  const path = template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const segment = String(rest.get(key));
    rest.delete(key);
    return encodeURIComponent(segment);
  });
  const answers = row.output === nothing ? 'nothing' : (row.answers ?? 'json');
  const request = { endpoint: row.route, effect: effectOf(row.route), method, answers } as const;
  if (method === 'GET') {
    // `readPages` asks for the pages, so `page` is no input. The provider replaces a size that it does not allow.
    if (row.paginated === true) rest.set('page_size', 100);
    const query = new URLSearchParams();
    for (const [key, value] of rest) query.set(key, String(value));
    return { ...request, path: query.size === 0 ? path : `${path}?${query}` };
  }
  if (rest.size === 0) return { ...request, path };
  const fields = Object.fromEntries(rest);
  // The schema, checked above, allows only uploads in the input of a multipart row.
  if (row.sends === 'multipart') return { ...request, path, body: { form: fields as Record<string, UploadedFile> } };
  return { ...request, path, body: { json: fields } };
}

function parseAnswer<Output>(row: Endpoint, schema: z.ZodType<Output>, answer: unknown): Output {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ProviderError('shape', row.route, { words: `the answer does not fit: ${issuesOf(parsed.error)}` });
}
