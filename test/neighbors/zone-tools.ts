import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../support/process/run.ts';
import { areThere } from './debian.ts';
import { type Meant, meantByFile } from './meant.ts';

/** Debian's four readers of zone files. One shell for each reads all texts: a process for each would take a minute. */

const binaries = {
  named: '/usr/bin/named-compilezone',
  knot: '/usr/bin/kzonecheck',
  nsd: '/usr/sbin/nsd-checkzone',
  ldns: '/usr/bin/ldns-read-zone',
  server: '/usr/sbin/named',
};

export const namedServer = binaries.server;

export function hasZoneTools(): boolean {
  return areThere(
    Object.values(binaries),
    'Not all readers of zone files are installed (Debian: apt-get install bind9 bind9-utils knot-dnssecutils nsd ldnsutils): the tests with them are skipped',
  );
}

/** The records may lead to names that have no address: no tool has to resolve those. */
const commands = {
  named: `${binaries.named} -q -i none -k ignore -n ignore -m ignore -M ignore -S ignore -r ignore -s full -o "$file.named" "$domain" "$file"`,
  knot: `${binaries.knot} -o "$domain." "$file"`,
  nsd: `${binaries.nsd} -p "$domain" "$file"`,
  ldns: `${binaries.ldns} "$file.origin"`,
};
export type ZoneTool = keyof typeof commands;
const tools = Object.keys(commands).filter((name): name is ZoneTool => name in commands);

export interface ReadByTool {
  readonly tool: ZoneTool;
  readonly takes: boolean;
  readonly words: string;
  /** The printed records; undefined for Knot's tool, which only says whether it accepts them. */
  readonly records: readonly Meant[] | undefined;
}

/** Reads each text with each of the tools. */
export async function readByTools(texts: readonly string[], domain: string): Promise<ReadByTool[][]> {
  const dir = await mkdtemp(join(tmpdir(), 'hostler-zones-'));
  try {
    return await readIn(dir, texts, domain);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function readIn(dir: string, texts: readonly string[], domain: string): Promise<ReadByTool[][]> {
  // The other tools get the origin as an argument.
  const withOrigin = (text: string) => `$ORIGIN ${domain}.\n${text}`;
  await Promise.all(
    texts.flatMap((text, n) => [
      writeFile(join(dir, `${n}`), text),
      writeFile(join(dir, `${n}.origin`), withOrigin(text)),
    ]),
  );
  const loop = (command: string, tool: string) =>
    `domain=${domain}; for n in $(seq 0 ${texts.length - 1}); do file=${dir}/$n; ${command} >"$file.${tool}.out" 2>"$file.${tool}.err"; echo $?; done`;
  const codes = await Promise.all(
    tools.map(async (tool) => (await run('sh', ['-c', loop(commands[tool], tool)])).stdout.trim().split('\n')),
  );
  const read = async (n: number, tool: ZoneTool, code: string | undefined): Promise<ReadByTool> => {
    const file = join(dir, `${n}.${tool}`);
    const [out, err] = await Promise.all([readFile(`${file}.out`, 'utf8'), readFile(`${file}.err`, 'utf8')]);
    const takes = code === '0';
    const printed = tool === 'named' && takes ? await readFile(file, 'utf8') : out;
    return { tool, takes, words: `${out}${err}`, records: takes && tool !== 'knot' ? meantByFile(printed) : undefined };
  };
  return Promise.all(texts.map((_, n) => Promise.all(tools.map((tool, at) => read(n, tool, codes[at]?.[n])))));
}
