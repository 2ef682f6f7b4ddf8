import { created, noContent, noSuch, ok, okWithoutBody } from '../answer.ts';
import { defineRoute } from '../router.ts';
import { addSshKey, presentSshKey, removeSshKey } from '../ssh-keys.ts';
import type { ProviderState } from '../types.ts';
import { fail, flag, primaryKey, required, text, validate, withDefault } from '../validate.ts';
import { findVps, integerIn } from './find.ts';

const knownKey = (provider: ProviderState) => ({
  key_pk: required(primaryKey((id) => provider.state.sshKeys.has(id))),
});

export const sshKeyRoutes = [
  defineRoute('GET /ssh_keys/', ({ provider }) => ok([...provider.state.sshKeys.values()].map(presentSshKey))),
  defineRoute('POST /ssh_keys/', ({ provider, data }) => {
    const { key, title, ...rest } = validate(data(), {
      key: required(publicKey(provider)),
      title: required(text({ min: 1, max: 128 })),
      default: withDefault(flag, false),
    });
    return created(presentSshKey(addSshKey(provider, { key, title, isDefault: rest.default })));
  }),
  defineRoute('DELETE /ssh_keys/{key_id}/', ({ provider, params }) => {
    if (!removeSshKey(provider, integerIn(params.key_id))) throw noSuch('SshKey');
    return noContent;
  }),
  defineRoute('GET /vps/{order_id}/ssh_keys/', ({ provider, params }) => {
    const { vps } = findVps(provider, params.order_id);
    return ok([...provider.state.sshKeys.values()].filter(({ id }) => vps.sshKeys.includes(id)).map(presentSshKey));
  }),
  defineRoute('POST /vps/{order_id}/ssh_keys/add/', ({ provider, params, data }) => {
    const { id, vps } = findVps(provider, params.order_id);
    const { key_pk } = validate(data(), knownKey(provider));
    vps.sshKeys = [...new Set([...vps.sshKeys, key_pk])];
    provider.changed('order', id);
    return okWithoutBody;
  }),
  defineRoute('POST /vps/{order_id}/ssh_keys/delete/', ({ provider, params, data }) => {
    const { id, vps } = findVps(provider, params.order_id);
    const { key_pk } = validate(data(), knownKey(provider));
    vps.sshKeys = vps.sshKeys.filter((key) => key !== key_pk);
    provider.changed('order', id);
    return okWithoutBody;
  }),
];

/**
 * Checks a public key. The responses to malformed and duplicate keys are not documented; these are the framework's
 * texts.
 */
const publicKey = (provider: ProviderState) => (input: unknown) => {
  const key = text({ min: 1, max: 16_384 })(input);
  if (!/^(ssh|ecdsa|sk)-[\w@.-]+ [A-Za-z0-9+/]+=*( .*)?$/.test(key)) return fail('Enter a valid SSH public key.');
  const isKnown = [...provider.state.sshKeys.values()].some((candidate) => bodyOf(candidate.key) === bodyOf(key));
  return isKnown ? fail('ssh key with this key already exists.') : key;
};

const bodyOf = (key: string) => key.split(' ')[1];
