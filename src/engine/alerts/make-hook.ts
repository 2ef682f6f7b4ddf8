import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HookKind } from '../../core/alert/alert.ts';
import type { NewHook } from '../../core/command/alert-port.ts';
import { keyFor } from '../../core/text/keys.ts';
import { minute } from '../../core/text/words.ts';
import type { HooksTable } from '../../store/schema.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { shortId } from '../context/request.ts';

/** Begins each token, so that it is recognized and removed from texts. */
export const tokenPrefix = 'hst_';

/** The secret with which events are signed. It is derived, so that it is not stored. */
export function eventSecret(secretKey: Uint8Array, hook: string): Buffer {
  return createHmac('sha256', keyFor(secretKey, 'events')).update(hook).digest();
}

/** Creates a hook and returns its address, the token itself, or the secret of its signatures. The bot stores only the hash of the secret. */
export async function makeHook(
  context: EngineContext,
  { channel, kind, name, by, ...more }: NewHook & { readonly by: string },
): Promise<{ id: string; url: string }> {
  const secret = randomBytes(32).toString('base64url');
  const id = shortId(secret);
  const hook = { id, kind, name, channel, tokenHash: hash('sha256', secret), createdBy: by, ...more };
  const text = `hook ${id} made: ${kind}, ${name}`;
  await context.audit({ kind: 'hook', actor: by, channel, text, change: (on) => context.store.hooks.add(hook, on) });
  if (kind === 'events')
    return { id, url: `whsec_${eventSecret(context.settings.secretKeys[0], id).toString('base64')}` };
  if (kind === 'token') return { id, url: `${tokenPrefix}${id}.${secret}` };
  return { id, url: `${context.settings.publicUrl ?? ''}/hooks/${kind}/${id}.${secret}` };
}

/** Returns the hook of a token, unless revoked or expired. Compares the secret in constant time, row or not. */
export async function openHook(context: EngineContext, kind: HookKind, token: string): Promise<HooksTable | undefined> {
  const dot = token.indexOf('.');
  const id = token.slice(0, Math.max(0, dot));
  const secret = token.slice(dot + 1);
  const row = /^[a-z2-9]{8}$/.test(id) ? await context.store.hooks.find(id) : undefined;
  const stored = row?.tokenHash ?? hash('sha256', '');
  const isSame = timingSafeEqual(Buffer.from(hash('sha256', secret)), Buffer.from(stored));
  const isOver = (row?.expiresAt ?? Number.POSITIVE_INFINITY) <= context.now();
  return isSame && row?.kind === kind && !isOver ? row : undefined;
}

/** Stores the last use to the minute, to save writes. */
export async function noteUse({ store, now }: EngineContext, { id, usedAt }: HooksTable): Promise<void> {
  if (now() - (usedAt ?? 0) > minute) await store.hooks.used(id);
}

/** Returns the hook of an address of this bot, if its whole token is correct. */
export async function hookAt(context: EngineContext, url: string): Promise<HooksTable | undefined> {
  const prefix = `${context.settings.publicUrl ?? ''}/hooks/ticket/`;
  if (context.settings.publicUrl === undefined || !url.startsWith(prefix)) return undefined;
  return openHook(context, 'ticket', url.slice(prefix.length));
}
