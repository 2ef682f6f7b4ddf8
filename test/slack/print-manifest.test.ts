import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { createState } from '../../sandbox/slack/seed.ts';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { parse } from '../../src/core/grammar/parse.ts';
import { events } from '../../src/slack/inbound/event.ts';
import { printManifest } from '../../src/slack/print-manifest.ts';
import { methods, neededScopes, optionalScopes } from '../../src/slack/web.ts';

const address = z
  .string()
  .regex(/^https:\/\//)
  .optional();
const words = (most: number) => z.string().min(1).max(most);

/** Slack's manifest schema 2.0.0, as far as we use it. */
const manifestSchema = z.strictObject({
  display_information: z.strictObject({
    name: words(35),
    description: words(140),
    background_color: z.string().regex(/^#[0-9a-f]{6}$/),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.literal(true),
      messages_tab_enabled: z.literal(true),
      messages_tab_read_only_enabled: z.literal(false),
    }),
    bot_user: z.strictObject({ display_name: words(80), always_online: z.boolean() }),
    shortcuts: z
      .array(
        z.strictObject({
          name: words(24),
          type: z.enum(['message', 'global']),
          callback_id: words(255),
          description: words(150),
        }),
      )
      .max(10),
    slash_commands: z.array(
      z.strictObject({
        command: z.literal('/host'),
        url: address,
        description: words(2_000),
        usage_hint: words(1_000),
        should_escape: z.literal(true),
      }),
    ),
  }),
  oauth_config: z.strictObject({
    scopes: z.strictObject({ bot: z.array(words(50)), bot_optional: z.array(words(50)) }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ request_url: address, bot_events: z.array(words(50)).max(100) }),
    interactivity: z.strictObject({
      is_enabled: z.literal(true),
      request_url: address,
      message_menu_options_url: address,
    }),
    org_deploy_enabled: z.literal(false),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.literal(false),
  }),
});

/** The events for which Slack requires each scope; one that is in two lists is for public and for private channels. */
const inBoth = [
  'channel_id_changed',
  'channel_shared',
  'channel_unshared',
  'member_joined_channel',
  'member_left_channel',
];
const scopeEvents: Readonly<Record<string, readonly string[]>> = {
  'app_mentions:read': ['app_mention'],
  'channels:read': ['channel_archive', 'channel_left', 'channel_rename', 'channel_unarchive', ...inBoth],
  'groups:read': ['group_archive', 'group_left', 'group_rename', 'group_unarchive', ...inBoth],
  'im:history': ['message.im'],
  'usergroups:read': ['subteam_created', 'subteam_members_changed', 'subteam_updated'],
  'users:read': ['user_change'],
};
const withoutScope = ['app_home_opened', 'app_uninstalled', 'tokens_revoked'];

const read = (text: string) => manifestSchema.parse(parseYaml(text));
const manifest = read(printManifest({}));
const sources = globSync('src/slack/**/*.ts').map((path) => readFileSync(path, 'utf8'));

describe('the manifest asks for what the code uses, and for nothing more', () => {
  it('the scopes are those of the methods called, the events heard and the command', () => {
    const events = manifest.settings.event_subscriptions.bot_events;
    expect(events.filter((event) => ![...Object.values(scopeEvents), withoutScope].flat().includes(event))).toEqual([]);
    const ofEvents = Object.keys(scopeEvents).filter((scope) =>
      scopeEvents[scope]?.some((name) => events.includes(name)),
    );
    const needed = new Set(['commands', ...Object.values(methods).flat(), ...ofEvents]);
    expect([...manifest.oauth_config.scopes.bot].sort()).toEqual([...needed].sort());
    expect([...neededScopes, ...optionalScopes].sort()).toEqual([...needed].sort());
    expect(manifest.oauth_config.scopes.bot_optional).toEqual(optionalScopes);
  });

  it('every method of the table is called, and no method outside it', () => {
    const code = sources.filter((text) => !text.includes('export const methods'));
    expect(Object.keys(methods).filter((method) => !code.some((text) => text.includes(`'${method}'`)))).toEqual([]);
    // One way: everything else goes through web.call with a method of the table, and Bolt's clients only open sockets.
    const calls = sources.flatMap((text) => text.match(/\bclient\.\w+/g) ?? []);
    expect(new Set(calls)).toEqual(new Set(['client.start', 'client.disconnect', 'client.once', 'client.off']));
    expect(sources.filter((text) => text.includes('WebClient('))).toHaveLength(0);
    expect(sources.filter((text) => text.includes('createCall('))).toHaveLength(2);
  });

  it('the events are those with a listener', () => {
    const heard = Object.keys(events).map((name) => (name === 'message' ? 'message.im' : name));
    expect([...manifest.settings.event_subscriptions.bot_events].sort()).toEqual(heard.sort());
  });

  it('the simulated Slack has the scopes and events of the manifest, and no others', () => {
    const simulated = createState({}, 0);
    expect([...simulated.scopes].sort()).toEqual([...manifest.oauth_config.scopes.bot].sort());
    expect([...simulated.events].sort()).toEqual([...manifest.settings.event_subscriptions.bot_events].sort());
  });

  it('the usage hint of the command shows lines that can be parsed', async () => {
    expect(manifest.features.slash_commands.map(({ command }) => command)).toEqual(['/host']);
    const hint = manifest.features.slash_commands[0]?.usage_hint ?? '';
    const commands = await loadCommands();
    for (const line of hint.split(' | ')) expect(parse(line, commands).kind, line).toBe('command');
  });

  it('the shortcuts are those that the code handles', () => {
    const given = manifest.features.shortcuts.map((shortcut) => [shortcut.type, shortcut.callback_id]);
    expect(Object.fromEntries(given)).toEqual({ global: 'hostler_ask', message: 'hostler_about' });
  });
});

describe('printing the manifest', () => {
  it('the manifest can be printed with another app name', () => {
    const named = read(printManifest({ name: 'Hostler: staging' }));
    expect(named.display_information.name).toBe('Hostler: staging');
    expect(named.features.bot_user.display_name).toBe('Hostler: staging');
    expect(() => printManifest({ name: 'x'.repeat(36) })).toThrow('1 to 35 characters');
  });

  it('the manifest for HTTP has all addresses that Slack calls', () => {
    const http = read(printManifest({ requestUrl: 'https://hostler.example.com' }));
    const url = 'https://hostler.example.com/slack/events';
    expect(http.features.slash_commands[0]?.url).toBe(url);
    expect(http.settings.event_subscriptions.request_url).toBe(url);
    expect(http.settings.interactivity).toMatchObject({ request_url: url, message_menu_options_url: url });
    expect(http.settings.socket_mode_enabled).toBe(false);
    expect(() => printManifest({ requestUrl: 'http://hostler.example.com' })).toThrow('https');
  });
});
