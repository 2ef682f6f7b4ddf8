import { request } from 'undici';
import { namedIn, type Policy } from '../../core/policy/policy.ts';
import { count } from '../../core/text/words.ts';
import { ProviderError } from '../../core/view/errors.ts';
import { createPolicies } from '../../engine/access/policies.ts';
import { createCall, slackApi, timeLimits } from '../../slack/call.ts';
import { faultOf, remedyOf, sayFault } from '../../slack/faults.ts';
import type { SlackSide } from '../../slack/open-slack.ts';
import { neededScopes, optionalScopes } from '../../slack/web.ts';
import { parseDatabaseUrl } from '../../store/address.ts';
import { reasonOf } from '../cli.ts';
import { bad, type FoundByCheck, good, note, notLookedAt, type RunCheck } from './check-result.ts';

/** The checks of `hostler check`, one row each. Checks only read; they never write to Slack or to the provider. */

/** Slack refuses signatures that are five minutes off. A clock that is half a minute off is not synchronized. */
const mostSkewMs = 30_000;

function withoutSlack({ cause }: Error): FoundByCheck[] {
  const { kind } = faultOf(cause);
  return notLookedAt(kind === 'away' || kind === 'limited' ? 'Slack does not answer' : 'the bot token does not work');
}

const encryption = {
  disable:
    'the connection to PostgreSQL is not encrypted, which is right within this machine or its own network of containers; anywhere else end DATABASE_URL with ?sslmode=verify-full',
  require:
    'the connection to PostgreSQL is encrypted, and nobody looks at whose certificate it is: sslmode=verify-full does',
} as const;

const featureReads = ['templates', 'apps', 'snapshots', 'services'] as const;

/** Checks in order: a check comes after those that it depends on. */
export const checks = {
  database: async ({ store, config }) => {
    if (store instanceof Error) return bad(store.message);
    try {
      await store.ping();
    } catch (error) {
      return bad(reasonOf(error));
    }
    const findings = good(`${store.label} answers, its schema is up to date`);
    const address = parseDatabaseUrl(config.databaseUrl);
    if (address.engine === 'sqlite') return findings;
    if (address.sslMode === 'verify-full')
      return [...findings, ...good('the connection is encrypted, and the certificate is the right one')];
    return [...findings, ...note(encryption[address.sslMode])];
  },

  audit: async ({ store }) => {
    if (store instanceof Error) return notLookedAt('the database cannot be opened');
    const verdict = await store.audit.verify();
    if (verdict.ok) return good(`every link holds in ${count(verdict.count, 'row')}`);
    return bad(
      verdict.why,
      verdict.isOfSignature
        ? 'is HOSTLER_SECRET_KEY the one that the bot had? If it is, somebody changed the database, or wrote to it without the key; compare it with a backup, and see hostler rotate --help'
        : 'somebody changed the database; compare it with a backup',
    );
  },

  'Slack bot token': async ({ slack }) => {
    if (slack instanceof Error) {
      const fault = faultOf(slack.cause);
      return bad(`asking Slack who the bot is: ${sayFault(fault)}`, remedyOf(fault));
    }
    return good(`accepted by ${slack.identity.teamName || slack.identity.teamId}, as ${slack.identity.botUserId}`);
  },

  'Slack scopes': async ({ slack }) => {
    if (slack instanceof Error) return withoutSlack(slack);
    const { scopes: granted } = slack;
    if (granted === undefined)
      return notLookedAt('Slack did not return the scopes of the app: compare OAuth & Permissions with manifest.yml');
    const missing = neededScopes.filter((scope) => !granted.includes(scope));
    if (missing.length > 0) {
      return bad(
        `not granted: ${missing.join(', ')}`,
        "put manifest.yml into App Manifest in Slack's app settings, then Reinstall to Workspace",
      );
    }
    const unused = granted.filter((scope) => !neededScopes.includes(scope) && !optionalScopes.includes(scope));
    const declined = optionalScopes.filter((scope) => !granted.includes(scope));
    const more = [
      ...(declined.length === 0 ? [] : [`; without ${declined.join(', ')}, which is optional`]),
      ...(unused.length === 0 ? [] : [`; ${unused.join(', ')} could be removed`]),
    ].join('');
    return good(`all ${neededScopes.length} required scopes${more}`);
  },

  'Slack connection': async ({ config }) => {
    const { appToken, apiUrl } = config.slack;
    if (appToken === undefined)
      return note("HTTP mode: the signing secret is checked with Slack's first request to /slack/events");
    try {
      // Returns the address of a socket, which expires unused.
      await createCall(appToken, apiUrl)('apps.connections.open', {});
      return good('the app-level token opens sockets');
    } catch (error) {
      const fault = faultOf(error);
      if (!('code' in fault)) return bad(`asking Slack for a socket: ${sayFault(fault)}`, remedyOf(fault));
      return bad(
        `Slack refuses the app-level token: ${fault.code}`,
        'make an app-level token with connections:write under Basic Information, and switch Socket Mode on; it is SLACK_APP_TOKEN',
      );
    }
  },

  clock: async ({ config, now }) => {
    const places = { Slack: `${config.slack.apiUrl ?? slackApi}api.test`, 'the provider': config.provider.url };
    for (const [name, url] of Object.entries(places)) {
      const dateMs = await dateOf(url).catch(() => Number.NaN);
      if (Number.isNaN(dateMs)) continue;
      const offMs = now() - dateMs;
      const offS = Math.round(Math.abs(offMs) / 1_000);
      if (Math.abs(offMs) <= mostSkewMs) return good(`within ${mostSkewMs / 1_000} s of ${name}`);
      return bad(
        `${offS} s ${offMs > 0 ? 'ahead of' : 'behind'} ${name}`,
        'let this machine set its clock (chrony or systemd-timesyncd); signatures and expiries go by it',
      );
    }
    return note('clock not checked: no server reported its time');
  },

  'provider key': async ({ reader, config }) => {
    try {
      const { name } = await reader.account.info();
      return good(`accepted by ${config.provider.url}, for the account of ${name || 'a customer without a name'}`);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const remedies: Partial<Record<ProviderError['kind'], string>> = {
        auth: "compare HOST_API_KEY with the key in the provider's panel; make a new one if it is gone",
        forbidden: 'ask the provider which rights the key in HOST_API_KEY has',
        not_found: 'HOST_API_URL may lack a part, such as /api at its end',
        shape: "HOST_API_URL does not lead to the provider's API",
      };
      return bad(sayError(error), remedies[error.kind] ?? 'check HOST_API_URL, and that this machine reaches it');
    }
  },

  'provider account': async ({ reader }) => {
    const account = await reader.account.info().catch(() => undefined);
    if (account === undefined) return notLookedAt('the provider refuses the key');
    const closed: string[] = [];
    for (const name of featureReads) {
      try {
        await reader.vpsOrders[name]();
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        if (error.kind !== 'forbidden') return bad(sayError(error), 'try again when the provider answers');
        closed.push(name);
      }
    }
    // The provider has no read that shows whether domains can be added.
    if (closed.length === 0) return good('creating servers is enabled; whether domains can be added cannot be read');
    return note(
      `support has not enabled creating servers for this account (403 for ${closed.join(', ')}): the create command reports it, everything else works`,
    );
  },

  admins: async ({ slack, config }) => {
    if (slack instanceof Error) return withoutSlack(slack);
    const people = await Promise.all(config.admins.map((id) => slack.directory.person(id)));
    const wrong = people.filter((person) => person.membership !== 'member');
    if (wrong.length > 0) {
      const each = wrong.map(
        ({ id, membership }) =>
          `${id} ${membership === 'unknown' ? 'is unknown to Slack' : `is ${membership === 'deactivated' ? '' : 'a '}${membership}`}`,
      );
      return bad(each.join(', '), 'HOSTLER_ADMINS takes the ids of members (profile, ⋮, Copy member ID)');
    }
    return good(people.map((person) => `${person.name} (${person.id})`).join(', '));
  },

  'audit channel': async ({ slack, config }) => {
    if (config.auditChannel === undefined) return [];
    if (slack instanceof Error) return withoutSlack(slack);
    const trouble = await channelTrouble(slack, config.auditChannel);
    return trouble === undefined ? good(`${config.auditChannel}, and the bot is in it`) : [trouble];
  },

  policies: async ({ slack, store }) => {
    if (store instanceof Error) return notLookedAt('the database cannot be opened');
    if (slack instanceof Error) return withoutSlack(slack);
    const all = await createPolicies(store, slack.directory).all();
    if (all.size === 0)
      return note('no channel has one, so no one has any rights yet: type /host access in a channel, or apply a file');
    const groups = new Set((await slack.directory.groups()).map((group) => group.value));
    const findings: FoundByCheck[] = [];
    const blame = (text: string, remedy: string) => findings.push(...bad(text, remedy));
    for (const [channel, policy] of all) {
      const trouble = await channelTrouble(slack, channel);
      if (trouble !== undefined) findings.push(trouble);
      const unknown = namedIn(policy, 'group').filter((group) => !groups.has(group));
      if (unknown.length > 0)
        blame(
          `${channel} names groups that Slack does not have, or that are disabled: ${unknown.join(', ')}`,
          'remove them with /host access there',
        );
      const gone = await goneFrom(slack, policy);
      if (gone.length > 0)
        blame(`${channel} names people who are not members: ${gone.join(', ')}`, 'see /host access there');
    }
    return findings.length > 0 ? findings : good(`${count(all.size, 'channel')}; all people and groups in them exist`);
  },
} satisfies Record<string, RunCheck>;

