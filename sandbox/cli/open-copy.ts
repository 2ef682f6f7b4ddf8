import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { openTerminal } from '../../src/cli/setup/terminal.ts';
import { isGiven, readAccountConfig, readStoreConfig } from '../../src/config.ts';
import { count } from '../../src/core/text/words.ts';
import { CliError, codeOf, ProviderError } from '../../src/core/view/errors.ts';
import { createReader } from '../../src/provider/client.ts';
import { createTransport } from '../../src/provider/transport.ts';
import { settings } from '../../src/settings.ts';
import { type AccountCopy, parseCopy } from '../copy/copy.ts';
import { readAccount } from './read-account.ts';
import { bookSchema, readBook } from './read-book.ts';

const mostBytes = 256 * 1024 * 1024;
const usualUrl = 'https://fornex.com/api';

export interface CopyOptions {
  /** The account is read. */
  readonly copy?: boolean | undefined;
  /** The file of an earlier copy. */
  readonly from?: string | undefined;
  /** The file for the copy. */
  readonly save?: string | undefined;
}

/** The copy that the options name; undefined for the made-up account. */
export async function openCopy(
  { copy, from, save }: CopyOptions,
  print: (line: string) => void,
): Promise<AccountCopy | undefined> {
  if (from !== undefined && copy === true)
    throw new CliError('--copy reads the account, --from a file: give one of them.');
  if (save !== undefined && copy !== true) throw new CliError('--save needs --copy: it keeps the copy that is read.');
  if (from !== undefined) return readCopy(from);
  if (copy !== true) return undefined;
  if (save === undefined) return takeCopy(print);
  // A file that cannot be written is noticed before the account is read, and none is left if the reading ends early.
  writeNew(save, '');
  rmSync(save);
  const taken = await takeCopy(print);
  writeNew(save, JSON.stringify(taken));
  print(`The copy is in ${save}, readable by you only. hostler sandbox --from ${save} opens it again.`);
  return taken;
}

/** Reads the account, then forgets the key and every other setting of this process. */
async function takeCopy(print: (line: string) => void): Promise<AccountCopy> {
  const { env } = process;
  const at = Date.now();
  const typed = isGiven('HOST_API_KEY', env) ? undefined : await askKey();
  const { url, key } = readAccountConfig({
    ...env,
    ...(isGiven('HOST_API_URL', env) ? {} : { HOST_API_URL: usualUrl }),
    ...(typed === undefined ? {} : { HOST_API_KEY: typed }),
  });
  const databaseUrl = isGiven('DATABASE_URL', env) ? readStoreConfig(env).databaseUrl : undefined;
  for (const name of Object.keys(settings)) for (const each of [name, `${name}_FILE`]) delete env[each];
  const transport = createTransport({ baseUrl: url, apiKey: key });
  try {
    print(`Reading the account at ${url}. Only GET requests are sent.`);
    const book = databaseUrl === undefined ? undefined : await readBook(databaseUrl);
    const { copy, notes } = await readAccount(createReader(transport), at, book);
    for (const note of notes) print(note);
    const records = copy.domains.reduce((sum, { entry_set }) => sum + entry_set.length, 0);
    const [orders, domains] = [count(copy.orders.length, 'order'), count(copy.domains.length, 'domain')];
    print(`Copied: ${orders}, ${domains} with ${count(records, 'record')}.`);
    return copy;
  } catch (error) {
    if (error instanceof z.ZodError) throw new CliError(`The account cannot be copied: ${wrongIn(error)}.`);
    if (!(error instanceof ProviderError)) throw error;
    throw new CliError(`The account cannot be read: ${error.message}. Check HOST_API_URL and HOST_API_KEY.`);
  } finally {
    await transport.close();
  }
}

async function askKey(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CliError('HOST_API_KEY is missing: set it, or run this at a terminal, which asks for the key.');
  const terminal = openTerminal(process.stdin, process.stdout, 'Stopped. Nothing was read.');
  try {
    return await terminal.askHidden("The provider's API key (it is not shown, and forgotten after the copy)");
  } finally {
    terminal.close();
  }
}

function readCopy(file: string): AccountCopy {
  try {
    if (statSync(file).size > mostBytes) throw new CliError(`${file} is larger than 256 MB: it is no copy.`);
    const copy = parseCopy(JSON.parse(readFileSync(file, 'utf8')));
    return { ...copy, ...bookSchema.parse(copy) };
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = codeOf(error);
    if (error instanceof SyntaxError || error instanceof z.ZodError)
      throw new CliError(
        `${file} is no copy that this version can open: ${wrongIn(error)}. Take one with hostler sandbox --copy --save FILE.`,
      );
    throw new CliError(`${file} cannot be read (${code}).`);
  }
}

function wrongIn(error: SyntaxError | z.ZodError): string {
  if (error instanceof SyntaxError) return 'it is not JSON';
  const [issue] = error.issues;
  return `${issue?.path.join('.') || 'the file'}: ${issue?.message}`;
}

/** Refuses an existing file, which may be another copy. */
function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') throw new CliError(`${file} exists already; choose another name.`);
    throw new CliError(`${file} cannot be written (${code}).`);
  }
}
