import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildRenderer, type ManifestName, manifests, manifestText } from './render.ts';

/** `npm run chart`: the manifests of deploy/kubernetes, made of the chart. Needs Go and sprig. */
const folder = mkdtempSync(join(tmpdir(), 'hostler-chart-'));
const render = await buildRenderer(folder);
for (const name of Object.keys(manifests) as ManifestName[]) {
  const { file, values } = manifests[name];
  writeFileSync(file, manifestText(name, await render('hostler', ...values)));
}
rmSync(folder, { recursive: true });
