import { asText, isDict } from './dict.ts';
import { type MrkdwnSpan, parseMrkdwn } from './reading/mrkdwn.ts';
import { spanOf } from './reading/spans.ts';
import type { SimChannel, SimMessage, SlackState } from './state.ts';
import { findGroup } from './workspace.ts';

/** All mentions in blocks; only mrkdwn text objects can contain mentions. */
function spansIn(value: unknown): MrkdwnSpan[] {
  if (Array.isArray(value)) return value.flatMap(spansIn);
  if (!isDict(value)) return [];
  if (value.type === 'mrkdwn') return parseMrkdwn(asText(value.text));
  return [...[spanOf(value)].filter((span) => span !== undefined), ...Object.values(value).flatMap(spansIn)];
}

/**
 * The members that Slack notifies of a new message: it mentions them, their group or everyone, or is a direct message.
 */
export function pingedBy(state: SlackState, channel: SimChannel, message: SimMessage): string[] {
  if (message.visibleTo !== undefined) return [];
  const spans = [...parseMrkdwn(message.text), ...spansIn(message.blocks), ...spansIn(message.attachments)];
  const named = new Set(
    spans.flatMap(({ kind, target = '' }) => {
      if (kind === 'group') return findGroup(state, target)?.members ?? [];
      return kind === 'broadcast' ? channel.members : kind === 'user' ? [target] : [];
    }),
  );
  return channel.members.filter((member) => member !== message.user && (channel.kind === 'im' || named.has(member)));
}
