import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { check, sayFinding } from '../../../src/cli/check/check.ts';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { keysFor } from '../../../src/core/text/keys.ts';
import { createPolicies } from '../../../src/engine/access/policies.ts';
import { openStore } from '../../../src/store/database.ts';
import { freshDatabase } from '../../support/database/databases.ts';
import { listeningPort } from '../../support/process/listening-port.ts';
import { newFolder } from '../../support/process/new-folder.ts';
import { openSimulators, secretKey } from '../../support/process/simulators.ts';

const usual = policySchema.parse({
  grants: [
    { to: ['everyone'], can: ['read'] },
    { to: ['group:S0OPS00001', 'user:U0GUEST001'], can: ['operate'] },
  ],
});
const channelAnswers = { channel: async () => Promise.reject(new Error('not asked here')) };

/** A workspace and a provider account that somebody has connected a bot to, with a policy in #ops. */
async function connected({ policies = { C0OPS00001: usual } }: { policies?: Record<string, Policy> } = {}) {
  const dir = await newFolder('check');
  const { slack, provider, settings } = await openSimulators();
  const env = {
    ...settings,
    HOSTLER_ADMINS: 'U0ADMIN001,U0LEAD0001',
    HOSTLER_AUDIT_CHANNEL: 'C0PRIVATE1',
    DATABASE_URL: join(dir, 'hostler.db'),
  };
  const auditKeys = keysFor([Buffer.from(secretKey, 'base64')], 'audit head');
  const store = await openStore(env.DATABASE_URL, { auditKeys });
  for (const [channel, policy] of Object.entries(policies))
    await createPolicies(store, channelAnswers).save(channel, policy, 0);
  await store.audit.append({ kind: 'asked', text: 'connected' });
  await store.close();
  const clock = { offMs: 0 };
  return {
    slack,
    provider,
    dir,
    clock,
    look: (change: Record<string, string | undefined> = {}) =>
      looking({ ...env, ...change }, clock.offMs).then((lines) =>
        lines.map((line) =>
          line.replaceAll(dir, '‹dir›').replaceAll(provider.url, '‹provider›').replace(`:${provider.port}`, ':‹port›'),
        ),
      ),
  };
}

type Place = Awaited<ReturnType<typeof connected>>;

async function looking(env: Record<string, string | undefined>, offMs = 0): Promise<string[]> {
  const found = await Array.fromAsync(check(env, { now: () => Date.now() + offMs }));
  return found.map(sayFinding).map(stripVTControlCharacters);
}

const reds = (lines: readonly string[]) => lines.filter((line) => line.startsWith('✕'));

test('hostler check of a connected workspace is green in every line', async () => {
  const { look, slack } = await connected();
  slack.sim.setScopes([...slack.sim.state().scopes, 'im:read', 'team:read']);
  expect(await look()).toMatchInlineSnapshot(`
    [
      "✓ settings         all required settings, for Socket Mode, with 2 admins",
      "✓ database         SQLite ‹dir›/hostler.db answers, its schema is up to date",
      "✓ audit            every link holds in 1 row",
      "✓ Slack bot token  accepted by Hostler Sandbox, as U0HOSTLER1",
      "✓ Slack scopes     all 10 required scopes; im:read, team:read could be removed",
      "✓ Slack connection the app-level token opens sockets",
      "✓ clock            within 30 s of Slack",
      "✓ provider key     accepted by ‹provider›, for the account of Example Ltd",
      "✓ provider account creating servers is enabled; whether domains can be added cannot be read",
      "✓ admins           admin (U0ADMIN001), lead (U0LEAD0001)",
      "✓ audit channel    C0PRIVATE1, and the bot is in it",
      "✓ policies         1 channel; all people and groups in them exist",
    ]
  `);
});

const notes: Readonly<Record<string, readonly [(place: Place) => Promise<readonly string[]>, RegExp]>> = {
  'over HTTP, what only a request of Slack can show': [
    ({ look, slack }) => look({ SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: slack.signingSecret }),
    /^· Slack connection HTTP mode: the signing secret is checked with Slack's first request to \/slack\/events$/,
  ],
  'that support has not enabled creating servers': [
    ({ look, provider }) => {
      provider.sim.features({ createVps: false });
      return look();
    },
    /^· provider account support has not enabled .*403 for templates, apps, snapshots, services/,
  ],
  'that the connection to PostgreSQL is not encrypted': [
    async ({ look }) => {
      const database = await freshDatabase('postgres');
      onTestFinished(database.drop);
      return look({ DATABASE_URL: database.url });
    },
    /^· database +the connection to PostgreSQL is not encrypted, .*sslmode=verify-full$/,
  ],
  'that no channel has a policy': [
    async () => (await connected({ policies: {} })).look(),
    /^· policies +no channel has one, so no one has any rights yet/,
  ],
};

