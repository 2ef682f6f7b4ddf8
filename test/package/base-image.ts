import { copyFile, cp, mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run } from '../support/process/run.ts';

/**
 * The image that the Dockerfile begins with, made of this machine, so that no registry has to answer: the Node that runs
 * this test, npm, a shell, and the few programs and libraries that the lines of the Dockerfile need.
 */

const folders = ['usr/local/bin', 'usr/bin', 'bin', 'etc', 'root', 'tmp', 'proc', 'dev', 'sys', 'run', 'var/tmp'];
const programs = ['cp', 'mv', 'mkdir', 'rm', 'chown', 'env'];

async function librariesOf(file: string): Promise<readonly string[]> {
  const { stdout } = await run('ldd', [file]);
  return stdout.match(/\/\S+\.so[^\s)]*/g) ?? [];
}

const config = async (name: string) => (await run('npm', ['config', 'get', name])).stdout.trim();
const placeOf = async (program: string) => (await run('which', [program])).stdout.trim();

export async function writeBase(root: string, needed: readonly string[]): Promise<void> {
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
  await copyFile(process.execPath, join(root, 'usr/local/bin/node'));
  await copyFile('/bin/sh', join(root, 'bin/sh'));
  for (const program of programs) await copyFile(await placeOf(program), join(root, 'usr/bin', program));
  const npm = dirname(dirname(await realpath(await placeOf('npm'))));
  await cp(npm, join(root, 'usr/lib/npm'), { recursive: true });
  await symlink('../lib/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  const binaries = [process.execPath, '/bin/sh', ...programs.map((one) => join(root, 'usr/bin', one)), ...needed];
  const libraries = (await Promise.all(binaries.map(librariesOf))).flat();
  // Libraries that no binary lists resolve the names of hosts.
  const [libc = ''] = libraries.filter((path) => basename(path) === 'libc.so.6');
  const resolving = ['libnss_dns.so.2', 'libnss_files.so.2'].map((one) => join(dirname(libc), one));
  for (const path of new Set([...libraries, ...resolving])) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await copyFile(path, join(root, path));
  }
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
  await writeFile(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  // npm reaches its registry as it does here.
  const [registry, cafile] = [await config('registry'), await config('cafile')];
  if (cafile !== 'null') await writeFile(join(root, 'etc/npm-ca.crt'), await readFile(cafile));
  const lines = [`registry=${registry}`, ...(cafile === 'null' ? [] : ['cafile=/etc/npm-ca.crt'])];
  await writeFile(join(root, 'root/.npmrc'), `${lines.join('\n')}\n`);
}

export const npmCache = () => config('cache');
