import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { SimulationError } from '../simulation-error.ts';
import type { SlackControl } from './sim.ts';

/** The methods of the control object that other processes can call. */
const callable = [
  'say',
  'upload',
  'postByApp',
  'click',
  'select',
  'fill',
  'suggest',
  'submit',
  'closeView',
  'openHome',
  'shortcut',
  'messageShortcut',
  'view',
  'views',
  'viewText',
  'home',
  'homeText',
  'messages',
  'ephemerals',
  'files',
  'transcript',
  'openDm',
  'waitFor',
  'outcomes',
  'payload',
  'requests',
  'replay',
  'deactivate',
  'reactivate',
  'makeGuest',
  'changePerson',
  'addPerson',
  'setMembers',
  'setGroupDisabled',
  'addChannel',
  'archive',
  'unarchive',
  'share',
  'unshare',
  'rename',
  'changeChannelId',
  'setPrivate',
  'invite',
  'kick',
  'revokeToken',
  'restoreToken',
  'uninstall',
  'setScopes',
  'fault',
  'refuseBlocks',
  'delayPictures',
  'deliveryFaults',
  'clearFaults',
  'setDown',
  'connections',
  'dropSockets',
  'refreshSockets',
  'setSocketMode',
  'setRequestUrl',
  'verifyRequestUrl',
] as const satisfies readonly (keyof SlackControl)[];

const request = z.object({ args: z.array(z.unknown()).default([]) });

const isLoopback = (address = ''): boolean => /^(::ffff:)?127\./.test(address) || address === '::1';

/**
 * Refuses requests that are not from programs on this machine, since the control API has no key. Pages in a browser are
 * recognized by the headers that browsers add, and DNS rebinding by the Host.
 */
export function refuseControl({ method, headers, socket }: IncomingMessage, port: number): string | undefined {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${port}`);
  if (!isLoopback(socket.remoteAddress)) return 'it answers this machine only';
  if (headers.host === undefined || !own.includes(headers.host)) return `the Host must be ${own.join(' or ')}`;
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'it does not answer browsers';
  if (method !== 'POST') return 'it takes POST only';
  if (!/^application\/json(;|$)/.test(headers['content-type'] ?? '')) return 'it takes application/json only';
  return undefined;
}

/**
 * Serves POST /_sim/<name>: a body of `{"args": [...]}` calls the control object, and the answer is `{"ok": true,
 * "result": …}`.
 */
export async function callSim(
  sim: SlackControl,
  name: string,
  body: string,
): Promise<{ status: number; body: unknown }> {
  const method = callable.find((candidate) => candidate === name);
  if (method === undefined)
    return { status: 404, body: { ok: false, error: `there is no ${name}; there are ${callable.join(', ')}` } };
  try {
    const { args } = request.parse(JSON.parse(body === '' ? '{}' : body));
    // The caller provides the arguments; wrong ones only cause an error below.
    const call = sim[method] as (...args: unknown[]) => unknown;
    const result = await call(...args);
    return { status: 200, body: { ok: true, result: typeof result === 'function' ? null : result } };
  } catch (error) {
    const isTheirs = error instanceof SimulationError || error instanceof z.ZodError || error instanceof SyntaxError;
    return {
      status: isTheirs ? 400 : 500,
      body: { ok: false, error: error instanceof Error ? error.message : String(error) },
    };
  }
}
