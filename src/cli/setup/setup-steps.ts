import { list } from '../../core/text/words.ts';
import type { SettingName } from '../../settings.ts';
import type { SlackSide } from '../../slack/open-slack.ts';
import type { checks } from '../check/checks.ts';

/** The setting's value, or the problem as a sentence. */
export type Resolved = string | { readonly problem: string };

/** A step of setup: settings to ask for, and the checks of `hostler check` that test them. */
export interface SetupStep {
  readonly title: string;
  readonly how: (about: { readonly link: () => string }) => readonly string[];
  readonly asks: readonly {
    readonly name: SettingName;
    readonly question: string;
    readonly isHidden?: true;
    readonly otherwise?: string;
    /** Converts the typed text to the setting's value. */
    readonly resolve?: (typed: string, slack: SlackSide) => Promise<Resolved>;
  }[];
  readonly checks: readonly (keyof typeof checks)[];
}

export const stepsFor = ({ isHttp }: { readonly isHttp: boolean }): readonly SetupStep[] => [
  {
    title: 'The Slack app',
    how: ({ link }) => [
      'Open this link, choose your workspace, click Create, then Install to Workspace:',
      '',
      link(),
      '',
      'The token is then under OAuth & Permissions, as Bot User OAuth Token.',
    ],
    asks: [{ name: 'SLACK_BOT_TOKEN', question: 'Bot token (xoxb-…)', isHidden: true }],
    checks: ['Slack bot token', 'Slack scopes'],
  },
  {
    title: 'The connection to Slack',
    how: () =>
      isHttp
        ? ['Under Basic Information, App Credentials: Signing Secret, Show.']
        : [
            'Under Basic Information, App-Level Tokens: Generate Token and Scopes, add the scope connections:write.',
            'HTTP instead of Socket Mode: Ctrl+C, then npx hostler setup --request-url https://hostler.example.com',
          ],
    asks: isHttp
      ? [{ name: 'SLACK_SIGNING_SECRET', question: 'Signing secret', isHidden: true }]
      : [{ name: 'SLACK_APP_TOKEN', question: 'App-level token (xapp-…)', isHidden: true }],
    checks: ['Slack connection'],
  },
  {
    title: 'The provider',
    how: () => ["Make an API key in the provider's panel."],
    asks: [
      { name: 'HOST_API_URL', question: 'Address of its API', otherwise: 'https://fornex.com/api' },
      { name: 'HOST_API_KEY', question: 'API key', isHidden: true },
    ],
    checks: ['provider key'],
  },
  {
    title: 'The admins',
    how: () => ['Admins decide who may do what. Give names as in Slack, or member IDs (profile, ⋮, Copy member ID).'],
    asks: [{ name: 'HOSTLER_ADMINS', question: 'Admins, with commas between (@you)', resolve: idsOf }],
    checks: ['admins'],
  },
];

/** Converts names such as `@lead`, `Ada` or `Ada Admin` to member ids. An ambiguous or unknown name is a problem. */
async function idsOf(typed: string, slack: SlackSide): Promise<Resolved> {
  const people = await slack.directory.roster();
  const idOf = (word: string): string | undefined => {
    if (/^[UW][A-Z0-9]{2,}$/.test(word)) return word;
    const name = word.replace(/^@/, '').toLowerCase();
    const whole = people.filter(({ names }) => names.includes(name));
    const matches =
      whole.length > 0
        ? whole
        : people.filter(({ names }) => names.some((fullName) => fullName.split(' ')[0] === name));
    return matches.length === 1 ? matches[0]?.id : undefined;
  };
  const ids = typed
    .split(',')
    .map((part) => part.trim().replaceAll(/\s+/g, ' '))
    .filter((part) => part !== '')
    .flatMap((part): { word: string; id: string | undefined }[] => {
      // A name may contain a space, and names may be separated by spaces only.
      const words = idOf(part) === undefined ? part.split(' ') : [part];
      const each = words.map((word) => ({ word, id: idOf(word) }));
      return each.some(({ id }) => id === undefined) ? [{ word: part, id: undefined }] : each;
    });
  const unknown = ids.filter(({ id }) => id === undefined).map(({ word }) => word);
  if (unknown.length === 0) return ids.map(({ id }) => id).join(',');
  return { problem: `Slack knows no one person called ${list(unknown)}. Give a name as in Slack, or a member ID.` };
}
