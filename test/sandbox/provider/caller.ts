import { afterEach, beforeEach } from 'vitest';
import { type ProviderOptions, type SimulatedProvider, startProvider } from '../../../sandbox/provider/server.ts';

/** The fields that tests read, of all resources in one: what an answer lacks is undefined, and fails where it is asserted. */
type Item = Record<'id' | 'name' | 'status' | 'expiration_date' | 'host' | 'type', string> &
  Record<'prio' | 'ttl', number | null> & { cost_month: number };
type Body = Item &
  Record<'detail' | 'created' | 'order_id' | 'comment' | 'logo' | 'passwd' | 'period', string> &
  Record<'time' | 'date' | 'job_state' | 'job_action', string> &
  Record<'count' | 'balance' | 'unpaid_invoices_count' | 'unpaid_invoices_amount', number> &
  Record<'pk' | 'resp_id' | 'used' | 'used_rate', number> &
  Record<'next' | 'previous', string | null> &
  Record<'results' | 'entry_set', Item[]> & {
    cancel_mark: boolean;
    ipaddress_set: string[] | null;
    project: Item | null;
    data: [date: string, bytes: { input: number; output: number }][];
    series: { name: string; data: [at: number, value: number | null][] }[];
  };

/** One API request, with the key unless other headers are given; redirects are followed only if that is said. */
export function createCaller(provider: SimulatedProvider, redirect: 'manual' | 'follow' = 'manual') {
  const key = { authorization: `Api-Key ${provider.key}` };
  return async function call(route: `${string} /${string}`, sent?: unknown, headers: Record<string, string> = key) {
    const [method = '', path = ''] = route.split(' ');
    const isForm = sent instanceof FormData || sent instanceof URLSearchParams;
    const response = await fetch(`${provider.url}${path}`, {
      method,
      redirect,
      headers: {
        ...(sent === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: isForm || typeof sent === 'string' ? sent : JSON.stringify(sent) }),
    });
    const text = await response.text();
    const body: unknown = parse(text);
    return {
      status: response.status,
      text,
      headers: response.headers,
      // Of the two, the one that the operation answers with; see Item.
      body: body as Body,
      list: (Array.isArray(body) ? body : []) as Item[],
    };
  };
}

/** A provider for each test of the file, and calls to it. */
export function eachProvider(options: ProviderOptions = {}, redirect?: 'manual' | 'follow') {
  let current: SimulatedProvider | undefined;
  const provider = (): SimulatedProvider => {
    if (current === undefined) throw new Error('the provider belongs to a test');
    return current;
  };
  beforeEach(async () => {
    current = await startProvider(options);
  });
  afterEach(() => provider().close());
  const call: ReturnType<typeof createCaller> = (...asked) => createCaller(provider(), redirect)(...asked);
  return { provider, call };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
