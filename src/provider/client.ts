import { z } from 'zod';
import { ProviderError } from '../core/view/errors.ts';
import { createAbsent } from './absent.ts';
import type { Endpoint, HttpMethod, Upload } from './endpoint.ts';
import type { ProviderRequest } from './exchange-types.ts';
import { issuesOf } from './issues.ts';
import { type ItemList, listOf, parseItem } from './items.ts';
import { type KnownPages, readPages } from './pages.ts';
import { type Table, table } from './table.ts';
import type { Transport } from './transport.ts';

export interface CallOptions {
  /** Gives up waiting. A write that was already sent is then `lost`, as it may have taken effect. */
  readonly signal?: AbortSignal;
  /** Asked right before the first byte; after a no nothing leaves, which is certain. */
  readonly mayStillSend?: () => boolean;
  /** Waits for no slot: the caller holds one (Transport.takeWriteSlot). */
  readonly hasSlot?: boolean;
  /** Of a list in pages: those that were read last, which are parsed again only if they changed. */
  readonly known?: KnownPages;
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
    : Rows[Name] extends { readonly effect: 'read' }
      ? Name
      : never]: Rows[Name] extends Endpoint ? Method<Rows[Name]> : never;
};

/** `provider.vps.restart({ order_id })`: a method for every row of the table. */
export type Provider = { readonly [Name in keyof Table]: Methods<Table[Name]> };
/** The client that a plan or a query gets, without anything that writes or gives out a secret. */
export type Reader = { readonly [Name in keyof Table]: Reads<Table[Name]> };

type Caller = Pick<Transport, 'baseUrl' | 'send'>;

export function createProvider(transport: Caller): Provider {
  const absent = createAbsent();
  // The table's rows become methods one by one; the mapped type says the same of the whole, which TypeScript cannot see.
  return mapTable(
    (row) => (input: unknown, options?: CallOptions) => absent.asking(row, () => call(transport, row, input, options)),
  ) as Provider;
}

/** A reader that has only the reading methods at run time as well. */
export function readerOf(provider: Provider): Reader {
  const methods: Readonly<Record<string, Readonly<Record<string, unknown>>>> = provider;
  // As above: picked row by row, by the same condition as the type.
  return mapTable((row, area, name) =>
    row.effect === 'read' && row.reveals !== true ? methods[area]?.[name] : undefined,
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
  { known = new Map(), ...options }: CallOptions = {},
): Promise<unknown> {
  const request = { ...requestFor(row, input), ...options };
  const schema = row.output;
  if (row.paginated === true) return readPages({ transport, first: request, schema, known });
  const answer = await transport.send(request);
  if (row.listed === true) return listOf(parseAnswer(row, listed, answer).map((item) => parseItem(schema, item)));
  return parseAnswer(row, row.output, answer);
}

/** Throws for input that does not fit, which is a bug of ours, before anything is sent. */
function requestFor(row: Endpoint, input: unknown): ProviderRequest {
  const parsed = row.input.safeParse(input ?? {});
  if (!parsed.success) throw new TypeError(`${row.route}: the input does not fit: ${issuesOf(parsed.error)}`);
  const rest = new Map(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
  // The method and the path of an EndpointRoute, which its type promises.
  const [method, template] = row.route.split(' ') as [HttpMethod, string];
  const path = template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const segment = String(rest.get(key));
    rest.delete(key);
    return encodeURIComponent(segment);
  });
  const request = { endpoint: row.route, effect: row.effect, method, answers: row.answers ?? 'json' } as const;
  if (method === 'GET') {
    if (row.paginated === true && !rest.has('page_size')) rest.set('page_size', 100);
    const query = new URLSearchParams();
    for (const [key, value] of rest) query.set(key, String(value));
    return { ...request, path: query.size === 0 ? path : `${path}?${query}` };
  }
  if (rest.size === 0) return { ...request, path };
  const fields = Object.fromEntries(rest);
  // The input of a multipart row has uploads only, as its schema just checked.
  if (row.sends === 'multipart') return { ...request, path, body: { form: fields as Record<string, Upload> } };
  return { ...request, path, body: { json: fields } };
}

function parseAnswer<Output>(row: Endpoint, schema: z.ZodType<Output>, answer: unknown): Output {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ProviderError('shape', row.route, { words: `the answer does not fit: ${issuesOf(parsed.error)}` });
}
