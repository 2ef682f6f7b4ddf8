import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Setting, settings } from '../../src/settings.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { buildRenderer, chart, hasGo, type ManifestName, manifests, manifestText } from './chart/render.ts';
import { complaints } from './kubernetes-types.ts';

// The Helm chart. Rendered by Helm's engine where Go and sprig are installed (see chart/render.ts).

const names = Object.keys(manifests) as ManifestName[];
const values = z.record(z.string(), z.unknown());
const readYaml = (path: string) => values.parse(parse(readFileSync(path, 'utf8')));
const usual = readYaml(`${chart}/values.yaml`);
const schemaText = readFileSync(`${chart}/values.schema.json`, 'utf8');
const schema = z.fromJSONSchema(JSON.parse(schemaText));

/** Values that use every branch of the templates. */
const everything = {
  image: { repository: 'registry.example.com/hostler', tag: '9.9.9', pullPolicy: 'Always' },
  imagePullSecrets: [{ name: 'registry' }],
  secret: 'tokens',
  settings: { LOG_LEVEL: 'debug', HOSTLER_RATE_PER_MINUTE: '60', HOSTLER_PUBLIC_URL: 'https://hostler.example.com' },
  storage: { size: '1Gi', className: 'fast' },
  podAnnotations: { 'prometheus.io/port': '9464' },
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'bots', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
};

test.each(names)('%s.yaml was made from this chart and not edited', (name) => {
  const text = readFileSync(manifests[name].file, 'utf8');
  const [documents = ''] = /^(?!#)[\s\S]*/m.exec(text) ?? [];
  expect(text, 'npm run chart').toBe(manifestText(name, documents));
});

test('the chart has the version of the package', () => {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
  expect(readYaml(`${chart}/Chart.yaml`)).toMatchObject({ apiVersion: 'v2', version, appVersion: version });
});

test('the schema accepts valid values and refuses values that the chart cannot use', () => {
  expect(schema.safeParse(usual).error).toBeUndefined();
  expect(schema.safeParse({ ...usual, ...readYaml(`${chart}/postgresql.yaml`) }).error).toBeUndefined();
  expect(schema.safeParse({ ...usual, ...everything }).error).toBeUndefined();
  const wrong = [
    { replica: 2 },
    { replicas: 0 },
    { replicas: '2' },
    { database: 'mysql' },
    { secret: '' },
    { storage: { size: 'big' } },
    { settings: { LOG_LEVL: 'debug' } },
    { settings: { HOSTLER_RATE_PER_MINUTE: 60 } },
    { settings: { HOST_API_KEY: 'in-the-open' } },
  ];
  for (const one of wrong) expect(schema.safeParse({ ...usual, ...one }).success, JSON.stringify(one)).toBe(false);
});

test('the schema lists the settings that are no secret and that the chart does not set itself', () => {
  const inSchema = z.object({
    properties: z.object({ settings: z.object({ propertyNames: z.object({ enum: z.array(z.string()) }) }) }),
  });
  const own = ['HOSTLER_METRICS_HOST', 'HOSTLER_METRICS_PORT', 'PORT'];
  // `hostler run` has this setting, on another machine.
  const elsewhere = ['HOSTLER_URL'];
  const open = Object.entries<Setting<unknown>>(settings).filter(
    ([name, { isSecret }]) => !isSecret && ![...own, ...elsewhere].includes(name),
  );
  const listed = inSchema.parse(JSON.parse(schemaText)).properties.settings.propertyNames.enum;
  expect(listed.toSorted()).toEqual(open.map(([name]) => name).sort());
});

if (!hasGo)
  console.warn(
    'The chart is not rendered: that needs Go and sprig (Debian: golang-go, golang-github-masterminds-sprig-dev).',
  );

describe.skipIf(!hasGo)("the chart rendered by Helm's engine", () => {
  async function open() {
    const folder = await newFolder('chart');
    const render = await buildRenderer(folder);
    return {
      render,
      with: async (more: object) => {
        const file = join(folder, 'values.json');
        await writeFile(file, JSON.stringify(more));
        return render('staging', file);
      },
    };
  }

  test('the manifests are the rendered chart, and Kubernetes knows every field of all its variants', async () => {
    const chartOf = await open();
    for (const name of names) {
      const { file, values: given } = manifests[name];
      expect(readFileSync(file, 'utf8'), name).toBe(manifestText(name, await chartOf.render('hostler', ...given)));
    }
    const [one, several] = [
      await chartOf.with(everything),
      await chartOf.with({ ...everything, database: 'postgresql', replicas: 3 }),
    ];
    expect(await complaints(one)).toBe('');
    expect(await complaints(several)).toBe('');
    expect(one).toContain('name: staging-hostler');
    for (const said of [
      'image: registry.example.com/hostler:9.9.9',
      '{ name: HOSTLER_RATE_PER_MINUTE, value: "60" }',
      'storageClassName: fast',
      'prometheus.io/port: "9464"',
      '- name: registry',
      'secretRef: { name: tokens }',
    ])
      expect(one).toContain(said);
    expect(several).toContain('replicas: 3');
    expect(several).not.toMatch(/DATABASE_URL|volumeClaimTemplates/);
    await expect(chartOf.with({ replicas: 2 })).rejects.toThrow(
      'A SQLite file has one process: set replicas to 1, or database to postgresql.',
    );
  });
});
