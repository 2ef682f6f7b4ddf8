import { AsyncLocalStorage } from 'node:async_hooks';

const background = new AsyncLocalStorage<boolean>();

/** Runs the work with a mark that shows whether a person waits for it. All that it begins has the same mark. */
export function inBackground<T>(isSo: boolean, work: () => T): T {
  return background.run(isSo, work);
}

export const isInBackground = (): boolean => background.getStore() ?? false;
