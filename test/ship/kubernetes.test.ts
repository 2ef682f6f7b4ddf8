import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { settings } from '../../src/settings.ts';

/**
 * The manifests against Kubernetes' own types (kubernetes-types, made of its OpenAPI document): the compiler refuses a
 * field that is unknown, missing or of another kind.
 */

const manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() });
const pod = z.looseObject({
  containers: z.tuple([
    z.looseObject({ env: z.array(z.object({ name: z.string(), value: z.string() })), image: z.string() }),
  ]),
});
const workload = z.looseObject({
  spec: z.looseObject({ replicas: z.number(), template: z.looseObject({ spec: pod }) }),
});

const files = { sqlite: 'deploy/kubernetes/sqlite.yaml', postgresql: 'deploy/kubernetes/postgresql.yaml' };
const textOf = (name: keyof typeof files) => readFileSync(files[name], 'utf8');
const read = (text: string) => parseAllDocuments(text).map((document) => manifest.parse(document.toJS()));
const workloadOf = (name: keyof typeof files) => workload.parse(read(textOf(name))[0]);

/** The module of kubernetes-types that has the kind: `apps/v1` of itself, `v1` of core, `policy/v1`. */
const moduleOf = (apiVersion: string) =>
  `kubernetes-types/${apiVersion.includes('/') ? apiVersion : `core/${apiVersion}`}`;

/** Compiles the manifests of a text; answers the errors, as lines. */
async function complaints(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hostler-kubernetes-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  const source = read(text).map(
    (one, at) =>
      `import type { ${one.kind} as Kind${at} } from '${moduleOf(one.apiVersion)}';\nexport const one${at}: Kind${at} = ${JSON.stringify(one, null, 1)};\n`,
  );
  await writeFile(join(folder, 'manifests.ts'), source.join('\n'));
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
  return promisify(execFile)(resolve('node_modules/.bin/tsc'), [...options, 'manifests.ts'], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

test.each(['sqlite', 'postgresql'] as const)('%s.yaml has only what Kubernetes knows', async (name) => {
  expect(await complaints(textOf(name))).toBe('');
});

test.each([
  ['readinessProbe:', 'readinesProbe:'],
  ['replicas: 1', 'replicas: one'],
  ['runAsNonRoot: true', 'runAsNonRot: true'],
  ['serviceName: hostler', 'servicename: hostler'],
])('a mistake is found: %s as %s', async (right, wrong) => {
  expect(textOf('sqlite')).toContain(right);
  expect(await complaints(textOf('sqlite').replace(right, wrong))).toMatch(/error TS/);
});

test('one replica on SQLite with a volume, several on PostgreSQL without one', () => {
  const [sqlite, postgresql] = [workloadOf('sqlite'), workloadOf('postgresql')];
  expect(read(textOf('sqlite')).map(({ kind }) => kind)).toEqual(['StatefulSet', 'Service']);
  expect(read(textOf('postgresql')).map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'PodDisruptionBudget']);
  expect(sqlite.spec).toMatchObject({ replicas: 1, volumeClaimTemplates: [{ metadata: { name: 'data' } }] });
  expect(postgresql.spec.replicas).toBeGreaterThan(1);
  // The rest of the container is the same.
  const [one] = sqlite.spec.template.spec.containers;
  const [other] = postgresql.spec.template.spec.containers;
  const withoutDatabase = one.env.filter(({ name }) => name !== 'DATABASE_URL');
  expect({ ...one, env: withoutDatabase, volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] }).toEqual(other);
});

test.each(['sqlite', 'postgresql'] as const)('%s.yaml runs unprivileged, is watched, and holds no secret', (name) => {
  const { spec } = workloadOf(name).spec.template;
  const [container] = spec.containers;
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: 1000 },
  });
  expect(container).toMatchObject({
    envFrom: [{ secretRef: { name: 'hostler' } }],
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' } },
    readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' } },
    resources: { limits: { memory: expect.any(String) } },
  });
  for (const { name: setting } of container.env) expect(Object.keys(settings)).toContain(setting);
  expect(container.env.filter(({ name: setting }) => /TOKEN|KEY|SECRET/.test(setting))).toEqual([]);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(container.image).toBe(`hostler:${version}`);
});
