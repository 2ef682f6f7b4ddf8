import type { FormOption } from './form.ts';
import type { World } from './world.ts';

/** Who answers search-as-you-type for something only the provider can list. */
export type Source<R> = (query: {
  readonly text: string;
  readonly reader: R;
  readonly world: World;
  /** What is already chosen in the form. */
  readonly given: Readonly<Record<string, readonly string[]>>;
}) => Promise<readonly FormOption[]>;
