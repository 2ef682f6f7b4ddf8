import type { ProviderControl } from '../../sandbox/provider/sim.ts';

/** What the provider was sent that changes something: `POST /vps/34-12345/restart/`, with its body. */
export const writesOf = (sim: ProviderControl): { request: string; body: unknown }[] =>
  sim
    .requests()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => ({ request: `${method} ${path.replace(/^\/api/, '')}`, body }));
