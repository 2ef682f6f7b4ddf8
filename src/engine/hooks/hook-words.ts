import { createHash } from 'node:crypto';
import type { z } from 'zod';

/** Errors name the field, never its value. */
export function unfit(all: readonly z.core.$ZodIssue[]): { readonly ok: false; readonly why: string } {
  const issues = all.slice(0, 3);
  return {
    ok: false,
    why: issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`).join('; '),
  };
}

export function webLink(link: string | null | undefined): string | undefined {
  const url = link ? URL.parse(link) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? url.href.slice(0, 2_000) : undefined;
}

/** Long keys are hashed. */
export function short(key: string): string {
  return key.length <= 100 ? key : createHash('sha256').update(key).digest('hex');
}

export function clip(words: string, most: number): string {
  const clean = words.toWellFormed().replace(/\s+/g, ' ').trim();
  return clean.length <= most ? clean : `${clean.slice(0, most - 1)}…`;
}
