import { payloadChannelName } from '../channels.ts';
import type { Payload } from '../delivery/types.ts';
import type { SimChannel, SimPerson } from '../state.ts';
import { findChannel, nextId, type Workspace } from '../workspace.ts';
import { issueResponseUrl, issueTrigger } from './envelope.ts';

export const escapeEntities = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Top-level domains that Slack's client turns into links. */
const linked = 'com|net|org|io|dev|app|ru|de|fr|uk|eu|info|biz|cloud|me|co|us|ai|tech|online|site|store|xyz';

// The patterns that the client recognizes. The order matters, so that a host in an email address is not linked too.
const recognized = (displayNames: readonly string[]): RegExp =>
  new RegExp(
    [
      String.raw`(?<written><[@#!][^<>\s]+>|<(?:https?|mailto):[^<>\s]+>)`,
      String.raw`(?<mail>\b(?<=(?<![\w.+-])[.+-]*)[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b)`,
      String.raw`(?<url>\bhttps?:\/\/[^\s<>]+)`,
      String.raw`(?<![\w@/.-])(?<domain>(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?:${linked}))(?![.-]*\w)`,
      String.raw`(?<![\w])@(?<mention>(?:${displayNames.map((name) => RegExp.escape(name)).join('|')})(?![\w-])|[\w.-]*\w)`,
      String.raw`(?<![\w&])#(?<channel>[\w-]+)`,
    ].join('|'),
    'gi',
  );

const same = (text: string, other: string): boolean => text.toLowerCase() === other.toLowerCase();
const broadcasts = ['here', 'channel', 'everyone'];

export interface EscapeOptions {
  /** In commands, names follow the ids; in messages they do not. */
  isCommand: boolean;
}

/**
 * Converts typed text to the form in which it reaches an app: mentions, channels and links marked up, everything else
 * escaped.
 */
export function escapeTyped(workspace: Workspace, text: string, options: EscapeOptions): string {
  const { people, groups } = workspace.state;
  const label = (name: string): string => (options.isCommand ? `|${name}` : '');
  const isPlain = options.isCommand && workspace.rules.isOn('command-text-unescaped');
  const isGroupAsTyped = options.isCommand && workspace.rules.isOn('command-groups-as-typed');
  const escaped = isPlain ? (words: string): string => words : escapeEntities;
  const replacements: Record<string, (value: string, whole: string) => string> = {
    written: (value) => value,
    mail: (value) => `<mailto:${value}|${value}>`,
    url: (value) => `<${escapeEntities(value)}>`,
    domain: (value) => `<http://${value}|${value}>`,
    mention(value, whole) {
      const broadcast = broadcasts.find((name) => same(name, value));
      if (broadcast !== undefined) return `<!${broadcast}>`;
      const person =
        people.find(({ name }) => same(name, value)) ?? people.find(({ realName }) => same(realName, value));
      if (person !== undefined) return `<@${person.id}${label(person.name)}>`;
      const group = groups.find(({ handle }) => same(handle, value));
      return group === undefined || isGroupAsTyped ? escaped(whole) : `<!subteam^${group.id}|@${group.handle}>`;
    },
    channel(value, whole) {
      const channel = findChannel(workspace.state, value);
      return channel === undefined
        ? escaped(whole)
        : `<#${channel.id}|${channel.kind === 'public' ? channel.name : ''}>`;
    },
  };
  let out = '';
  let from = 0;
  // The longest first, since a name may begin with another.
  const names = people.map(({ realName }) => realName).sort((a, b) => b.length - a.length);
  for (const match of text.matchAll(recognized(names))) {
    const [kind, value] = Object.entries(match.groups ?? {}).find(([, part]) => part !== undefined) ?? [];
    out += escaped(text.slice(from, match.index));
    out +=
      kind === undefined || value === undefined ? escaped(match[0]) : (replacements[kind]?.(value, match[0]) ?? '');
    from = match.index + match[0].length;
  }
  return out + escaped(text.slice(from));
}

export function slashCommand(workspace: Workspace, person: SimPerson, channel: SimChannel, typed: string): Payload {
  const [command = '', ...rest] = typed.trimStart().split(/(?<=^\S+)\s+/);
  const { team, app, secrets } = workspace.state;
  return {
    id: nextId(workspace.state, 'Pc'),
    kind: 'slash_commands',
    name: command,
    channel: channel.id,
    userId: person.id,
    body: {
      token: secrets.verificationToken,
      team_id: team.id,
      team_domain: team.domain,
      channel_id: channel.id,
      channel_name: payloadChannelName(channel),
      user_id: person.id,
      user_name: person.name,
      command,
      text: escapeTyped(workspace, rest.join(' ').trimEnd(), { isCommand: true }),
      api_app_id: app.id,
      is_enterprise_install: 'false',
      response_url: issueResponseUrl(workspace, person, channel),
      trigger_id: issueTrigger(workspace, person),
    },
  };
}
