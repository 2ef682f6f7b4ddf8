import { createHash } from 'node:crypto';
import { accessSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { run } from '../../support/process/run.ts';

/** The chart, rendered by Helm's engine (Go's text/template with sprig): Debian's golang-go and golang-github-masterminds-sprig-dev. */

export const chart = 'deploy/chart';
/** The manifests of the chart for kubectl, with the values that make them. */
export const manifests = {
  sqlite: {
    file: 'deploy/kubernetes/sqlite.yaml',
    values: [],
    says: 'one replica, its database on a volume of its own',
  },
  postgresql: {
    file: 'deploy/kubernetes/postgresql.yaml',
    values: [`${chart}/postgresql.yaml`],
    says: 'several replicas on a PostgreSQL that is there already; DATABASE_URL is in the secret',
  },
} as const;
export type ManifestName = keyof typeof manifests;

const library = '/usr/share/gocode';

export const hasGo = isThere('/usr/bin/go') && isThere(join(library, 'src/github.com/Masterminds/sprig'));

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Compiles the renderer into a folder. It gives the documents of a release, or rejects with the error of the chart. */
export async function buildRenderer(
  folder: string,
): Promise<(release: string, ...values: string[]) => Promise<string>> {
  const program = join(folder, 'render');
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: library };
  await run('/usr/bin/go', ['build', '-o', program, 'test/ship/chart/render.go'], { env });
  return async (release, ...values) => (await run(program, [chart, release, ...values])).stdout;
}

/** A manifest as the repository has it: documents below a header. */
export function manifestText(name: ManifestName, documents: string): string {
  const { file, says } = manifests[name];
  return `# Hostler on Kubernetes: ${says}.
#   kubectl create secret generic hostler --from-env-file=data/hostler.env
#   kubectl apply --filename ${file}
# npm run chart makes it of ${chart}: change that. See docs/install.md.
# Made of ${digest(documents)}.
${documents}`;
}

/**
 * Tells, without Go, whether a manifest was made from this chart and not edited. The version is not compared:
 * a release changes it in both.
 */
export function digest(documents: string): string {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const files = globSync(`${chart}/**/*.{yaml,tpl}`).sort();
  const texts = [...files.map((file) => readFileSync(file, 'utf8')), documents];
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.replaceAll(version, '')}\0`);
  return hash.digest('hex').slice(0, 16);
}
