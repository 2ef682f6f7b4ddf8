#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Half of a start from the source is stripping types and compiling. What was compiled once is kept beside the packages,
// where nobody else can write; where we cannot either, every start compiles anew. Only what is imported after this line
// is kept, so everything is.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'hostler'));

// A reader such as head closes the pipe when it has enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const { main } = await import('./cli/main.ts');
process.exitCode = await main(process.argv.slice(2));
