import { z } from 'zod';
import { readSshKey, type SshPublicKey } from '../../core/account/ssh-key.ts';
import { type Arg, flag, searched, text } from '../../core/command/args.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { Refusal } from '../../core/view/errors.ts';

export const keyArg = searched({
  hint: 'A key, by title, id or fingerprint.',
  source: 'ssh-keys',
  example: 'Ada laptop',
});

/** The public key. A refusal never quotes it, since it may be the private half. */
export const publicKeyArg: Arg<SshPublicKey> = {
  ...text({
    hint: 'The line of a .pub file, such as ssh-ed25519 AAAA… comment.',
    label: 'Public key',
    place: 'rest',
    multiline: true,
  }),
  read: (words) => {
    const reading = readSshKey(words.join(' '));
    if ('key' in reading) return reading.key;
    throw new Refusal('bad_value', reading.problem, reading.hint === undefined ? {} : { hint: reading.hint });
  },
  show: (key) => [key.line],
  targets: () => [],
};

export const sshKeyAddArgs = {
  title: text({
    hint: 'The title of the key, at most 128 characters.',
    example: 'Ada laptop',
    schema: z
      .string()
      .trim()
      .min(1, 'a title that is not empty')
      .max(128, 'a title of at most 128 characters')
      .regex(/^\P{Cc}*$/u, 'a title in one line'),
  }),
  key: publicKeyArg,
  default: flag({ hint: 'Make it a default key, for new servers.', label: 'Default key' }),
};

export const sshKeyRemoveArgs = { key: { ...keyArg, place: 'rest' } } as const;

/** Slack's buttons hold 2,000 characters, so a longer key has no undo button. */
const lineMost = 1_500;

/** The line that adds a key again, for an undo. */
export function addAgain(key: { title: string; key: string; isDefault: boolean }): string | undefined {
  const line = lineOf(
    { path: 'ssh-key add', args: sshKeyAddArgs },
    { title: [key.title], key: [key.key], ...(key.isDefault ? { default: ['yes'] } : {}) },
  );
  return key.title === '' || line.length > lineMost ? undefined : line;
}
