import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder } from '../support/process/new-folder.ts';
import { dockerEntrypoint } from './dockerfile.ts';

const unit = 'deploy/hostler.service';
const analyze = '/usr/bin/systemd-analyze';

test('the unit starts the command of the image, and keeps its files private', async () => {
  const text = await readFile(unit, 'utf8');
  expect(text).toContain(`ExecStart=/usr/bin/${dockerEntrypoint().join(' ')}\n`);
  for (const line of ['StateDirectoryMode=0700', 'UMask=0077', 'RestartPreventExitStatus=78'])
    expect(text).toContain(`${line}\n`);
});

test('systemd accepts the unit', async ({ skip }) => {
  skip(!existsSync(analyze), 'systemd-analyze is not installed');
  const folder = await newFolder('unit');
  // systemd checks that the program and the user exist; this machine has others.
  const text = (await readFile(unit, 'utf8'))
    .replace('/usr/bin/node', `"${process.execPath}"`)
    .replace('User=hostler', 'User=root');
  const file = join(folder, 'hostler.service');
  await writeFile(file, text);
  const run = (path: string) => promisify(execFile)(analyze, ['verify', path]);
  expect(await run(file)).toEqual({ stdout: '', stderr: '' });
  await copyFile(file, join(folder, 'broken.service'));
  await writeFile(join(folder, 'broken.service'), text.replace('Restart=always', 'Restart=sometimes'));
  expect((await run(join(folder, 'broken.service'))).stderr).toContain('Failed to parse service restart specifier');
});
