import type { Button, ViewPart } from '../../core/view/view.ts';
import { formButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { grantLine, noPolicy, ruleLines } from './access-words.ts';

/** More grants with buttons do not fit in one message. */
const mostWithButtons = 12;

export const access = defineQuery({
  path: 'access',
  title: 'Who may do what',
  summary: 'Show who may do what in this channel',
  examples: ['access', 'access'],
  alsoCalled: ['rights', 'permissions', 'who has access'],
  args: {},
  capability: 'none',
  isAboutChannel: true,
  visibility: 'person',
  run: async (_, { bot, channel }) => {
    const policy = await bot.policy(channel);
    const forAdmins = (buttons: readonly Button[]): ViewPart[] => (bot.isAdmin ? [{ kind: 'buttons', buttons }] : []);
    const add = formButton('Add…', 'access grant');
    const heading = { kind: 'heading', text: 'Who may do what here' } as const;
    if (policy === undefined) {
      return { summary: 'This channel has no policy.', parts: [heading, ...noPolicy, ...forAdmins([add])] };
    }
    return {
      summary: `Who may do what here: ${policy.grants.length} grants`,
      parts: [
        heading,
        ...policy.grants.flatMap((grant, index): ViewPart[] => [
          { kind: 'text', text: grantLine(grant, index + 1) },
          ...(index < mostWithButtons
            ? forAdmins([
                formButton(`Change ${index + 1}…`, `access change ${index + 1}`),
                formButton(`Remove ${index + 1}…`, `access revoke ${index + 1}`),
              ])
            : []),
        ]),
        ...forAdmins([add]),
        ...ruleLines(policy).map((text): ViewPart => ({ kind: 'text', text })),
        { kind: 'context', text: `version ${policy.version}` },
        ...forAdmins([
          formButton('Rule…', 'access rule'),
          formButton('Hours…', 'access rule hours'),
          formButton('Reads…', 'access reads'),
          formButton('Solo…', 'access solo'),
          formButton('Break glass…', 'access break-glass'),
          formButton('Test…', 'why'),
        ]),
      ],
    };
  },
});
