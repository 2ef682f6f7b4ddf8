import { CliError } from './cli.ts';

/** Loads a part of the sandbox, which the image does not contain. */
export async function sandboxPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new CliError(
      'The sandbox is no part of this installation. Run Hostler from its npm package or its repository to use it.',
    );
  }
}
