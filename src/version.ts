import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** 1.2.3 as 1,002,003, so that versions can be compared where a number is all there is. */
export function buildOf(text: string): number {
  const [major = 0, minor = 0, patch = 0] = text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0);
  return major * 1_000_000 + minor * 1_000 + patch;
}
