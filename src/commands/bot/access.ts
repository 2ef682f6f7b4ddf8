import { describeGrant } from '../../core/policy/evaluate.ts';
import { type Button, formButton, menuPart, text, type ViewPart } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { ruleFields } from './access-words.ts';

export const access = defineQuery({
  path: 'access',
  title: 'Who may do what',
  summary: 'Show who may do what in this channel',
  capability: 'none',
  isAboutChannel: true,
  visibility: 'person',
  run: async (_, { bot, channel }) => {
    const policy = await bot.policy(channel);
    const forAdmins = (buttons: readonly Button[]): ViewPart[] => (bot.isAdmin ? [{ kind: 'buttons', buttons }] : []);
    const add = formButton('Add…', 'access grant');
    const heading = { kind: 'heading', text: 'Who may do what here' } as const;
    if (policy === undefined) {
      return { summary: 'This channel has no policy.', parts: [heading, noPolicy, ...forAdmins([add])] };
    }
    const changes = policy.grants.flatMap((_, index) => [
      formButton(`Change ${index + 1}…`, `access change ${index + 1}`),
      formButton(`Remove ${index + 1}…`, `access revoke ${index + 1}`),
    ]);
    return {
      summary: `Who may do what here: ${policy.grants.length} grants`,
      parts: [
        heading,
        ...policy.grants.map(
          (grant, index): ViewPart => ({ kind: 'text', text: text(`${index + 1}. `, describeGrant(grant)) }),
        ),
        { kind: 'fields', fields: ruleFields(policy) },
        { kind: 'context', text: `version ${policy.version}` },
        ...forAdmins([add, formButton('Rule…', 'access rule'), formButton('Test…', 'why')]),
        ...(bot.isAdmin ? menuPart('Change…', [...changes, ...settings]) : []),
      ],
    };
  },
});

const settings: readonly Button[] = [
  formButton('Hours…', 'access rule hours'),
  formButton('Reads…', 'access reads'),
  formButton('Solo…', 'access solo'),
  formButton('Break glass…', 'access break-glass'),
];

const noPolicy: ViewPart = {
  kind: 'text',
  text: [
    'This channel has no policy, so nothing is allowed here. An admin starts one with ',
    { code: '/host access grant @group read' },
    '.',
  ],
};
