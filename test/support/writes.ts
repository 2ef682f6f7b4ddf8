import type { ProviderControl } from '../../sandbox/provider/sim.ts';

/** The writes that the provider was sent: `POST /vps/34-12345/restart/`, with the body. */
export const writesOf = (sim: ProviderControl): { request: string; body: unknown }[] =>
  sim
    .requests()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => ({ request: `${method} ${path.replace(/^\/api/, '')}`, body }));
