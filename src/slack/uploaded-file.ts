import { request } from 'undici';
import { z } from 'zod';
import type { UploadedFile } from '../core/command/bot-port.ts';
import { bytesWithin } from '../http/read-body.ts';
import { callTimeoutMs } from './call.ts';
import { flag } from './channel.ts';
import type { SlackAddresses } from './slack-addresses.ts';
import type { Web } from './web.ts';

const fileLimit = 5_000_000;

const fileAnswer = z.object({
  file: z.object({
    user: z.string().nullish(),
    name: z.string().nullish(),
    mimetype: z.string().nullish(),
    size: z.number().default(0),
    is_external: flag,
    url_private_download: z.url(),
  }),
});

export async function readFile(
  web: Web,
  { botToken, addresses }: { botToken: string; addresses: SlackAddresses },
  { id, uploader }: { readonly id: string; readonly uploader: string },
): Promise<UploadedFile> {
  const { file } = await web.call('files.info', { file: id }, fileAnswer);
  // The token can read the files of all conversations with the bot; it must not read them for people outside of these.
  if (file.user !== uploader) throw new Error('reading an uploaded file: somebody else uploaded it');
  if (file.is_external || !addresses.isOfFiles(file.url_private_download))
    throw new Error('reading an uploaded file: Slack only links to it, and it is stored elsewhere; upload it to Slack');
  if (file.size > fileLimit) throw tooLarge();
  const answer = await request(file.url_private_download, {
    headers: { authorization: `Bearer ${botToken}` },
    headersTimeout: callTimeoutMs,
    bodyTimeout: callTimeoutMs,
  });
  const type = String(answer.headers['content-type'] ?? '');
  // Without access to a file Slack responds with 200 and its sign-in page, or with a redirect to it.
  const isSignIn = type.startsWith('text/html') && !(file.mimetype ?? '').startsWith('text/html');
  if (answer.statusCode !== 200 || isSignIn) {
    await answer.body.dump();
    throw new Error(`reading an uploaded file: Slack answered ${isSignIn ? 'its sign-in page' : answer.statusCode}`);
  }
  const bytes = await bytesWithin(answer.body, fileLimit);
  if (bytes === 'too_large') throw tooLarge();
  return { name: file.name ?? id, type: file.mimetype ?? type, bytes };
}

const tooLarge = () => new Error(`reading an uploaded file: it is larger than ${fileLimit / 1_000_000} MB`);
