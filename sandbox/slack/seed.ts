import type { SimChannel, SimPerson, SlackState, UserGroup } from './state.ts';
import { secret } from './workspace.ts';

const teamId = 'T0HOSTLER1';
const botUserId = 'U0HOSTLER1';
/** The ids of people and channels that the simulation and the sandbox refer to. */
export const seedIds = {
  admin: 'U0ADMIN001',
  operator: 'U0OPERAT01',
  partnerTeam: 'T0PARTNER1',
  opsGroup: 'S0OPS00001',
  opsChannel: 'C0OPS00001',
  privateChannel: 'C0PRIVATE1',
} as const;

/** The command of the app's manifest. */
export const appCommand = '/host';

/** The scopes that a bot like Hostler needs. Without `chat:write.public`, so that membership matters. */
const defaultScopes = [
  'app_mentions:read',
  'channels:read',
  'chat:write',
  'commands',
  'files:read',
  'files:write',
  'groups:read',
  'im:history',
  'im:write',
  'usergroups:read',
  'users:read',
];

const defaultEvents = [
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'channel_archive',
  'channel_id_changed',
  'channel_left',
  'channel_rename',
  'channel_shared',
  'channel_unarchive',
  'channel_unshared',
  'group_archive',
  'group_left',
  'group_rename',
  'group_unarchive',
  'member_joined_channel',
  'member_left_channel',
  'message.im',
  'subteam_created',
  'subteam_members_changed',
  'subteam_updated',
  'tokens_revoked',
  'user_change',
];

type Undated<T> = Omit<T, 'createdS' | 'updatedS'>;

export function seedPerson(
  id: string,
  name: string,
  realName: string,
  tz: string,
  more: Partial<SimPerson> = {},
): SimPerson {
  return {
    id,
    name,
    realName,
    tz,
    teamId,
    isAdmin: false,
    isRestricted: false,
    isUltraRestricted: false,
    isBot: false,
    isDeactivated: false,
    ...more,
  };
}

export const seedPeople = (): SimPerson[] => [
  seedPerson(seedIds.admin, 'admin', 'Ada Admin', 'Europe/Berlin', { isAdmin: true }),
  seedPerson('U0OPERAT01', 'operator', 'Omar Operator', 'Europe/London'),
  seedPerson('U0LEAD0001', 'lead', 'Lena Lead', 'America/New_York'),
  seedPerson('U0READER01', 'reader', 'Ravi Reader', 'Asia/Kolkata'),
  seedPerson('U0GUEST001', 'guest', 'Gus Guest', 'Europe/Paris', { isRestricted: true }),
  seedPerson('U0STRANGE1', 'partner', 'Petra Partner', 'Asia/Tokyo', { teamId: seedIds.partnerTeam }),
  seedPerson('U0GONE0001', 'gone', 'Gina Gone', 'Europe/Berlin', { isDeactivated: true }),
  seedPerson(botUserId, 'hostler', 'Hostler', 'UTC', { isBot: true }),
];

export const seedGroup = (
  id: string,
  handle: string,
  name: string,
  members: readonly string[],
): Undated<UserGroup> => ({
  id,
  handle,
  name,
  members: [...members],
  isDisabled: false,
});

const seedGroups = () => [
  seedGroup(seedIds.opsGroup, 'ops', 'Operations', madeUpStaff.operators),
  seedGroup('S0DEV00001', 'dev', 'Developers', ['U0READER01', 'U0LEAD0001']),
];

const staff = [seedIds.admin, 'U0OPERAT01', 'U0LEAD0001', 'U0READER01'];
export const madeUpStaff = { operators: ['U0OPERAT01', 'U0LEAD0001'], everyone: [...staff, botUserId] } as const;

export const seedChannel = (
  id: string,
  name: string,
  members: readonly string[],
  more: Partial<SimChannel> = {},
): Undated<SimChannel> => ({
  id,
  name,
  kind: 'public',
  members: [...members],
  isArchived: false,
  isExtShared: false,
  connectedTeams: [],
  creator: seedIds.admin,
  ...more,
});

const seedChannels = () => [
  seedChannel('C0GENERAL1', 'general', [...staff, 'U0GUEST001', botUserId]),
  seedChannel(seedIds.opsChannel, 'ops', [...staff, 'U0GUEST001', botUserId]),
  seedChannel('C0DEV00001', 'dev', [...staff, botUserId]),
  seedChannel(seedIds.privateChannel, 'ops-private', [seedIds.admin, 'U0OPERAT01', 'U0LEAD0001', botUserId], {
    kind: 'private',
  }),
  seedChannel('C0SHARED01', 'partner-shared', [...staff, 'U0STRANGE1', botUserId], {
    isExtShared: true,
    connectedTeams: [seedIds.partnerTeam],
  }),
  seedChannel('C0OLDOPS01', 'old-ops', [...staff, botUserId], { isArchived: true }),
  seedChannel('C0RANDOM01', 'random', staff),
];

export interface SlackSeed {
  people?: SimPerson[];
  groups?: readonly Undated<UserGroup>[];
  channels?: readonly Undated<SimChannel>[];
  scopes?: string[];
  events?: string[];
}

export function createState(seed: SlackSeed, createdS: number): SlackState {
  return {
    version: 1,
    team: { id: teamId, name: 'Hostler Sandbox', domain: 'hostler-sandbox' },
    app: { id: 'A0HOSTLER1', name: 'Hostler', botUserId, botId: 'B0HOSTLER1' },
    scopes: seed.scopes ?? [...defaultScopes],
    events: seed.events ?? [...defaultEvents],
    secrets: {
      botToken: `xoxb-sandbox-${secret()}`,
      appToken: `xapp-1-A0HOSTLER1-${secret()}`,
      signingSecret: secret(16),
      verificationToken: secret(),
    },
    isTokenRevoked: false,
    people: seed.people ?? seedPeople(),
    groups: (seed.groups ?? seedGroups()).map((group) => ({ ...group, updatedS: createdS })),
    channels: (seed.channels ?? seedChannels()).map((channel) => ({ ...channel, createdS })),
    messages: [],
    ephemerals: [],
    files: [],
    modals: {},
    homes: {},
    triggers: {},
    responseUrls: {},
    counter: 0,
    lastTsMicros: 0,
  };
}
