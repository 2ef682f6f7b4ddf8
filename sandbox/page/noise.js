import { h } from './dom.js';
import { personOf } from './people.js';
import { get } from './store.js';

/** Shows how many of the bot's messages require each person's attention. */

const columns = [
  ['pings', 'Pings', 'messages in channels that name the person or a group of theirs'],
  ['direct', 'Direct', 'direct messages'],
  ['answers', 'Private', 'answers that only the person sees, which notify nobody'],
  ['unread', 'Unread', 'messages of anybody that the person has not seen'],
];

export function createNoise(parent) {
  const posted = h('p', { class: 'muted' });
  const body = h('tbody');
  parent.append(
    posted,
    h(
      'div',
      { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Pings and unread messages' },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ['Person', ...columns.map(([, name]) => name)].map((name) => h('th', { scope: 'col' }, name)),
          ),
        ),
        body,
      ),
    ),
    h(
      'ul',
      { class: 'noise-words' },
      columns.map(([, name, words]) => h('li', { class: 'row-note' }, h('b', {}, name), `: ${words}`)),
    ),
  );
  return {
    show() {
      const { posts = 0, replies = 0, people = [] } = get('noise') ?? {};
      posted.textContent = `Hostler has posted ${posts} message${posts === 1 ? '' : 's'} that a channel sees, and ${replies} in threads.`;
      body.replaceChildren(
        ...people.map((counts) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, `@${personOf(counts.id).name}`),
            columns.map(([field]) => h('td', { class: 'right' }, String(counts[field]))),
          ),
        ),
      );
    },
  };
}
