import type { LiveConfig } from '../../config.ts';
import { defined } from '../../core/text/defined.ts';
import { keysFor } from '../../core/text/keys.ts';
import { createProvider, type Reader, readerOf } from '../../provider/client.ts';
import { createTransport } from '../../provider/transport.ts';
import { openSlack, type SlackSide } from '../../slack/open-slack.ts';
import { openStore, type Store } from '../../store/database.ts';

export interface CheckResult {
  /** `note` is information without a remedy. */
  readonly is: 'good' | 'bad' | 'note';
  readonly about: string;
  readonly text: string;
  readonly remedy?: string;
}

export interface CheckContext {
  readonly config: LiveConfig;
  readonly now: () => number;
  /** The store, or the error of opening it. */
  readonly store: Store | Error;
  readonly slack: SlackSide | Error;
  readonly reader: Reader;
}

export type FoundByCheck = Omit<CheckResult, 'about'>;
export type RunCheck = (scene: CheckContext) => Promise<readonly FoundByCheck[]>;

export const good = (text: string): FoundByCheck[] => [{ is: 'good', text }];
export const bad = (text: string, remedy?: string): FoundByCheck[] => [{ is: 'bad', text, ...defined({ remedy }) }];
export const note = (text: string): FoundByCheck[] => [{ is: 'note', text }];
export const notLookedAt = (why: string): FoundByCheck[] => note(`not checked, since ${why}`);

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
