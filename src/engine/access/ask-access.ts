import { isOrderOrDomain, projectTarget, type Target, tagTarget } from '../../core/account/account.ts';
import { patternWord } from '../../core/command/patterns.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { globOf } from '../../core/policy/evaluate.ts';
import { isBarred } from '../../core/policy/membership.ts';
import { capabilityWords, grantable } from '../../core/policy/policy.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { day, sentenceStart } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { UnopenedForm } from '../../core/view/form.ts';
import { type Button, peopleIn, says, type Text, text, type ViewPart } from '../../core/view/view.ts';
import type { Access } from '../context/access-port.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { refusalView } from '../context/error-view.ts';
import type { Invitation } from '../context/ports.ts';
import { operationId, type Place, type Request } from '../context/request.ts';
import { ownWords, type TypedLine } from '../context/typed-line.ts';
import { channelsOf } from './access.ts';
import { type AccessRequest, endAccessRequest, showToAdmins } from './access-requests.ts';
import { targetsIn } from './explain.ts';
import { adminsToNotify } from './notifications.ts';
import { nameOr } from './say-names.ts';

const mostADay = 5;
const mostChannels = 20;

/** Handles the button "Ask for access" after a refusal. The line is checked again, since a button proves nothing. */
export async function askForAccess(
  context: EngineContext,
  { actor, place }: Pick<Request, 'actor' | 'place'>,
  typed: TypedLine,
): Promise<void> {
  const say = (words: Text, buttons?: readonly Button[]) =>
    context.messenger.postEphemeral(place, actor, says(words, buttons));
  const { parsed } = typed;
  if (parsed.kind === 'problem')
    return context.messenger.postEphemeral(place, actor, refusalView(parsed.refusal, { line: typed.text }));
  if (parsed.kind !== 'command' || place.kind !== 'channel') return say('Ask for access in the channel that you mean.');
  const { command, raw } = parsed;
  const capability = grantable.find((candidate) => candidate === command.capability);
  if (capability === undefined) return say('Only an admin may do this; it cannot be granted.');
  const access = await context.accessOf(actor, place.channel);
  if (isBarred(access.actor.membership)) return;
  // The words may name nothing that this person may know: the admin then chooses the targets.
  const resolved = await targetsIn(context, command, raw, access).catch((error) => {
    if (error instanceof Refusal) return [];
    throw error;
  });
  if (access.decide(capability, command.risk, resolved).allowed) {
    return say('You may do this by now.', [{ label: 'Run it', intent: { do: 'run', line: typed.text } }]);
  }
  const targets = resolved.length > 0 ? resolved : groupsIn(raw);
  const patterns = targets.map(patternOf).sort();
  // Two lines with the same id would reveal the targets behind a guessed tag or address.
  const about = targets.every((target) => access.may('read', target)) ? patterns : [typed.text];
  const id = operationId(JSON.stringify(['access', actor, place.channel, capability, about]));
  const refused = await whyNotNow(context, id, actor);
  if (refused !== undefined) return say(refused);
  const admins = await adminsToNotify(context);
  const request: AccessRequest = {
    id,
    user: actor,
    channel: place.channel,
    capability,
    targets,
    // The line is sent to admins and stored.
    line: strikeSecrets(typed.text, context.settings.knownSecrets).slice(0, 500),
    admins: [...admins],
    at: context.now(),
    end: null,
  };
  const { values } = context.store;
  if (!(await values.change('accessRequest', id, (previous) => (previous?.end === null ? undefined : request)))) return;
  await context.audit({
    kind: 'access_asked',
    actor,
    channel: place.channel,
    // The requester can read this entry, so it must not reveal the targets.
    text: `asked for ${capability}: ${request.line}`,
    data: { request: id, line: request.line, on: patterns },
  });
  await showToAdmins(context, request);
  const later = '. You will get a direct message when it is decided.';
  return say(text('Your request was sent to ', peopleIn(admins.slice(0, 5)), later));
}

/** A menu of the rights that can be requested here; outside a channel, in the person's channels. */
export async function waysToAccess(context: EngineContext, access: Access, place: Place): Promise<ViewPart[]> {
  const { actor, hasCapability } = access;
  const missing = grantable.filter((right) => !hasCapability(right));
  if (actor.isAdmin || missing.length === 0) return [];
  const channels =
    place.kind === 'channel' ? [place.channel] : [...(await channelsOf(context, actor.id)).accesses.keys()];
  const rights = channels.length === 1 ? missing : missing.slice(0, 1);
  const options = await Promise.all(
    channels.slice(0, mostChannels).map(async (channel) => {
      const where =
        channels.length === 1 ? '' : `#${await nameOr(context.directory.channel(channel), 'another channel')}: `;
      return rights.flatMap((right): Button[] => {
        const line = context.commands.find(({ capability }) => capability === right)?.path;
        if (line === undefined) return [];
        const label = `${where}${sentenceStart(capabilityWords[right])}`;
        return [{ label, intent: { do: 'ask-access', line, in: channel } }];
      });
    }),
  );
  const all = options.flat();
  return all.length === 0 ? [] : [{ kind: 'menu', label: 'Ask for access…', options: all }];
}

