import type { SimConfiguration } from './model.ts';
import type { SimTemplate } from './offer.ts';
import type { ProviderState } from './types.ts';
import { invalid, nullable, primaryKey, withDefault, wrongAsWhole } from './validate.ts';

/** The three image fields; creating and reinstalling require exactly one of them. */
export const imageSlots = (provider: ProviderState) => ({
  template: withDefault(
    nullable(primaryKey((id) => provider.state.offer.templates.some((candidate) => candidate.id === id))),
    null,
  ),
  app: withDefault(
    nullable(primaryKey((id) => provider.state.offer.apps.some((candidate) => candidate.id === id))),
    null,
  ),
  snapshot: withDefault(nullable(primaryKey((id) => provider.state.snapshots.has(id))), null),
});

interface ImageChoice {
  readonly template: number | null;
  readonly app: number | null;
  readonly snapshot: number | null;
}

export function findImage(
  provider: ProviderState,
  choice: ImageChoice,
  machine: SimConfiguration | null,
): { readonly name: string } {
  const { templates, apps } = provider.state.offer;
  const chosen = [choice.template, choice.app, choice.snapshot].filter((id) => id !== null);
  if (chosen.length !== 1) throw wrongAsWhole('Specify exactly one of template, app or snapshot.');
  const template = templates.find((candidate) => candidate.id === choice.template);
  if (template) {
    if (!runsOn(template, machine))
      throw invalid({ template: ['This template does not fit the server configuration.'] });
    return { name: template.name };
  }
  const app = apps.find((candidate) => candidate.id === choice.app);
  if (app) return { name: `${app.name} on ${app.os}` };
  const snapshot = provider.state.snapshots.get(choice.snapshot ?? 0);
  if (!snapshot) throw wrongAsWhole('Specify exactly one of template, app or snapshot.');
  if (snapshot.sizeGb > (machine?.disk_size ?? snapshot.sizeGb))
    throw invalid({ snapshot: ['The snapshot is larger than the disk.'] });
  return { name: `snapshot ${snapshot.name}` };
}

/** A template fits a server of an unknown size. */
export function runsOn(template: SimTemplate, machine: SimConfiguration | null): boolean {
  const isEnough = (least: number | null, size: number | null | undefined) => (least ?? 0) <= (size ?? Infinity);
  const arch = template.arch?.replace('-', '_') ?? null;
  return (
    (arch === null || arch === (machine?.cpu_arch ?? arch)) &&
    isEnough(template.min_storage_space, machine?.disk_size) &&
    isEnough(template.min_ram_volume, machine?.ram_size) &&
    isEnough(template.min_cpu_cores, machine?.cpu_count)
  );
}