/** Runs a check. An error in it becomes its result; the other checks continue. */
export async function resultsOf(about: string, run: RunCheck, scene: Parameters<RunCheck>[0]) {
  const findings = await run(scene).catch((error) => bad(reasonOf(error)));
  return findings.map((finding) => ({ about, ...finding }));
}

export async function channelTrouble(slack: SlackSide, id: string): Promise<FoundByCheck | undefined> {
  const trouble = (text: string, remedy: string) => ({ is: 'bad', text, remedy }) as const;
  try {
    const { isArchived, hasBot } = await slack.directory.channel(id, 0);
    if (isArchived) return trouble(`${id} is archived`, 'its rights have no effect until it is unarchived');
    return hasBot ? undefined : trouble(`the bot is not in ${id}`, 'type /invite @Hostler there');
  } catch (error) {
    return trouble(reasonOf(error), 'the bot sees a private channel only after /invite @Hostler');
  }
}

/** Deactivated and unknown people in a policy. Guests and strangers may be in it on purpose. */
async function goneFrom(slack: SlackSide, policy: Policy): Promise<string[]> {
  const people = await Promise.all(namedIn(policy, 'user').map((id) => slack.directory.person(id)));
  return people
    .filter(({ membership }) => membership === 'unknown' || membership === 'deactivated')
    .map(({ id }) => id);
}

async function dateOf(url: string): Promise<number> {
  const { headers, body } = await request(url, timeLimits());
  await body.dump();
  return Date.parse(String(headers.date ?? ''));
}

function sayError({ status, words, kind }: ProviderError): string {
  const reason = words === '' ? '' : `: ${words.replace(/\.$/, '')}`;
  return status === undefined
    ? `the provider did not answer${reason || ` (${kind})`}`
    : `the provider answered ${status}${reason}`;
}
