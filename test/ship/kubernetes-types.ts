import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { newFolder } from '../support/process/new-folder.ts';
import { run } from '../support/process/run.ts';

/**
 * Manifests against Kubernetes' own types (kubernetes-types, made of its OpenAPI document): the compiler refuses a field
 * that is unknown, missing or of another kind.
 */

const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() });
export const readManifests = (text: string) =>
  parseAllDocuments(text).map((document) => manifest.parse(document.toJS()));

/** The module of kubernetes-types that has the kind: `apps/v1` of itself, `v1` of core, `policy/v1`. */
const moduleOf = (apiVersion: string) =>
  `kubernetes-types/${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}`;

/** Compiles the manifests of a text; answers the errors, as lines. */
export async function complaints(text: string): Promise<string> {
  const folder = await newFolder('kubernetes');
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const source = readManifests(text).map(
    (one, at) =>
      `import type { ${one.kind} as Kind${at} } from '${moduleOf(one.apiVersion)}';\nexport const one${at}: Kind${at} = ${JSON.stringify(one, null, 1)};\n`,
  );
  await writeFile(join(folder, 'manifests.ts'), source.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
  return run(resolve('node_modules/.bin/tsc'), [...options, 'manifests.ts'], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}
