import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The image, as its file says: what each stage takes and runs, in order. */
export interface Stage {
  readonly name: string | undefined;
  readonly steps: readonly Step[];
}

export type Step =
  | { readonly kind: 'copy'; readonly from: string | undefined; readonly paths: readonly string[]; readonly to: string }
  | { readonly kind: 'run'; readonly line: string };

export const dockerfile = readFileSync('Dockerfile', 'utf8');

export function dockerStages(): readonly Stage[] {
  const [, ...stages] = dockerfile.split(/^FROM /m);
  return stages.map((text) => ({
    name: /^\S+ AS (\S+)$/m.exec(text)?.[1],
    steps: [...text.matchAll(/^(COPY|RUN) (.+)$/gm)].map(([, verb, rest = '']): Step => {
      if (verb === 'RUN') return { kind: 'run', line: rest };
      const [, from, words = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(rest) ?? [];
      const paths = words.split(' ');
      return { kind: 'copy', from, paths, to: paths.pop() ?? '' };
    }),
  }));
}

/** The files that the image takes from the repository. */
export function dockerCopies(): readonly string[] {
  const paths = dockerStages().flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'copy' && step.from === undefined ? step.paths : [])),
  );
  return [...new Set(paths)];
}

/** The command that the image starts: node's own words first. */
export function dockerEntrypoint(): readonly string[] {
  return z.array(z.string()).parse(JSON.parse(/^ENTRYPOINT (.+)$/m.exec(dockerfile)?.[1] ?? ''));
}
