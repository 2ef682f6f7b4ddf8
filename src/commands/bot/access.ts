import { describeGrant } from '../../core/policy/evaluate.ts';
import type { Button, ViewPart } from '../../core/view/view.ts';
import { fieldsPart, formButton, joined, menuPart, text, textPart, withCode } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { sayToken } from '../machines/token.ts';
import { ruleFields } from './access-words.ts';

export const access = defineQuery({
  path: 'access',
  words: `| access · right · permission · policy · rule · grant · role · perm · auth can i | who has access · who
    has right · my right · what can do here · what may do here · access list · access show · ask for access · get
    access · request access · give me access · want access · approval rule · who may approve · who can approve ·
    who else can approve · allowed to approve · who is allowed to approve · who approves · who can say yes · can
    say yes · who may say yes · who is boss · who can see · who may see · who uses bot · which channel can · guest
    may · guest can · rule of this channel · who am i · whoami · auth status · next maintenance window · when
    maintenance window · who has to approve · who must approve · who needs to approve · colleague allowed what`,
  title: 'Who may do what',
  summary: 'Show who may do what in this channel',
  capability: 'none',
  isAboutChannel: true,
  run: async (_, { bot, channel }) => {
    const [policy, tokens] = await Promise.all([bot.policy(channel), bot.alerts.hooks(channel, ['token'])]);
    const forAdmins = (buttons: readonly Button[]): ViewPart[] => (bot.isAdmin ? [{ kind: 'buttons', buttons }] : []);
    const add = formButton('Add…', 'access grant');
    const heading = { kind: 'heading', text: 'Who may do what here' } as const;
    if (policy === undefined) {
      return {
        summary: 'This channel has no policy.',
        parts: [heading, ...textPart('text', withCode(noPolicy)), ...forAdmins([add])],
      };
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
        ...fieldsPart([['Machines', joined(tokens.map(sayToken), ', ')]]),
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

const noPolicy =
  'This channel has no policy, so nothing is allowed here. An admin starts one with `/host access grant @group read`.';