/** Limits requests: a few a day, one open request for each right, and no repetition within a day after a decline. */
async function whyNotNow({ store, now }: EngineContext, id: string, user: string): Promise<string | undefined> {
  const own = [...(await store.values.all('accessRequest')).values()].filter((request) => request.user === user);
  const same = own.find((request) => request.id === id);
  if (same?.end === null)
    return 'The admins have this request already. You will get a direct message when it is decided.';
  if (same?.end?.how === 'declined' && same.end.at > now() - day)
    return 'This request was declined today. Talk to an admin, or ask again tomorrow.';
  if (own.filter(({ at }) => at > now() - day).length >= mostADay)
    return `That is more than ${mostADay} requests for access in a day. Talk to an admin, or ask again tomorrow.`;
  return undefined;
}

/** The typed tags and projects, for lines that name no single target: a filter or the scope of a freeze. */
function groupsIn(raw: RawArgs): readonly Target[] {
  return Object.values(raw)
    .flat()
    .flatMap((word) => {
      const [, kind, name = ''] = /^(tag|project):(.+)$/i.exec(word) ?? [];
      if (kind === undefined) return [];
      return [kind.toLowerCase() === 'tag' ? tagTarget(name) : projectTarget({ id: 0, name })];
    });
}

function patternOf(target: Target): string {
  const { kind, id, name, tags } = target;
  const [tag] = tags;
  if (id === '' && tag !== undefined) return `tag:${globOf(tag)}`;
  if (isOrderOrDomain(target)) return `${kind}:${id}`;
  return kind === 'project' ? `project:${globOf(name)}` : 'all';
}

/** Returns the place and the arguments of the grant dialog for a request that this admin may decide. */
export async function decidableRequest(context: EngineContext, id: string, admin: string) {
  const request = await context.store.values.get('accessRequest', id);
  if (request === undefined || !context.settings.admins.includes(admin))
    throw new Refusal('closed', 'This request is no longer available.');
  const { user, channel, capability, targets, end } = request;
  if (end !== null) throw new Refusal('closed', `This request is ${end.how} already.`);
  const access = await context.accessOf(user, channel);
  const hasRead =
    capability === 'read' || (targets.length > 0 && targets.every((target) => access.may('read', target)));
  const can = hasRead ? [capability] : ['read', capability];
  const on = [...new Set(targets.map(patternOf))].map(patternWord);
  return { place: { channel, kind: 'channel' as const }, raw: { to: [`@${user}`], can, on } };
}

export const declineForm: UnopenedForm = {
  title: 'Decline',
  submit: 'Decline',
  notes: ['The person who asked reads your words.'],
  fields: [{ name: 'words', label: 'Why not?', widget: 'multiline', optional: true }],
};

export async function declineAccess(context: EngineContext, id: string, admin: string, why: string): Promise<void> {
  const request = await context.store.values.get('accessRequest', id);
  const isAgain = request?.end?.how === 'declined' && request.end.by === admin;
  if (!isAgain) await decidableRequest(context, id, admin);
  await endAccessRequest(context, id, { how: 'declined', by: admin, why: ownWords(context, why, 'words') });
}

/** No click grants a right by itself: the first button makes a request with a card, the second opens the dialog. */
const choices = (channel: string): readonly Button[] => [
  { label: 'Everyone may read', intent: { do: 'run', line: 'access grant everyone read' } },
  { label: 'Choose…', intent: { do: 'form', line: 'access grant', in: channel }, opens: true },
  // Replaces the question with `/host access`, where rights can be set up at any time.
  { label: 'Later', intent: { do: 'refresh', line: 'access' } },
];

/** Offers rights to the person who added the bot to a channel without a policy; one who is no admin asks them. */
export async function offerAccess(context: EngineContext, channel: string, { by, event }: Invitation): Promise<void> {
  if ((await context.policies.get(channel)) !== undefined) return;
  const access = await context.accessOf(by, channel);
  if (isBarred(access.actor.membership)) return;
  // Slack may deliver an event again, to any replica. A crash after this line loses the question; `/host access` shows
  // the same.
  if (!(await context.store.inbox.receive({ key: `joined:${event}`, body: '', state: 'done' }))) return;
  const place: Place = { channel, kind: 'channel' };
  const isAdmin = access.decide('admin', 'safe', []).allowed;
  const { summary, parts } = isAdmin
    ? says(text('Who should use Hostler in ', { channel }, '?'), choices(channel))
    : says(text("Hostler isn't set up in ", { channel }, ' yet. An admin gives rights.'));
  // An admin has none.
  const ways = await waysToAccess(context, access, place);
  await context.messenger.postEphemeral(place, by, { summary, parts: [...parts, ...ways] });
}
