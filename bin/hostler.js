#!/usr/bin/env node
// Every Node reads this file, so an old one gets a sentence instead of a stack.
import { existsSync } from 'node:fs';

const oldestMajor = 24;
const major = Number(process.versions.node.split('.')[0]);

if (major < oldestMajor) {
  process.stderr.write(
    `Hostler needs Node ${oldestMajor} or newer, and this is Node ${process.versions.node}. Install a newer Node (https://nodejs.org) and run it again.\n`,
  );
  process.exitCode = 1;
} else {
  // The package has the bundle; a checkout that was not built runs its source.
  const bundle = new URL('../dist/main.js', import.meta.url);
  await import(existsSync(bundle) ? bundle.href : new URL('../src/main.ts', import.meta.url).href);
}
