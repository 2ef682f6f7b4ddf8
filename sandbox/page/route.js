/** The route of this window: `?as=operator#/C0OPS00001/1700000000.000100`. It survives a reload and the back button. */

const listeners = new Set();

/** @returns {{as: string | null, view: string, thread: string | undefined}} */
export function route() {
  const [, view = '', thread] = location.hash.split('/');
  return { as: new URLSearchParams(location.search).get('as'), view, thread: thread || undefined };
}

/** @param {{as?: string | null, view?: string, thread?: string | undefined}} [to] */
export function go({ as = route().as, view = route().view, thread } = {}) {
  const query = as === null ? '' : `?as=${encodeURIComponent(as)}`;
  const address = `/${query}#/${view}${thread ? `/${thread}` : ''}`;
  if (address === `/${location.search}${location.hash}`) return;
  history.pushState(null, '', address);
  for (const run of listeners) run();
}

export const onRoute = (run) => {
  listeners.add(run);
  addEventListener('popstate', run);
};
