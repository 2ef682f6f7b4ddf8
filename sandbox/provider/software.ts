import { apps, type SimTemplate, templates } from './catalog.ts';
import type { SimConfiguration } from './model.ts';
import type { ProviderState } from './types.ts';
import { invalid, nullable, primaryKey, withDefault, wrongAsWhole } from './validate.ts';

/** The three image fields; creating and reinstalling require exactly one of them. */
export const imageSlots = (provider: ProviderState) => ({
  template: withDefault(nullable(primaryKey((id) => templates.some((candidate) => candidate.id === id))), null),
  app: withDefault(nullable(primaryKey((id) => apps.some((candidate) => candidate.id === id))), null),
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
  machine: SimConfiguration,
): { readonly name: string } {
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
  if (snapshot.sizeGb > machine.disk_size) throw invalid({ snapshot: ['The snapshot is larger than the disk.'] });
  return { name: `snapshot ${snapshot.name}` };
}

export function runsOn(template: SimTemplate, machine: SimConfiguration): boolean {
  return (
    template.arch.replace('-', '_') === machine.cpu_arch &&
    (template.min_storage_space ?? 0) <= machine.disk_size &&
    (template.min_ram_volume ?? 0) <= machine.ram_size &&
    (template.min_cpu_cores ?? 0) <= machine.cpu_count
  );
}
