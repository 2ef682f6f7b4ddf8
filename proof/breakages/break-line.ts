import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A line of the bot, and its replacement that breaks it on purpose. */
export interface Breakage {
  readonly what: string;
  readonly file: string;
  /** The text to replace, which the unchanged file has once. */
  readonly text: string;
  readonly instead: string;
}

/** The unchanged file. A text that is missing, or there twice, would break nothing or something else. */
export async function wholeFile(folder: string, { what, file, text }: Breakage): Promise<string> {
  const whole = await readFile(join(folder, file), 'utf8');
  if (whole.split(text).length === 2) return whole;
  throw new Error(`${what}: its text is not found once in ${file}; say in its table what breaks it now`);
}

/** Breaks the line while `use` runs. */
export async function whileBroken<T>(folder: string, breakage: Breakage, use: () => Promise<T>): Promise<T> {
  const whole = await wholeFile(folder, breakage);
  const path = join(folder, breakage.file);
  await writeFile(
    path,
    whole.replace(breakage.text, () => breakage.instead),
  );
  try {
    return await use();
  } finally {
    await writeFile(path, whole);
  }
}
