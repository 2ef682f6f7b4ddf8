import { asText, type Dict } from '../dict.ts';
import type { SlackState } from '../state.ts';
import { findChannel, findGroup, findPerson } from '../workspace.ts';
import type { MrkdwnSpan } from './mrkdwn.ts';

const readers: Record<string, (element: Dict) => MrkdwnSpan> = {
  link: ({ text, url }) => ({ kind: 'link', text: asText(text) || asText(url), target: asText(url) }),
  user: ({ user_id }) => ({ kind: 'user', text: '', target: asText(user_id) }),
  usergroup: ({ usergroup_id }) => ({ kind: 'group', text: '', target: asText(usergroup_id) }),
  channel: ({ channel_id }) => ({ kind: 'channel', text: '', target: asText(channel_id) }),
  broadcast: ({ range }) => ({ kind: 'broadcast', text: asText(range) }),
  date: ({ timestamp, format }) => ({ kind: 'date', text: '', target: String(timestamp), format: asText(format) }),
};

/** An element of rich text as a span of mrkdwn; undefined for unknown types. */
export const spanOf = (element: Dict): MrkdwnSpan | undefined => readers[asText(element.type)]?.(element);

/** The text for an id: the name, else the label beside it, else the id. */
export function nameIn(state: SlackState, { kind, text, target = '' }: MrkdwnSpan): string {
  if (kind === 'channel') return `#${findChannel(state, target)?.name ?? (text || target)}`;
  if (kind === 'group') return `@${findGroup(state, target)?.handle ?? (text.replace(/^@/, '') || target)}`;
  return `@${findPerson(state, target)?.name ?? (text || target)}`;
}
