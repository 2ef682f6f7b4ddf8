import { type Probed, type Prober, type Service, sayService } from '../../../src/core/probe/services.ts';

/** The servers of the simulated account as a prober sees them. */
export function serversOutside(
  answers: readonly string[] = ['ssh', 'https example.com'],
  leads: Readonly<Record<string, readonly string[]>> = {},
) {
  const silent = new Set<string>();
  const probes: string[] = [];
  const probeOne = (service: Service): Probed => {
    const words = sayService(service);
    const isThere = answers.includes(words) || answers.includes(`${words} at ${service.address}`);
    const isAnswered = isThere && !silent.has(service.address);
    return { ...service, ms: 12, ...(isAnswered ? {} : { why: 'it did not answer in time' }) };
  };
  const prober: Prober = {
    probe: async (services) => {
      probes.push(services.map((service) => `${sayService(service)} at ${service.address}`).join(', '));
      return services.map(probeOne);
    },
    resolve: async (name) => leads[name] ?? [],
  };
  return {
    prober,
    /** Each probe, as its services. */
    probes,
    /** Addresses that answer nothing now. */
    silent,
  };
}