test.each(Object.entries(notes))('hostler check reports, not in red, %s', async (_, [looked, note]) => {
  const lines = await looked(await connected());
  expect(reds(lines)).toEqual([]);
  expect(lines).toContainEqual(expect.stringMatching(note));
});

test('hostler check changes nothing, neither in Slack nor at the provider', async () => {
  const { look, slack, provider } = await connected();
  await look();
  expect(provider.sim.requests().filter((request) => request.method !== 'GET')).toEqual([]);
  const asked = new Set(slack.sim.requests().map((request) => request.method));
  expect([...asked].filter((method) => !/\.(test|info|list|open)$/.test(method))).toEqual([]);
});

describe('hostler check shows a fault in red, alone, with its remedy', () => {
  const edit = (sql: string, { dir }: Place) => {
    const database = new DatabaseSync(join(dir, 'hostler.db'));
    database.exec(sql);
    database.close();
  };
  const without = (name: string, { slack }: Place) =>
    slack.sim.setScopes(slack.sim.state().scopes.filter((scope) => scope !== name));
  const broken: Readonly<Record<string, (place: Place) => unknown>> = {
    'the bot token': ({ slack }) => slack.sim.revokeToken(),
    'a scope': (place) => without('files:write', place),
    'the scope that groups are looked up with': (place) => without('usergroups:read', place),
    'Socket Mode off': ({ slack }) => slack.sim.setSocketMode(false),
    'the clock': ({ clock }) => Object.assign(clock, { offMs: -95_000 }),
    'the provider away': ({ provider }) => provider.close(),
    'the audit chain': (place) => edit(`update audit set actor = 'U0SOMEBODY' where seq = 1`, place),
  };
  const wrong: Readonly<Record<string, (place: Place) => Readonly<Record<string, string>>>> = {
    'the app-level token': () => ({ SLACK_APP_TOKEN: 'xapp-1-A0HOSTLER1-wrong' }),
    'the provider key': () => ({ HOST_API_KEY: 'abcdefgh.not-the-key-of-this-account' }),
    'the provider address': ({ provider }) => ({ HOST_API_URL: `${provider.url}/v9` }),
    'an admin': () => ({ HOSTLER_ADMINS: 'U0ADMIN001,U0NOBODY01,U0GONE0001,U0GUEST001' }),
    'the audit channel': () => ({ HOSTLER_AUDIT_CHANNEL: 'C0RANDOM01' }),
    'the database': ({ dir }) => ({ DATABASE_URL: dir }),
  };

  test('a Slack that does not answer, without a word about the token', async () => {
    const { look, slack } = await connected();
    await slack.close();
    const lines = await look();
    expect(lines.filter((line) => /^. (Slack|admins|audit channel|policies)/.test(line)).join('\n')).toMatch(
      /^✕ Slack bot token {2}asking Slack who the bot is: Slack did not answer: .+ → check that this machine reaches Slack; status\.slack\.com shows whether Slack is down\n· Slack scopes {5}not checked, since Slack does not answer\n/,
    );
    expect(lines.join('\n')).not.toMatch(/SLACK_BOT_TOKEN|the bot token does not work/);
  });

  test('an audit whose end was cut off, as hostler audit verify finds it', async () => {
    const place = await connected();
    edit('update audit_head set signature = null', place);
    expect(reds(await place.look())).toEqual([
      expect.stringMatching(
        /^✕ audit +the end is not signed with our key.* → is HOSTLER_SECRET_KEY the one that the bot had\?/,
      ),
    ]);
  });

  test.each([...Object.keys(broken), ...Object.keys(wrong)])('%s', async (name) => {
    const place = await connected();
    await broken[name]?.(place);
    const lines = await place.look(wrong[name]?.(place));
    // A Date header has whole seconds, so the offset of a clock is one of two numbers.
    expect(
      reds(lines)
        .join('\n')
        .replace(/9[3-6] s/, '‹95› s'),
    ).toMatchSnapshot();
  });

  test('policies that name channels, groups or people that do not exist are red', async () => {
    const names = (subjects: string[]) => policySchema.parse({ grants: [{ to: subjects, can: ['operate'] }] });
    const { look, slack } = await connected({
      policies: {
        C0OPS00001: { ...names(['group:S0NOBODY01', 'group:S0DEV00001']), breakGlass: ['user:U0GONE0001'] },
        C0RANDOM01: usual,
        C0OLDOPS01: usual,
        C0NOWHERE1: usual,
      },
    });
    await slack.sim.setGroupDisabled('dev', true);
    expect(reds(await look())).toMatchInlineSnapshot(`
      [
        "✕ policies         looking up channel C0NOWHERE1 in Slack: Slack refused: channel_not_found → the bot sees a private channel only after /invite @Hostler",
        "✕ policies         C0OLDOPS01 is archived → its rights have no effect until it is unarchived",
        "✕ policies         C0OPS00001 names groups that Slack does not have, or that are disabled: S0NOBODY01, S0DEV00001 → remove them with /host access there",
        "✕ policies         C0OPS00001 names people who are not members: U0GONE0001 → see /host access there",
        "✕ policies         the bot is not in C0RANDOM01 → type /invite @Hostler there",
      ]
    `);
  });
});

