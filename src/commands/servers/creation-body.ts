import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import type { CreationChoice, CreationParts } from './creation-parts.ts';

/**
 * The body of the request without the webhook, which is added right before sending, so that its secret is never stored.
 */
export const creationBody = z.object({
  tariff: z.int().exactOptional(),
  configuration: z
    .object({
      cpu_count: z.int(),
      ram_size: z.int(),
      disk_size: z.int(),
      cpu_arch: z.enum(['x86_64', 'arm']),
      min_cpu_freq: z.string().exactOptional(),
      disk_class: z.int().exactOptional(),
    })
    .exactOptional(),
  template: z.int().exactOptional(),
  app: z.int().exactOptional(),
  snapshot: z.int().exactOptional(),
  location: z.string(),
  term: z.literal([1, 3, 6, 12]),
  services: z.array(z.object({ service: z.int(), count: z.int() })).exactOptional(),
  ssh_keys: z.array(z.int()),
  name: z.string().exactOptional(),
  project: z.int().exactOptional(),
  disk_class: z.int().exactOptional(),
  bandwidth: z.int().exactOptional(),
  placement_policy: z.enum(['STRICT', 'OPTIONAL']).exactOptional(),
  placement_group: z.int().exactOptional(),
  private_network: z.int().exactOptional(),
  tags: z.array(z.string()).exactOptional(),
});
export type CreationBody = z.infer<typeof creationBody>;

/** Contains only the requested fields; the provider has defaults for the others. */
export function bodyOf(choices: CreationChoice, parts: CreationParts): CreationBody {
  const { hardware, image, location, diskClass, services, network } = parts;
  const { name, tags, project, bandwidth, placement, placement_group } = choices;
  return {
    ...hardwareBody(parts),
    [image.kind]: image.id,
    location: location.value,
    term: parts.term,
    // Always sent: the provider adds no keys by itself, with or without the list.
    ssh_keys: parts.sshKeys.map(({ id }) => id),
    ...(services.length === 0
      ? {}
      : { services: services.map(({ service, count }) => ({ service: service.id, count })) }),
    ...defined({ name }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
    ...(project === undefined ? {} : { project: project.id }),
    ...(diskClass === undefined || hardware.kind === 'configuration' ? {} : { disk_class: diskClass.id }),
    ...defined({ bandwidth, placement_policy: placement, placement_group, private_network: network }),
  };
}

/** The disk class belongs inside a configuration but next to a plan; the provider accepts it in one place only. */
function hardwareBody({ hardware, diskClass }: CreationParts): Pick<CreationBody, 'tariff' | 'configuration'> {
  if (hardware.kind === 'plan') return { tariff: hardware.plan.id };
  const { min_cpu_freq, ...sizes } = hardware.configuration;
  return {
    configuration: {
      ...sizes,
      ...defined({ min_cpu_freq }),
      ...(diskClass === undefined ? {} : { disk_class: diskClass.id }),
    },
  };
}
