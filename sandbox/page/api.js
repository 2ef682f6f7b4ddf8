import { byId, h } from './dom.js';
import { apply } from './store.js';

/** The connection to the server: receives changes and sends acts. */

/** @type {EventSource | undefined} */
let source;
let person = '';
const ready = new Set();

export const whoami = () => person;

/** Calls back once, after the first complete state of this person's workspace. */
export const onceReady = (run) => ready.add(run);

/** @param {string} name a person's handle */
export function connect(name) {
  source?.close();
  person = name;
  source = new EventSource(`/live?as=${encodeURIComponent(name)}`);
  let isWhole = true;
  const lost = byId('lost');
  source.onopen = () => {
    isWhole = true;
    lost.hidden = true;
  };
  source.onerror = () => {
    lost.hidden = false;
    // The browser reconnects unless it was refused: then this person does not exist, or the sandbox is starting.
    if (source?.readyState === EventSource.CLOSED) setTimeout(() => location.replace('/'), 1_000);
  };
  source.onmessage = ({ data }) => {
    apply(JSON.parse(data), isWhole);
    isWhole = false;
    for (const run of ready) run();
    ready.clear();
  };
  source.addEventListener('reload', () => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith('hostler.') && key !== 'hostler.theme') localStorage.removeItem(key);
    }
    sessionStorage.clear();
    location.replace('/');
  });
}

/** @param {unknown} error */
const sayError = (error) => (error instanceof Error ? error.message : String(error));

/** Shows a sentence for a few seconds. */
export function toast(text, tone = 'info') {
  const toasts = byId('toasts');
  const node = h('p', { class: `toast ${tone}` }, text);
  toasts.append(node);
  // Showing the popover again puts it on top of a dialog that was opened since.
  if (toasts.matches(':popover-open')) toasts.hidePopover();
  toasts.showPopover();
  setTimeout(() => {
    node.remove();
    if (toasts.childElementCount === 0) toasts.hidePopover();
  }, 7_000);
}

/**
 * Performs an act as this person and shows Slack's message about it.
 * @returns {Promise<any>} undefined when it did not work
 */
export async function act(name, input, { isQuiet = false } = {}) {
  try {
    const response = await fetch(`/act/${name}?as=${encodeURIComponent(person)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    if (answer.shown && answer.error !== 'incomplete' && !isQuiet) toast(answer.shown, 'error');
    return answer;
  } catch (error) {
    toast(error instanceof TypeError ? 'The sandbox does not answer.' : sayError(error), 'error');
    return undefined;
  }
}

/** Uploads a file to a channel or, without a channel, for a form. */
export async function upload(file, channel) {
  const query = new URLSearchParams({ as: person, name: file.name, ...(channel ? { channel } : {}) });
  try {
    const response = await fetch(`/upload?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    return answer;
  } catch (error) {
    toast(sayError(error), 'error');
    return undefined;
  }
}

export const fileUrl = (id) => `/files/${encodeURIComponent(id)}?as=${encodeURIComponent(person)}`;

export async function startOver() {
  toast('Starting over…');
  const response = await fetch('/start-over', { method: 'POST' });
  if (!response.ok) toast((await response.json()).error, 'error');
}
