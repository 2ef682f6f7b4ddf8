import { act } from './api.js';
import { h, iconButton } from './dom.js';
import { dayOf, personOf, secondsOf } from './people.js';
import { get, now } from './store.js';

/** Draws the provider's rows: servers, jobs, records and requests. */

export const money = (amount) => `€ ${Number(amount).toFixed(2)}`;
/** Counts days as the bot does: a day that has begun counts. */
const daysTo = (ms) => Math.ceil((ms - now()) / 86_400_000);
const whenOf = (ms) => `${dayOf(ms, now()) === 'Today' ? '' : `${dayOf(ms, now())} `}${secondsOf(ms)}`;
const powers = { on: ['●', 'on'], off: ['○', 'off'], unknown: ['?', 'unknown'] };

function powerSign(power) {
  const [sign, word] = powers[power.state] ?? powers.unknown;
  return h(
    'span',
    { class: `power ${word}` },
    h('span', { 'aria-hidden': 'true' }, sign),
    ` ${word}${power.isRescue ? ' · rescue' : ''}`,
  );
}

export function serverRow(server) {
  const { id, name, status, address, tariff, power, expiresAt, hasCancelMark } = server;
  const job = power && power.job !== null ? get(`job/${power.job}`) : undefined;
  const days = daysTo(expiresAt);
  return {
    key: id,
    signature: JSON.stringify([server, job, days]),
    make: () =>
      h(
        'li',
        { class: 'row' },
        h(
          'div',
          { class: 'row-main' },
          h('b', {}, name),
          power ? powerSign(power) : h('span', { class: 'muted' }, 'dedicated'),
          job && h('span', { class: 'job-chip' }, `${job.kind.replaceAll('_', ' ')} · job ${job.pk}`),
        ),
        h(
          'div',
          { class: 'row-note server-note' },
          h('span', {}, [address, tariff].filter(Boolean).join(' · ')),
          h(
            'span',
            {},
            status !== 'active'
              ? status
              : expiresAt === null
                ? 'no date'
                : `${days} ${days === 1 ? 'day' : 'days'} paid`,
            hasCancelMark && ' · will be canceled',
          ),
        ),
        power &&
          iconButton(
            'power',
            `Turn ${name} ${power.state === 'on' ? 'off' : 'on'} by hand`,
            () => act('power', { order: id, state: power.state === 'on' ? 'off' : 'on' }),
            { 'data-spot': `power ${id}` },
          ),
      ),
  };
}

export function jobRow(job) {
  const isRunning = job.state === 'ready';
  const share = isRunning && job.dueAt ? Math.min(1, (now() - job.startedAt) / (job.dueAt - job.startedAt)) : 1;
  return {
    key: `${job.pk}`,
    signature: JSON.stringify([job, Math.round(share * 20)]),
    make: () => {
      const bar = h('span', { class: 'bar-fill' });
      bar.style.width = `${share * 100}%`;
      const word = isRunning ? 'running' : job.state === 'done' ? 'done' : 'ended in error';
      return h(
        'li',
        { class: 'row job' },
        h(
          'div',
          { class: 'row-main' },
          h('b', {}, job.server),
          h('span', {}, job.kind.replaceAll('_', ' ')),
          h('span', { class: `state ${job.state}` }, word),
        ),
        h(
          'div',
          { class: 'row-note' },
          [`job ${job.pk}`, whenOf(job.startedAt), job.state === 'error' && job.note].filter(Boolean).join(' · '),
        ),
        isRunning && h('div', { class: 'bar', 'aria-hidden': 'true' }, bar),
      );
    },
  };
}

/** @param {(id: number | undefined) => void} edit opens or closes the field of a record */
export function recordRow(zone, entry, isEdited, edit) {
  const host = entry.host || '@';
  return {
    key: `${zone} ${entry.id}`,
    signature: JSON.stringify([entry, isEdited]),
    make: () => {
      if (!isEdited) {
        const value = [entry.prio, entry.value].filter((part) => part !== null).join(' ');
        return h(
          'tr',
          {},
          h('th', { scope: 'row' }, host),
          h('td', {}, entry.type),
          h('td', { class: 'value' }, value),
          h('td', { class: 'right muted' }, entry.ttl ?? '3600'),
          h(
            'td',
            {},
            iconButton('pencil', `Change ${host} ${entry.type} by hand`, () => edit(entry.id), {
              'data-spot': `record ${entry.id}`,
            }),
          ),
        );
      }
      const stop = () => edit(undefined);
      const field = h('input', {
        id: 'by-hand',
        class: 'field',
        value: entry.value,
        'aria-label': `${host} ${entry.type}`,
        onkeydown: (event) => event.key === 'Escape' && stop(),
      });
      const save = async (event) => {
        event.preventDefault();
        await act('records', { domain: zone, set: [{ id: entry.id, value: field.value }] });
        stop();
      };
      return h(
        'tr',
        {},
        h(
          'td',
          { colspan: '5' },
          h(
            'form',
            { class: 'by-hand', onsubmit: save },
            h('b', {}, `${host} ${entry.type}`),
            field,
            h('button', { class: 'button', type: 'submit' }, 'Save'),
          ),
        ),
      );
    },
  };
}

export function requestRow(request) {
  const { id, time, method, path, status, isFinished, body } = request;
  const look = !isFinished ? 'open' : status === null ? 'lost' : status < 400 ? 'good' : 'bad';
  return {
    key: `request ${id}`,
    atMs: Date.parse(time),
    signature: JSON.stringify(request),
    make: () =>
      h(
        'li',
        { class: `wire ${look}${method === 'GET' ? '' : ' write'}` },
        h('time', { class: 'muted' }, secondsOf(Date.parse(time))),
        h('span', { class: 'method' }, method),
        // A long path breaks after a slash.
        h(
          'span',
          { class: 'path' },
          path.split(/(?<=\/)/).flatMap((part) => [part, h('wbr')]),
        ),
        h('span', { class: `status ${look}` }, isFinished ? (status ?? 'no answer') : '…'),
        method !== 'GET' &&
          body !== null &&
          h('code', { class: 'wire-body' }, typeof body === 'string' ? body : JSON.stringify(body)),
      ),
  };
}

export function deliveryRow(delivery) {
  const { id, name, userId, atMs, ackedMs, times, error } = delivery;
  return {
    key: `delivery ${id}`,
    atMs,
    signature: JSON.stringify(delivery),
    make: () =>
      h(
        'li',
        { class: 'wire slack' },
        h('time', { class: 'muted' }, secondsOf(atMs)),
        h('span', { class: 'method' }, 'SLACK'),
        h('span', { class: 'path' }, name, userId && h('span', { class: 'muted' }, ` @${personOf(userId).name}`)),
        h(
          'span',
          { class: error ? 'wire-note bad' : 'wire-note' },
          error ??
            (ackedMs === null ? 'waiting for the acknowledgement…' : `acknowledged in ${Math.round(ackedMs)} ms`),
          times > 1 && h('b', {}, ` · ${times} times`),
        ),
      ),
  };
}
