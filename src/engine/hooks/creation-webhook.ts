import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { aside } from '../../core/async/aside.ts';
import { safeParse } from '../../core/text/json.ts';
import { keyFor } from '../../core/text/keys.ts';
import type { OperationRow } from '../../store/records/operation-row.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { keepSecret } from '../context/seal-secrets.ts';
import { reportWithinMs } from '../context/time-limits.ts';
import { recordEntry } from '../operation/entry-of.ts';
import { readOperation, readStep } from '../operation/read-operation.ts';
import { type HookRequest, hookBodyMostBytes, notTaken, readJson, unread } from './http.ts';

/** The details of the order, and the credentials, which only the requester may see. */
const createdBody = z.object({
  id: z.string().max(64).optional(),
  order_id: z.string().max(64).optional(),
  name: z.string().nullish(),
  tariff: z.string().nullish(),
  credentials: z.object({ ip_address: z.string(), username: z.string(), password: z.string() }),
});

/** Derives the secret from the operation, so that it is not stored and is the same on every replica. */
export function creationSecret(secretKey: Uint8Array, operation: string): string {
  return createHmac('sha256', keyFor(secretKey, 'creation webhooks')).update(operation).digest('hex');
}

/** Returns the address and secret that a creation sends to the provider, if the provider can reach the bot. */
export function creationWebhook(context: EngineContext, operation: string) {
  const { publicUrl, secretKeys } = context.settings;
  if (publicUrl === undefined) return undefined;
  return async () => ({
    url: `${publicUrl}/hooks/created/${operation}`,
    secret: creationSecret(secretKeys[0], operation),
  });
}

/** The report may come before the order appears in the list, after that, or after a lost response. */
const awaiting: ReadonlySet<OperationRow['state']> = new Set(['running', 'reading', 'done', 'unverified', 'unknown']);

/**
 * Receives the provider's report of a new server with its root password. It is not documented whether the provider
 * repeats the report: the first one counts, and an unfinished one may be sent again.
 */
export async function receiveCreated(context: EngineContext, operation: string, request: HookRequest) {
  const { store, settings, now } = context;
  const body = await request.read(hookBodyMostBytes);
  if (typeof body === 'string') return unread[body];
  const isOurs = settings.secretKeys.some((key) => isSigned(body, request.signature, creationSecret(key, operation)));
  if (!isOurs) return notTaken(401, 'The signature does not fit the body.');
  const row = await store.operations.find(operation);
  const parsed = safeParse(createdBody, readJson(body));
  if (row === undefined || !parsed.success || !awaitsReport(row, now()))
    return notTaken(400, 'The body is not the report of a server that was ordered here.');
  const lease = `creating:${operation}`;
  if ((await store.values.find('sealed', [operation])).has(operation)) return { status: 200, body: { known: 1 } };
  if (!(await store.leases.acquire(lease, `${context.owner} ${now()}`, 60_000)))
    return notTaken(503, 'This report is being worked on.');
  const { name, tariff, credentials } = parsed.data;
  const orderId = parsed.data.id ?? parsed.data.order_id ?? operation;
  const label = name || orderId;
  const { ip_address: address, username, password } = credentials;
  const [step] = (await store.steps.list(operation)).map(readStep);
  if (step !== undefined) {
    const value = `${address}\n${username}\n${password}`;
    await keepSecret(context, readOperation(row), step, { title: `The root login of ${label}`, value });
  }
  await store.values.write('sealed', { [operation]: null }, now());
  const server = { id: orderId, name: name ?? '', address, plan: tariff ?? '', by: row.requester };
  await store.values.write('created', { [orderId]: server }, now());
  await recordEntry(context, row, 'created', `the provider reports that ${label} (${orderId}) is there`);
  context.accountReader.invalidate();
  // The next run of the rule announces it if this fails.
  aside(context.alerts.checkNow('new-server'), context.log, 'announcing a new server');
  return { status: 200, body: { taken: 1 } };
}

/** True for a recent creation that has started and not failed; the secret must not work for anything else. */
export function awaitsReport({ command, state, startedAt }: OperationRow, now: number): boolean {
  return command === 'create' && awaiting.has(state) && startedAt !== null && now - startedAt < reportWithinMs;
}

function isSigned(body: Uint8Array, signature: string | undefined, secret: string): boolean {
  const wanted = createHmac('sha256', secret).update(body).digest();
  if (signature === undefined || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  return timingSafeEqual(Buffer.from(signature, 'hex'), wanted);
}
