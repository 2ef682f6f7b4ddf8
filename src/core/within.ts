export type Within<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Waits for a promise at most so long. The promise goes on when it is late; the caller decides what that means. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<Within<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Within<T>>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'late' }), Math.max(0, ms));
  });
  const done = promise.then(
    (value): Within<T> => ({ kind: 'done', value }),
    (error: unknown): Within<T> => ({ kind: 'failed', error }),
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same for callers to whom a late answer is an error of theirs. */
export async function orLate<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const result = await within(promise, ms);
  if (result.kind === 'late') throw late();
  if (result.kind === 'failed') throw result.error;
  return result.value;
}
