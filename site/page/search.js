/**
 * Finds sections of the documentation by prefixes of words. The index is a script, because a page from a disk cannot use
 * fetch.
 *
 * @typedef {{ page: string, heading: string, href: string, text: string }} Entry
 */

const mostResults = 30;
const form = /** @type {HTMLFormElement} */ (document.getElementById('search'));
const box = /** @type {HTMLInputElement} */ (document.getElementById('words'));
const results = /** @type {HTMLElement} */ (document.getElementById('results'));
/** @type {readonly Entry[]} */
const entries = Reflect.get(globalThis, 'hostlerPages');

/**
 * The sections that contain all words, best first: a word in a heading has more weight than one in the text.
 *
 * @param {string} typed
 */
function find(typed) {
  const words = typed.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

/**
 * @param {Entry} entry
 * @param {readonly string[]} words
 */
function scoreOf(entry, words) {
  let sum = 0;
  for (const word of words) {
    const score =
      8 * countOf(entry.heading, word) + 4 * countOf(entry.page, word) + Math.min(3, countOf(entry.text, word));
    if (score === 0) return 0;
    sum += score;
  }
  return sum;
}

/**
 * The number of words in the text with this prefix.
 *
 * @param {string} text
 * @param {string} beginning
 */
function countOf(text, beginning) {
  return text.toLowerCase().match(new RegExp(`(?<![\\p{L}\\p{N}])${beginning}`, 'gu'))?.length ?? 0;
}

/**
 * The text around the first match.
 *
 * @param {string} text
 * @param {string} word
 */
function around(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()) - 60);
  return `${at > 0 ? '…' : ''}${text.slice(at, at + 180)}${text.length > at + 180 ? '…' : ''}`;
}

function show() {
  const typed = box.value.trim();
  results.hidden = typed === '';
  if (typed === '') return results.replaceChildren();
  const found = find(typed);
  const title = document.createElement('h2');
  const number = found.length === 1 ? '1 section has' : `${found.length} sections have`;
  title.textContent = `${found.length === 0 ? 'No section has' : number} “${typed}”`;
  const list = document.createElement('ol');
  for (const entry of found.slice(0, mostResults)) {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = entry.href;
    link.textContent = entry.heading === entry.page ? entry.page : `${entry.page} › ${entry.heading}`;
    // A result on the same page only changes the fragment.
    link.addEventListener('click', close);
    const words = document.createElement('p');
    words.textContent = around(entry.text, typed.split(/\s+/)[0] ?? '');
    item.append(link, words);
    list.append(item);
  }
  results.replaceChildren(title, list);
}

function close() {
  box.value = '';
  show();
}

box.addEventListener('input', show);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') close();
  if (event.key !== '/' || document.activeElement === box) return;
  event.preventDefault();
  box.focus();
});
