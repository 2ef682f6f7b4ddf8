import { grantable, type Policy, policySchema, type Subject } from '../../core/policy/policy.ts';
import { keysFor } from '../../core/text/keys.ts';
import { createPolicies } from '../../engine/access/policies.ts';
import type { SlackSide } from '../../slack/open-slack.ts';
import type { Store } from '../../store/database.ts';
import { sayFinding } from '../check/check.ts';
import type { CheckContext } from '../check/check-result.ts';
import { channelTrouble } from '../check/checks.ts';
import { reasonOf, whoseShell } from '../cli.ts';
import { withStore } from '../with-store.ts';
import { withScene } from './ask-settings.ts';
import type { SettingsDraft } from './draft.ts';
import { firstMessage } from './first-message.ts';
import type { Terminal } from './terminal.ts';

const about = 'first channel';

type Opened = Pick<CheckContext, 'reader'> & { readonly slack: SlackSide; readonly store: Store };

async function withAll<T>(draft: SettingsDraft, writesAudit: boolean, work: (all: Opened) => Promise<T>): Promise<T> {
  const { databaseUrl, secretKeys } = draft.config();
  return withScene(draft, async ({ slack, reader }) => {
    if (slack instanceof Error) throw slack;
    const auditKeys = keysFor(secretKeys, 'audit head');
    return withStore({ databaseUrl, auditKeys }, { writesAudit }, (store) => work({ slack, reader, store }));
  });
}

/** Stores a channel's policy and its first message, which the bot posts later. Resolves with the message's key. */
export async function openFirstChannel(draft: SettingsDraft, terminal: Terminal): Promise<string> {
  return withAll(draft, true, async ({ slack, reader, store }) => {
    const channel = await askChannel(slack, terminal);
    const preset = await askPreset(terminal);
    const workers = preset.workers === undefined ? [] : await askWorkers(preset.workers, slack, terminal);
    const isSaved = await savePolicy(store, slack, channel, preset.policy({ admins: draft.config().admins, workers }));
    const finding = isSaved ? ({ is: 'good', text: preset.title } as const) : ({ is: 'note', text: keptText } as const);
    terminal.say(sayFinding({ about: 'first policy', ...finding }));
    const account = await reader.account.info();
    const key = `setup:${channel}`;
    const view = firstMessage({ account: account.name || 'this account', means: preset.means });
    await store.messages.put({ key, channel, view: JSON.stringify(view) });
    return key;
  });
}

const keptText = 'the channel has one already, which stays as it is; /host access changes it';

async function askChannel(slack: SlackSide, terminal: Terminal): Promise<string> {
  let before = '';
  for (;;) {
    const typed = await terminal.prompt('Name of the channel (#ops), its link or its ID', before);
    const id = await channelId(slack, typed);
    before = typed;
    const trouble = typeof id === 'string' ? await channelTrouble(slack, id) : id;
    if (typeof id === 'string' && trouble === undefined) {
      const { name } = await slack.directory.channel(id);
      terminal.say(sayFinding({ is: 'good', about, text: `#${name}, and the bot is in it` }));
      return id;
    }
    if (trouble !== undefined) terminal.say(sayFinding({ is: 'bad', about, ...trouble }));
  }
}

/** The channel's ID from a link, or from its name among the bot's channels, since Slack cannot look up names. */
async function channelId(slack: SlackSide, typed: string): Promise<string | { text: string; remedy: string }> {
  const [id] = /\b[CG][A-Z0-9]{2,}\b/.exec(typed) ?? [];
  if (id !== undefined) return id;
  const remedy = 'give its name, or its link: click its name, Copy, Copy link';
  const [, name] = /^#?([\p{L}\p{M}\p{N}_-]{1,80})$/u.exec(typed.normalize('NFC').toLowerCase()) ?? [];
  if (name === undefined) return { text: 'That is no name, no link and no ID of a channel.', remedy };
  try {
    const [channel, ...others] = (await slack.directory.joinedChannels()).filter(
      (joined) => joined.name.normalize('NFC') === name,
    );
    if (others.length > 0)
      return { text: `the bot is in several channels named #${name}`, remedy: 'give the link of one' };
    return channel?.id ?? { text: `the bot is in no channel named #${name}`, remedy: 'type /invite @Hostler there' };
  } catch (error) {
    return { text: reasonOf(error), remedy };
  }
}

