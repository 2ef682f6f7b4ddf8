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

test('the manifests have only fields that Kubernetes knows', async () => {
  expect(await complaints([textOf('sqlite'), textOf('postgresql')].join('\n---\n'))).toBe('');
});

test('the check finds each mistyped field and value', async () => {
  const mistakes = [
    ['readinessProbe:', 'readinesProbe:', `'"readinesProbe"' does not exist`],
    ['replicas: 1', 'replicas: one', "Type 'string' is not assignable to type 'number'"],
    ['runAsNonRoot: true', 'runAsNonRot: true', `'"runAsNonRot"' does not exist`],
    ['serviceName: hostler', 'servicename: hostler', `'"servicename"' does not exist`],
  ] as const;
  const found = await complaints(
    mistakes.map(([right, wrong]) => textOf('sqlite').replace(right, wrong)).join('\n---\n'),
  );
  for (const [right, , says] of mistakes) {
    expect(textOf('sqlite')).toContain(right);
    expect(found).toContain(says);
  }
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
    securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    livenessProbe: { httpGet: { path: '/healthz', port: 'metrics' } },
    readinessProbe: { httpGet: { path: '/readyz', port: 'metrics' } },
    resources: { limits: { memory: expect.any(String) } },
  });
  for (const { name: setting } of container.env) expect(Object.keys(settings)).toContain(setting);
  expect(container.env.filter(({ name: setting }) => /TOKEN|KEY|SECRET/.test(setting))).toEqual([]);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(container.image).toBe(`hostler:${version}`);
});
