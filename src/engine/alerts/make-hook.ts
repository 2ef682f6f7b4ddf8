import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HookKind } from '../../core/alert/alert.ts';
import type { HooksTable } from '../../store/schema.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { shortId } from '../context/request.ts';

/** Creates a hook and returns its address. The bot stores only the hash of the token. */
export async function makeHook(
  context: EngineContext,
  { channel, kind, name, by }: { channel: string; kind: HookKind; name: string; by: string },
): Promise<{ id: string; url: string }> {
  const secret = randomBytes(32).toString('base64url');
  const id = shortId(secret);
  const hook = { id, kind, name, channel, tokenHash: hash('sha256', secret), createdBy: by };
  const text = `hook ${id} made: ${kind}, ${name}`;
  await context.audit({ kind: 'hook', actor: by, channel, text, change: (on) => context.store.hooks.add(hook, on) });
  return { id, url: `${context.settings.publicUrl ?? ''}/hooks/${kind}/${id}.${secret}` };
}

/** Returns the hook of a token. The id finds the row; the secret is compared in constant time, even without a row. */
export async function openHook(context: EngineContext, kind: string, token: string): Promise<HooksTable | undefined> {
  const dot = token.indexOf('.');
  const id = token.slice(0, Math.max(0, dot));
  const secret = token.slice(dot + 1);
  const row = /^[a-z2-9]{8}$/.test(id) ? await context.store.hooks.find(id) : undefined;
  const isSame = timingSafeEqual(
    Buffer.from(hash('sha256', secret)),
    Buffer.from(row?.tokenHash ?? hash('sha256', '')),
  );
  return isSame && row !== undefined && row.kind === kind ? row : undefined;
}

/** Returns the hook of an address of this bot, if its whole token is correct. */
export async function hookAt(context: EngineContext, url: string): Promise<HooksTable | undefined> {
  const prefix = `${context.settings.publicUrl ?? ''}/hooks/ticket/`;
  if (context.settings.publicUrl === undefined || !url.startsWith(prefix)) return undefined;
  return openHook(context, 'ticket', url.slice(prefix.length));
}
