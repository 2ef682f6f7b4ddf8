type Within<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Waits at most `ms` for a promise. A late promise continues; the caller decides what that means. */
export function within<T>(promise: Promise<T>, ms: number): Promise<Within<T>> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ kind: 'late' }), Math.max(0, ms));
    const end = (how: Within<T>) => {
      clearTimeout(timer);
      resolve(how);
    };
    promise.then(
      (value) => end({ kind: 'done', value }),
      (error: unknown) => end({ kind: 'failed', error }),
    );
  });
}

/** Like `within`, but throws the error of a failed promise, and `late()` for a late one. */
export async function orLate<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  const result = await within(promise, ms);
  if (result.kind === 'late') throw late();
  if (result.kind === 'failed') throw result.error;
  return result.value;
}
