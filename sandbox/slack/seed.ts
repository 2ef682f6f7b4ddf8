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

function person(id: string, name: string, realName: string, tz: string, more: Partial<SimPerson> = {}): SimPerson {
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

const seedPeople = (): SimPerson[] => [
  person(seedIds.admin, 'admin', 'Ada Admin', 'Europe/Berlin', { isAdmin: true }),
  person('U0OPERAT01', 'operator', 'Omar Operator', 'Europe/London'),
  person('U0LEAD0001', 'lead', 'Lena Lead', 'America/New_York'),
  person('U0READER01', 'reader', 'Ravi Reader', 'Asia/Kolkata'),
  person('U0GUEST001', 'guest', 'Gus Guest', 'Europe/Paris', { isRestricted: true }),
  person('U0STRANGE1', 'partner', 'Petra Partner', 'Asia/Tokyo', { teamId: seedIds.partnerTeam }),
  person('U0GONE0001', 'gone', 'Gina Gone', 'Europe/Berlin', { isDeactivated: true }),
  person(botUserId, 'hostler', 'Hostler', 'UTC', { isBot: true }),
];

const seedGroups = (createdS: number): UserGroup[] => [
  {
    id: seedIds.opsGroup,
    handle: 'ops',
    name: 'Operations',
    members: ['U0OPERAT01', 'U0LEAD0001'],
    isDisabled: false,
    updatedS: createdS,
  },
  {
    id: 'S0DEV00001',
    handle: 'dev',
    name: 'Developers',
    members: ['U0READER01', 'U0LEAD0001'],
    isDisabled: false,
    updatedS: createdS,
  },
];

const staff = [seedIds.admin, 'U0OPERAT01', 'U0LEAD0001', 'U0READER01'];

function seedChannels(createdS: number): SimChannel[] {
  const channel = (id: string, name: string, members: string[], more: Partial<SimChannel> = {}): SimChannel => ({
    id,
    name,
    kind: 'public',
    members: [...members],
    isArchived: false,
    isExtShared: false,
    connectedTeams: [],
    creator: seedIds.admin,
    createdS,
    ...more,
  });
  return [
    channel('C0GENERAL1', 'general', [...staff, 'U0GUEST001', botUserId]),
    channel(seedIds.opsChannel, 'ops', [...staff, 'U0GUEST001', botUserId]),
    channel('C0DEV00001', 'dev', [...staff, botUserId]),
    channel(seedIds.privateChannel, 'ops-private', [seedIds.admin, 'U0OPERAT01', 'U0LEAD0001', botUserId], {
      kind: 'private',
    }),
    channel('C0SHARED01', 'partner-shared', [...staff, 'U0STRANGE1', botUserId], {
      isExtShared: true,
      connectedTeams: [seedIds.partnerTeam],
    }),
    channel('C0OLDOPS01', 'old-ops', [...staff, botUserId], { isArchived: true }),
    channel('C0RANDOM01', 'random', staff),
  ];
}

export interface SlackSeed {
  people?: SimPerson[];
  groups?: UserGroup[];
  channels?: SimChannel[];
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
    groups: seed.groups ?? seedGroups(createdS),
    channels: seed.channels ?? seedChannels(createdS),
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
