import { act } from './api.js';
import { h, reconcile } from './dom.js';
import { get, list } from './store.js';

/** The account's tickets, buckets, SSH keys and addresses. */

const supportSays = 'We have looked into it and moved it to another node. Please see whether it works now.';

export function createHoldings(body) {
  const webhook = h('p', { class: 'muted' });
  const parts = [
    { heading: 'Tickets', prefix: 'ticket/', row: ticketRow, rows: h('ul', { class: 'rows' }) },
    { heading: 'Object storage', prefix: 'bucket/', row: bucketRow, rows: h('ul', { class: 'rows' }) },
    { heading: 'SSH keys', prefix: 'ssh-key/', row: keyRow, rows: h('ul', { class: 'rows' }) },
    { heading: 'Addresses', prefix: 'address/', row: addressRow, rows: h('ul', { class: 'rows' }) },
  ];
  for (const { heading, prefix, rows } of parts)
    body.append(h('h3', {}, heading), ...(prefix === 'ticket/' ? [webhook] : []), rows);

  return {
    show() {
      const { isSet = false, lastError = null } = get('webhook') ?? {};
      webhook.textContent = isSet
        ? `Answers are posted to the bot.${lastError === null ? '' : ` The last one failed: ${lastError}.`}`
        : 'Answers are posted nowhere: /host ticket webhook set posts them to a channel.';
      for (const { prefix, row, rows } of parts) reconcile(rows, list(prefix).map(row));
    },
  };
}

const row = (key, value, main, note, ...more) => ({
  key,
  signature: JSON.stringify(value),
  make: () =>
    h(
      'li',
      { class: 'row' },
      h('div', { class: 'row-main' }, ...main),
      h('div', { class: 'row-note' }, note),
      ...more.map((make) => make()),
    ),
});

function ticketRow(ticket) {
  const { id, subject, order, status, answers } = ticket;
  const last = answers.at(-1);
  return row(
    `ticket ${id}`,
    ticket,
    [h('b', {}, subject), h('span', { class: 'muted' }, status)],
    [order ?? 'no order', last && `“${last.text}”`].filter(Boolean).join(' · '),
    () =>
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'data-spot': `ticket ${id}`,
          'aria-label': `Answer ${subject}`,
          onclick: () => act('ticket', { id, text: supportSays }),
        },
        'Answer',
      ),
  );
}

function bucketRow(bucket) {
  const { id, name, usedGb, sizeGb, warnAtFreeGb } = bucket;
  const warning = warnAtFreeGb > 0 ? `warns at ${warnAtFreeGb} GB free` : 'no warning';
  return row(
    `bucket ${id}`,
    bucket,
    [h('b', {}, name), h('span', {}, `${usedGb} of ${sizeGb} GB`)],
    `${id} · ${warning}`,
    () =>
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          'data-spot': `bucket ${id}`,
          'aria-label': `Fill by 10 GB: ${name}`,
          onclick: () => act('order', { order: id, space_used: Math.min(sizeGb, usedGb + 10) }),
        },
        'Fill by 10 GB',
      ),
  );
}

function keyRow(key) {
  const { id, title, described, servers, isDefault } = key;
  return row(
    `key ${id}`,
    key,
    [h('b', {}, title), h('span', { class: 'muted' }, `on ${servers} servers${isDefault ? ' · default' : ''}`)],
    described,
  );
}

function addressRow(address) {
  const { ip, server, name } = address;
  return row(`address ${ip}`, address, [h('b', {}, ip), h('span', {}, server)], name || 'no reverse DNS');
}
