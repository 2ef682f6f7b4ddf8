import { act } from './api.js';
import { get, list } from './store.js';

/** Keeps track of read and unread messages. */

export const isReply = (message) => message.threadTs !== undefined;
export const messagesIn = (channel) =>
  list('message/')
    .filter((message) => message.channel === channel)
    .sort((a, b) => (a.ts < b.ts ? -1 : 1));

export const markOf = (where) => get(`read/${where}`) ?? '';
const isNew = (message) =>
  message.user !== get('me')?.id &&
  !message.isPrivate &&
  message.ts > markOf(isReply(message) ? threadKey(message) : message.channel);
const threadKey = ({ channel, threadTs }) => `${channel}:${threadTs}`;

const everyPiece = (message) => JSON.stringify([message.pieces, message.blocks]);
const isForMe = (message) => everyPiece(message).includes('"isForMe":true');

/** @returns {{isUnread: boolean, mentions: number}} */
export function unreadOf(channel) {
  const fresh = list('message/').filter((message) => message.channel === channel.id && isNew(message));
  const mentions = fresh.filter((message) => channel.kind === 'im' || isForMe(message)).length;
  return { isUnread: fresh.some((message) => !isReply(message)) || mentions > 0, mentions };
}

export const hasNewReplies = (replies) => replies.some(isNew);

/** The marks that were sent, by person and place, since the person at the page can change. */
const sentMark = new Map();

/** Marks all messages here as read, if the page is visible. */
export function markRead(where, ts) {
  const spot = `${get('me')?.id} ${where}`;
  if (document.visibilityState !== 'visible' || ts === undefined || ts <= markOf(where) || sentMark.get(spot) === ts)
    return;
  sentMark.set(spot, ts);
  act('read', { where, ts }, { isQuiet: true });
}
