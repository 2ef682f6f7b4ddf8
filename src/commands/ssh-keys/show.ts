import { accountTarget } from '../../core/account/account.ts';
import { fingerprintOfLine, readSshKey } from '../../core/account/ssh-key.ts';
import { list } from '../../core/text/words.ts';
import { sayDay } from '../../core/view/days.ts';
import { buttonRow, dangerButton, fieldsWith, offered, runButton } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { serversOf } from '../servers/see-servers.ts';
import { keyArg, keyWithLinks, titleOf } from './keys.ts';

export const sshKeyShow = defineQuery({
  path: 'ssh-key show',
  title: 'Show an SSH key',
  summary: 'Show one SSH key by its fingerprint, and the servers it is linked to',
  examples: ['ssh-key show "Ada laptop"', 'ssh-key show 2'],
  args: { key: { ...keyArg, place: 'rest' } },
  isAccountWide: () => true,
  capability: 'read',
  visibility: 'channel',
  run: async ({ key: word }, context) => {
    const { key, keys, title, linkedTo } = await keyWithLinks(word, context, (servers) =>
      serversOf(servers, context.may),
    );
    const fingerprint = fingerprintOfLine(key.key);
    const twins = keys.filter((other) => other.id !== key.id && fingerprintOfLine(other.key) === fingerprint);
    const reading = readSshKey(key.key);
    const fields = fieldsWith([
      ['Type', 'key' in reading ? `${reading.key.type}, ${reading.key.bits} bits` : reading.problem],
      ['Fingerprint', fingerprint === undefined ? 'Cannot be read' : [{ code: fingerprint }]],
      ['Comment', key.key.trim().split(/\s+/).slice(2).join(' ') || 'None'],
      ['Added', sayDay(key.date)],
      ['Default', key.default === null ? 'Unknown' : key.default ? 'Yes' : 'No'],
      ['Linked to', linkedTo],
      ['The same key', list(twins.map(titleOf))],
    ]);
    return {
      summary: `SSH key ${title}`,
      parts: [
        { kind: 'heading', text: title, aside: `key ${key.id}` },
        { kind: 'fields', fields },
        ...buttonRow(
          offered([
            [true, runButton('All keys', 'ssh-key list')],
            [context.may('secrets', accountTarget), dangerButton('Remove…', `ssh-key remove key=${key.id}`)],
          ]),
        ),
      ],
    };
  },
});
