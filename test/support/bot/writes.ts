import type { Write } from '../../../sandbox/judge/history.ts';
import type { ProviderControl } from '../../../sandbox/provider/sim.ts';

/** The writes that the provider received: `POST /vps/34-12345/restart/`, with the body. */
export const writesOf = (sim: ProviderControl): { request: string; body: unknown }[] =>
  sim
    .requests()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => ({ request: `${method} ${path.replace(/^\/api/, '')}`, body }));

/** The same for the judge: the time, whether the provider applied it, and the end of its job. */
export function seenWrites(sim: ProviderControl): Write[] {
  const jobs = sim.jobStates();
  return sim
    .requests()
    .filter(({ method }) => method !== 'GET')
    .map(({ time, method, path, isApplied, job }) => {
      const state = job === null ? undefined : jobs.get(job);
      return {
        at: Date.parse(time),
        method,
        path: path.replace(/^\/api/, '').replace(/\?.*$/, ''),
        isApplied,
        job: state === 'done' || state === 'error' ? state : job === null ? null : 'open',
      };
    });
}
