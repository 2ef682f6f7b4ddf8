#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Stripping types and compiling take half of a start from the source. The cache lies beside the packages, where other
// users cannot write; if this process cannot write there either, every start compiles anew. The cache covers imports
// after this line, so main.ts imports everything later.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'hostler'));

// A reader such as head closes the pipe when it has read enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const { main } = await import('./cli/main.ts');
process.exitCode = await main(process.argv.slice(2));