async function askPreset(terminal: Terminal): Promise<PolicyPreset> {
  for (const [n, { title }] of presets.entries()) terminal.say(`  ${n + 1}  ${title}`);
  for (;;) {
    const preset = presets[Number(await terminal.prompt('First policy', '1')) - 1];
    if (preset !== undefined) return preset;
    terminal.say(sayFinding({ is: 'bad', about: 'first policy', text: `Give a number from 1 to ${presets.length}.` }));
  }
}

async function askWorkers(question: string, slack: SlackSide, terminal: Terminal): Promise<Subject[]> {
  for (;;) {
    const words = (await terminal.prompt(question)).split(/[\s,]+/).filter((word) => word !== '');
    const named = await Promise.all(words.map((word) => subjectOf(word, slack)));
    const subjects = named.filter((subject) => subject !== undefined);
    if (subjects.length > 0 && subjects.length === words.length) return subjects;
    const text = `Slack knows no one group or person for ${words.filter((_, n) => named[n] === undefined).join(', ') || 'this'}.`;
    terminal.say(sayFinding({ is: 'bad', about: 'first policy', text }));
  }
}

async function subjectOf(word: string, slack: SlackSide): Promise<Subject | undefined> {
  const [match, ...others] = await slack.directory.named(word.replace(/^@/, '')).catch(() => []);
  if (match === undefined || others.length > 0) return undefined;
  return match.kind === 'group' ? `group:${match.id}` : `user:${match.id}`;
}

/** Keeps an existing policy, which a person decided, and returns false. */
async function savePolicy(store: Store, slack: SlackSide, channel: string, policy: Policy): Promise<boolean> {
  if (!(await createPolicies(store, slack.directory).save(channel, policy, 0))) return false;
  await store.audit.append({
    kind: 'policy',
    text: `policy of ${channel} made by hostler setup, which ${whoseShell()} ran at the command line`,
    data: { channel, before: 'null', after: JSON.stringify(policy) },
  });
  return true;
}

/** The channels with a policy, as a text; undefined if none has one. */
export async function channelsWithPolicy(draft: SettingsDraft): Promise<string | undefined> {
  return withAll(draft, false, async ({ slack, store }) => {
    const all = [...(await createPolicies(store, slack.directory).all()).keys()];
    const named = all.map((id) => slack.directory.channel(id).then(({ name }) => `#${name}`, reasonOf));
    return all.length === 0 ? undefined : (await Promise.all(named)).join(', ');
  });
}

/** A choice for a channel's first policy. `/host access` changes it later. */
interface PolicyPreset {
  readonly title: string;
  /** The title's meaning, for the channel's first message. */
  readonly means: string;
  /** The question for the people or groups of the policy, if it needs any. */
  readonly workers?: string;
  readonly policy: (people: { readonly admins: readonly string[]; readonly workers: readonly Subject[] }) => Policy;
}

const everybodyReads = { to: ['everyone'], can: ['read'] };

const presets: readonly PolicyPreset[] = [
  {
    title: 'Everybody in the channel may look; nobody changes anything yet',
    means: 'Everybody here may look. An admin grants more with /host access.',
    policy: () => policySchema.parse({ grants: [everybodyReads] }),
  },
  {
    title: 'A team: everybody looks, some work, a second of them approves what is dangerous',
    means: 'Everybody here may look, and some may work. A second of them approves what is dangerous.',
    workers: 'Who works? A user group or people, such as @ops or @you,@lead',
    policy: ({ workers }) =>
      policySchema.parse({
        grants: [everybodyReads, { to: workers, can: grantable }],
        rules: {
          dangerous: { approve: 1, by: workers },
          destructive: { approve: 1, by: workers, typed: true, wait: '5m' },
        },
      }),
  },
  {
    title: 'One person: the admins do everything, and confirm it themselves',
    means: 'The admins may do everything, and confirm it themselves.',
    policy: ({ admins }) => {
      const by = admins.map((id) => `user:${id}`);
      return policySchema.parse({
        solo: true,
        grants: [{ to: by, can: grantable }],
        rules: { routine: 'none', dangerous: 'confirm', destructive: { approve: 1, by, typed: true, wait: '5m' } },
      });
    },
  },
];
