import type { LiveConfig } from '../config.ts';
import { keysFor } from '../core/text/keys.ts';
import { createProvider, readerOf } from '../provider/client.ts';
import { createTransport } from '../provider/transport.ts';
import { openSlack } from '../slack/open-slack.ts';
import { openStore, type Store } from '../store/database.ts';
import type { CheckContext } from './check/check-result.ts';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Opens the store and Slack for the checks; a failure becomes an error in its place and stops nothing else. */
export async function openScene(
  config: LiveConfig,
  now: () => number,
  open: () => Promise<Store> = () =>
    openStore(config.databaseUrl, { auditKeys: keysFor(config.secretKeys, 'audit head') }),
): Promise<CheckContext & AsyncDisposable> {
  const [store, slack] = await Promise.all([
    open().catch(asError),
    openSlack(config.slack, silent, { now }).catch(asError),
  ]);
  const transport = createTransport({ baseUrl: config.provider.url, apiKey: config.provider.key });
  return {
    ...{ config, now, store, slack, reader: readerOf(createProvider(transport)) },
    [Symbol.asyncDispose]: async () => {
      await transport.close();
      if (!(store instanceof Error)) await store.close();
    },
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('no reason given');
}
