import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Secret } from '../../core/plan/plan.ts';
import { keyFor, keysFor } from '../../core/text/keys.ts';
import type { Form } from '../../core/view/form.ts';
import { says, type Text } from '../../core/view/view.ts';
import type { SecretsTable } from '../../store/schema.ts';
import type { EngineContext } from './engine-context.ts';
import { secretLivesMs } from './time-limits.ts';

const ivBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM. `bound` names the secret and its person, authenticated: it opens for no one else. */
export function seal(value: string, key: Uint8Array, bound: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Throws if the value was sealed under another key or for another person, or was changed or cut. */
export function unseal(sealed: string, keys: readonly Uint8Array[], bound: string): string {
  let failure: unknown = new Error('unsealing: there is no key');
  for (const key of keys) {
    try {
      return open(sealed, key, bound);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function open(sealed: string, key: Uint8Array, bound: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < ivBytes + tagBytes) throw new Error('unsealing: the stored value was cut');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
}

const messageKey = (operation: string, step: string): string => `secret:${operation}:${step}`;

/** Seals a value for the requester and notifies them. From then on, the value exists only sealed. */
export async function keepSecret(
  context: EngineContext,
  operation: { readonly id: string; readonly requester: string },
  step: { readonly n: number },
  secret: Secret,
): Promise<void> {
  // The id contains the step, so that the message is found when the secret is used.
  const id = `${randomBytes(16).toString('hex')}-${step.n}`;
  const { store, settings, now } = context;
  const expiresAt = now() + secretLivesMs;
  await store.secrets.put({
    id,
    userId: operation.requester,
    operationId: operation.id,
    title: secret.title,
    sealed: seal(secret.value, keyFor(settings.secretKeys[0], 'sealed secrets'), `${id}:${operation.requester}`),
    expiresAt,
  });
  await context.outbox.put({
    key: messageKey(operation.id, `${step.n}`),
    channel: operation.requester,
    view: says(
      [`${secret.title} is ready. It can be shown once, until `, { date: expiresAt, style: 'time' }, '.'],
      [{ label: 'Reveal once', intent: { do: 'reveal', secret: id }, style: 'primary', opens: true }],
    ),
  });
}

/** Removes the secret from the store before showing it, so that it is shown at most once. */
export async function reveal(context: EngineContext, id: string, user: string): Promise<Form | undefined> {
  const { store, settings, now } = context;
  const row = await store.secrets.claim(id, user, now());
  if (row === undefined) return undefined;
  const value = unseal(row.sealed, keysFor(settings.secretKeys, 'sealed secrets'), `${id}:${user}`);
  await context.audit({ kind: 'revealed', actor: user, operation: row.operationId ?? undefined, text: row.title });
  await closeMessage(context, row, [
    `${row.title} was shown at `,
    { date: now(), style: 'time' },
    '. It cannot be shown again.',
  ]);
  return {
    id: '',
    title: 'Shown once',
    submit: 'Close',
    notes: [`${row.title}. It is gone when this dialog is closed.`],
    fields: [],
    code: value,
  };
}

/** Removes the button from messages whose secret has expired. */
export async function expireSecrets(context: EngineContext): Promise<void> {
  for (const row of await context.store.secrets.purge(context.now()))
    await closeMessage(context, row, [`${row.title} was not shown in time, and can no longer be shown.`]);
}

async function closeMessage(
  { outbox }: EngineContext,
  { id, operationId, userId }: Pick<SecretsTable, 'id' | 'operationId' | 'userId'>,
  words: Text,
): Promise<void> {
  const [, step] = /-(\d+)$/.exec(id) ?? [];
  if (operationId === null || step === undefined) return;
  await outbox.put({ key: messageKey(operationId, step), channel: userId, view: says(words) });
}
