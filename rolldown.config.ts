import { globSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

/**
 * `npm run build`: what production runs. Finding, stripping and compiling a thousand files is most of a start; the bundle
 * has what a start needs in a few (docs/measurements.md). Nothing is minified, so that a stack in the log can be read.
 */

const commands = join(import.meta.dirname, 'src/commands');
const sandbox = join(import.meta.dirname, 'sandbox');

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    // Descriptions are for readers of the source; licenses stay beside their code.
    comments: { legal: true, annotation: false, jsdoc: false },
    // Flat, because src/root.ts counts on it; only the sandbox has a separate folder, which the image leaves out.
    chunkFileNames: ({ moduleIds }) =>
      moduleIds.some((id) => id.startsWith(sandbox)) ? 'sandbox/[name]-[hash].js' : '[name]-[hash].js',
  },
  // Native code cannot be bundled.
  external: ['@resvg/resvg-js'],
  plugins: [
    {
      name: 'commands',
      load: {
        filter: { id: join(commands, 'files.ts') },
        handler: () => {
          const paths = globSync('*/*.ts', { cwd: commands });
          return [
            ...paths.map((path, n) => `import * as file${n} from './${path}';`),
            `const files = { ${paths.map((path, n) => `'${path}': file${n}`).join(', ')} };`,
            'export const commandFiles = async () => files;',
          ].join('\n');
        },
      },
    },
  ],
});
