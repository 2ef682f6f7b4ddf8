import { h } from './dom.js';
import { get } from './store.js';

/** Avatars, names and times for the person at the page. */

const slackbot = { id: 'USLACKBOT', name: 'slackbot', realName: 'Slackbot', isBot: true, role: '' };
export const personOf = (id) =>
  id === slackbot.id ? slackbot : (get(`person/${id}`) ?? { id, name: id, realName: id, role: '' });
export const me = () => personOf(get('me')?.id);
export const botId = () => get('team')?.bot;

const colors = 8;
const colorOf = (id) => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7) % colors;

/** @param {string} id @param {'small' | 'large' | ''} [look] */
export function avatar(id, look = '') {
  if (id === botId()) return h('img', { class: `avatar ${look}`, src: '/icon.svg', alt: '' });
  const initials = personOf(id)
    .realName.split(' ')
    .map((part) => part[0])
    .slice(0, 2)
    .join('');
  return h('span', { class: `avatar ${look} color-${colorOf(id)}`, 'aria-hidden': 'true' }, initials);
}

const formats = new Map();
function format(options) {
  const timeZone = get('me')?.tz ?? 'UTC';
  const key = JSON.stringify([timeZone, options]);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat('en-US', { timeZone, ...options }));
  return formats.get(key);
}

export const msOf = (ts) => Number(ts) * 1000;
export const timeOf = (ms) => format({ hour: 'numeric', minute: '2-digit' }).format(ms).replaceAll('\u202f', ' ');
export const secondsOf = (ms) =>
  format({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(ms);
export const fullTime = (ms) => format({ dateStyle: 'full', timeStyle: 'short' }).format(ms);

export function dayOf(ms, nowMs) {
  const day = (at) => format({ year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);
  if (day(ms) === day(nowMs)) return 'Today';
  if (day(ms) === day(nowMs - 86_400_000)) return 'Yesterday';
  return format({ weekday: 'long', month: 'long', day: 'numeric' }).format(ms);
}

const wallFormat = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
};
/** `2026-12-01T22:00` on the clocks of the person, not on those of the browser. */
export function wallTime(seconds) {
  const parts = format(wallFormat).formatToParts(seconds * 1_000);
  const of = (type) => parts.find((part) => part.type === type)?.value;
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`;
}

/** The moment at which the person's clocks show this. */
export function secondsOfWall(wall) {
  const asUtc = (text) => Date.parse(`${text}:00Z`) / 1_000;
  const wanted = asUtc(wall);
  // The second round has the offset of that moment, and not the one of a few hours away.
  const near = wanted - (asUtc(wallTime(wanted)) - wanted);
  return near - (asUtc(wallTime(near)) - wanted);
}

export const nameOf = (channel) => (channel.kind === 'im' ? 'Hostler' : channel.name);
