import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseEnv } from 'node:util';
import { CliError, codeOf } from '../core/view/errors.ts';

/** A settings file with lines of NAME=value, which a shell, Node and systemd all read the same way. */

export const usualSettingsFile = 'data/hostler.env';

/** Undefined if the file does not exist. */
export function readSettingsFile(file: string) {
  const text = readText(file);
  return text === undefined ? undefined : parseEnv(text);
}

/** Changes or adds the lines of these settings and keeps all others. The file is readable by this user only. */
export function writeSettingsFile(file: string, values: Readonly<Record<string, string>>): void {
  const lines = (readText(file) ?? '').split('\n').filter((line, n, all) => line !== '' || n < all.length - 1);
  for (const [name, value] of Object.entries(values)) {
    const line = `${name}=${quoted(name, value)}`;
    const at = lines.findIndex((line) => line.startsWith(`${name}=`));
    lines.splice(at === -1 ? lines.length : at, at === -1 ? 0 : 1, line);
  }
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const fresh = `${file}.new`;
    writeFileSync(fresh, `${lines.join('\n')}\n`, { mode: 0o600 });
    // The mode above applies only to a new file.
    chmodSync(fresh, 0o600);
    renameSync(fresh, file);
  } catch (error) {
    throw new CliError(`${file} cannot be written (${codeOf(error)}). Choose another place with --settings FILE.`);
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new CliError(`${file} cannot be read (${codeOf(error)}). It should contain lines of NAME=value.`);
  }
}

function quoted(name: string, value: string): string {
  if (/^[\w@%+=:,./-]*$/.test(value)) return value;
  const sign = ["'", '"'].find((quote) => !value.includes(quote));
  if (sign === undefined)
    throw new CliError(`The value of ${name} does not fit in a line. Set ${name}_FILE to a file with the value.`);
  return `${sign}${value}${sign}`;
}
