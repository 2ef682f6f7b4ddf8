import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../core/view/errors.ts';
import { root } from '../root.ts';

/** The manifest for Slack's "create from manifest": the repository's file, with a chosen name or for HTTP mode. */
export function printManifest({ name = 'Hostler', requestUrl }: { name?: string; requestUrl?: string | undefined }) {
  if (name.length < 1 || name.length > 35) throw new CliError("The app's name has 1 to 35 characters: --name Harbour.");
  const text = readFileSync(join(root, 'manifest.yml'), 'utf8').replace(
    /^( {2}(?: {2}display_)?name): Hostler$/gm,
    (_, key: string) => `${key}: ${JSON.stringify(name)}`,
  );
  if (requestUrl === undefined) return text;
  const url = URL.parse(requestUrl);
  if (url === null || url.protocol !== 'https:') {
    throw new CliError(
      'The request URL is the public https address of the bot: --request-url https://hostler.example.com.',
    );
  }
  const address = JSON.stringify(new URL(requestPath, url).href);
  return text
    .replace(/^([ \t]*)# (\w*url): over HTTP$/gm, (_, indent: string, key: string) => `${indent}${key}: ${address}`)
    .replace('socket_mode_enabled: true', 'socket_mode_enabled: false');
}

/** The path of all requests from Slack in HTTP mode. */
export const requestPath = '/slack/events';