/** The simulated Slack as other programs imitate it: the answer to auth.test lacks a field, or a header. */
async function imitation(apiUrl: string, without: { readonly field?: string; readonly scopes?: true }) {
  const server = createServer(async (request, response) => {
    const answer = await fetch(new URL(`${request.url?.replace('/api/', '')}`, apiUrl), {
      method: request.method ?? 'GET',
      headers: {
        'content-type': `${request.headers['content-type']}`,
        authorization: `${request.headers.authorization}`,
      },
      ...(request.method === 'POST' ? { body: await text(request) } : {}),
    });
    const body: unknown = await answer.json();
    const scopes = answer.headers.get('x-oauth-scopes');
    if (scopes !== null && without.scopes === undefined) response.setHeader('x-oauth-scopes', scopes);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body, (name, value) => (name === without.field ? undefined : value)));
  });
  return `http://127.0.0.1:${await listeningPort(server)}/api/`;
}

test('hostler check says that Slack did not name the scopes, and calls none of them missing', async () => {
  const { look, slack } = await connected();
  const lines = await look({ SLACK_API_URL: await imitation(slack.apiUrl, { scopes: true }) });
  expect(lines.filter((line) => line.includes('Slack scopes'))).toEqual([
    '· Slack scopes     not checked, since Slack did not return the scopes of the app: compare OAuth & Permissions with manifest.yml',
  ]);
});

test.each([
  [
    'bot_id',
    "✕ Slack bot token  asking Slack who the bot is: the token is one of a person, since Slack names no bot for it → compare SLACK_BOT_TOKEN with OAuth & Permissions in Slack's app settings",
  ],
  [
    'user_id',
    '✕ Slack bot token  asking Slack who the bot is: Slack answered something else: user_id (Invalid input: expected string, received undefined) → check that this machine reaches Slack; status.slack.com shows whether Slack is down',
  ],
])('hostler check says in a sentence that an answer of Slack lacks %s', async (field, sentence) => {
  const { look, slack } = await connected();
  const lines = await look({ SLACK_API_URL: await imitation(slack.apiUrl, { field }) });
  expect(lines).toContain(sentence);
});

test('hostler check reports all wrong settings at once, and then checks nothing else', async () => {
  const lines = await looking({ SLACK_BOT_TOKEN: 'xoxb-1', HOSTLER_ADMINS: 'ada' });
  const missing = lines.map((line) => /^✕ settings +(\S+)/.exec(line)?.[1]);
  expect(missing).toEqual(['HOST_API_URL', 'HOST_API_KEY', 'HOSTLER_ADMINS', 'HOSTLER_SECRET_KEY', 'SLACK_APP_TOKEN']);
  expect(await looking({})).toEqual([
    '✕ settings         none is set, so hostler start would open the sandbox → set the settings that hostler --help marks as required',
  ]);
});

test('hostler check names a misspelled setting, with the setting that was meant', async () => {
  const { look } = await connected();
  const lines = await look({ HOSTLER_PAUSE: '1', SLACK_BOT_TOKN_FILE: 'canary', HOSTLER_SEED: '7', HOSTLER_ODD: '' });
  expect(reds(lines)).toEqual([]);
  expect(lines.filter((line) => line.includes('no setting of Hostler'))).toEqual([
    '· settings         HOSTLER_PAUSE is no setting of Hostler and has no effect; did you mean HOSTLER_PAUSED?',
    '· settings         HOSTLER_SEED is no setting of Hostler and has no effect',
    '· settings         SLACK_BOT_TOKN_FILE is no setting of Hostler and has no effect; did you mean SLACK_BOT_TOKEN_FILE?',
  ]);
});

test('no line of hostler check shows a secret', async () => {
  const { look, slack, provider } = await connected();
  const key = 'canarykey.0123456789abcdef0123456789abcdef';
  const lines = [...(await look()), ...(await look({ HOST_API_KEY: key, SLACK_BOT_TOKEN: 'xoxb-canary-token' }))];
  for (const secret of [slack.botToken, slack.appToken, provider.key, key, 'canary'])
    expect(lines.join('\n')).not.toContain(secret);
});
