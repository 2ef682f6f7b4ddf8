import { htmlNotFound, type ProviderAnswer } from './answer.ts';
import type { ProviderState } from './types.ts';

const defaultLogo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" rx="12" fill="#8a94a6"/></svg>';

/** Serves uploaded logos, and the default picture of projects. No key is needed. */
export function answerMedia(provider: ProviderState, path: string): ProviderAnswer {
  // A logo may be an SVG, which must not run scripts when it is opened by itself.
  const headers = { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
  if (path === '/media/project/default.svg')
    return { status: 200, body: defaultLogo, contentType: 'image/svg+xml', headers };
  const [, id, fileName] = /^\/media\/project\/(\d+)\/([^/]+)$/.exec(path) ?? [];
  const logo = id === undefined ? undefined : provider.state.projects.get(Number(id))?.logo;
  if (!logo || encodeURIComponent(logo.fileName) !== fileName) return htmlNotFound;
  return { status: 200, body: Buffer.from(logo.base64, 'base64'), contentType: logo.contentType, headers };
}
