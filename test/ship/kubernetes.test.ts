import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { settings } from '../../src/settings.ts';
import { manifests } from './chart/render.ts';
import { complaints, readManifests } from './kubernetes-types.ts';

// The manifests for kubectl; test/ship/chart.test.ts has the chart that they are made of.

const pod = z.looseObject({
  containers: z.tuple([
    z.looseObject({ env: z.array(z.object({ name: z.string(), value: z.string() })), image: z.string() }),
  ]),
});
const workload = z.looseObject({
  spec: z.looseObject({ replicas: z.number(), template: z.looseObject({ spec: pod }) }),
});

const textOf = (name: keyof typeof manifests) => readFileSync(manifests[name].file, 'utf8');
const workloadOf = (name: keyof typeof manifests) =>
  workload.parse(readManifests(textOf(name)).find(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment'));

test.each(['sqlite', 'postgresql'] as const)('%s.yaml has only fields that Kubernetes knows', async (name) => {
  expect(await complaints(textOf(name))).toBe('');
});

test.each([
  ['readinessProbe:', 'readinesProbe:'],
  ['replicas: 1', 'replicas: one'],
  ['runAsNonRoot: true', 'runAsNonRot: true'],
  ['serviceName: hostler', 'servicename: hostler'],
])('the check finds %s written as %s', async (right, wrong) => {
  expect(textOf('sqlite')).toContain(right);
  expect(await complaints(textOf('sqlite').replace(right, wrong))).toMatch(/error TS/);
});

test('on SQLite there is one replica with a volume, on PostgreSQL several without a volume', () => {
  const [sqlite, postgresql] = [workloadOf('sqlite'), workloadOf('postgresql')];
  const kindsOf = (name: keyof typeof manifests) => readManifests(textOf(name)).map(({ kind }) => kind);
  expect(kindsOf('sqlite')).toEqual(['StatefulSet', 'Service']);
  expect(kindsOf('postgresql')).toEqual(['Deployment', 'PodDisruptionBudget', 'Service']);
  expect(sqlite.spec).toMatchObject({ replicas: 1, volumeClaimTemplates: [{ metadata: { name: 'data' } }] });
  expect(postgresql.spec.replicas).toBeGreaterThan(1);
  // The rest of the container is the same.
  const [one] = sqlite.spec.template.spec.containers;
  const [other] = postgresql.spec.template.spec.containers;
  const withoutDatabase = one.env.filter(({ name }) => name !== 'DATABASE_URL');
  expect({ ...one, env: withoutDatabase, volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }] }).toEqual(other);
});

test.each(['sqlite', 'postgresql'] as const)('%s.yaml runs unprivileged, has probes, and has no secret', (name) => {
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
