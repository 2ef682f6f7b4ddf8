import { createServer, type IncomingMessage } from 'node:http';
import { claimPort } from '../claim-port.ts';
import { isOurHost, refuseForeign } from '../foreign-caller.ts';
import { originOf } from '../http.ts';
import { createExchange } from './exchange.ts';
import type { ProviderSnapshot } from './model.ts';
import { numbers } from './numbers.ts';
import { createApiKey } from './password.ts';
import { createProviderState } from './provider-state.ts';
import { type ProviderSeed, seedState } from './seed/seed.ts';
import { createSim, type ProviderControl } from './sim.ts';
import { toSnapshot } from './snapshot.ts';
import type { Feature } from './types.ts';

export interface ProviderOptions {
  /** 0 or absent: any free port. */
  port?: number;
  host?: string;
  /** The API key to accept; made up when absent. */
  key?: string;
  /** Default `account`. Not used when a state is restored, except by `sim.reset`. */
  seed?: ProviderSeed;
  /** How long jobs take; default 20 to 40 seconds. */
  jobMs?: number | { min: number; max: number };
  state?: ProviderSnapshot;
  /** The features that support has enabled for the account; both by default. */
  features?: Partial<Record<Feature, boolean>>;
  pageSizeMax?: number;
}

export interface SimulatedProvider {
  /** The base URL of the API, `/api` included. */
  readonly url: string;
  readonly key: string;
  readonly port: number;
  readonly sim: ProviderControl;
  snapshot(): ProviderSnapshot;
  close(): Promise<void>;
}

/** The provider without a server: whoever holds it passes requests to `exchange`. */
export function createSimulatedProvider(options: ProviderOptions = {}) {
  const { key = createApiKey(), seed = 'account', jobMs = numbers.jobMs } = options;
  const provider = createProviderState(
    {
      jobMs: typeof jobMs === 'number' ? { min: jobMs, max: jobMs } : { ...jobMs },
      features: { createVps: true, createDomain: true, ...options.features },
    },
    { pageSizeMax: options.pageSizeMax ?? numbers.pageSizeMax },
  );
  if (options.state) provider.restore(options.state);
  else provider.load(seedState(seed, Date.now()), 0);
  const sim = createSim(provider, seed);
  return {
    key,
    sim,
    exchange: createExchange(provider, sim, key),
    snapshot: () => toSnapshot(provider.state, provider.clock.offsetMs()),
    stop: () => {
      provider.clock.stop();
      provider.closing.abort();
    },
  };
}

/** Logos are pictures, which pages may show; the control API has a stricter rule of its own. */
function refused(request: IncomingMessage, host: string): string | undefined {
  const isPicture = request.method === 'GET' && request.url?.startsWith('/media/') === true;
  if (isPicture && isOurHost(request.headers.host, host)) return undefined;
  return request.url?.startsWith('/_sim/') === true ? undefined : refuseForeign(request, host);
}

/** Starts the simulated hosting provider: a stateful server that behaves as the provider's specification says. */
export async function startProvider(options: ProviderOptions = {}): Promise<SimulatedProvider> {
  const { host = '127.0.0.1' } = options;
  const { key, sim, exchange, snapshot, stop } = createSimulatedProvider(options);
  const server = createServer((request, response) => {
    const why = refused(request, host);
    if (why !== undefined) {
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end(JSON.stringify({ detail: `Refused: ${why}.` }));
      return;
    }
    exchange(request, response).catch((error: unknown) => {
      if (request.socket.destroyed) return;
      // A bug of the simulator: reported in full, where the provider would send an HTML page.
      response
        .writeHead(500, { 'content-type': 'text/plain' })
        .end(error instanceof Error ? error.stack : String(error));
    });
  });
  const port = await claimPort(server, options.port ?? 0, host);

  return {
    url: `${originOf(host, port)}/api`,
    key,
    port,
    sim,
    snapshot,
    async close() {
      stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}
