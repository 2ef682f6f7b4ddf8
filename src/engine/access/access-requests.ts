import { capabilityWords } from '../../core/policy/policy.ts';
import { signs } from '../../core/view/signs.ts';
import { type Button, notice, says, type Text, text, type View } from '../../core/view/view.ts';
import type { ValueOf } from '../../store/records/value-kinds.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { putForEach } from '../context/outbox.ts';
import { accessKeptForMs, accessOpenForMs } from '../context/time-limits.ts';

export type AccessRequest = ValueOf<'accessRequest'>;

/** The admins' message: the refused person, the missing right, the channel, and the end of the request. */
function adminsView({ id, user, channel, capability, line, end }: AccessRequest): View {
  const asks = text({ user }, ' asks for access in ', { channel }, ': ', { bold: capability });
  const words = text(asks, ` (${capabilityWords[capability]}), for `, [{ code: `/host ${line}` }], '.');
  if (end !== null) return notice(end.how === 'granted' ? 'success' : 'info', text(words, ' ', sayEnd(end)));
  const act = (what: 'grant' | 'decline') => ({ do: 'access', request: id, act: what }) as const;
  const buttons: Button[] = [
    { label: 'Grant…', intent: act('grant'), style: 'primary', opens: true },
    { label: 'Decline…', intent: act('decline'), opens: true },
  ];
  return { ...says(words, buttons), summary: asks };
}

type End = NonNullable<AccessRequest['end']>;

function sayEnd({ how, by, why }: End): Text {
  const who: Text = by === null ? 'by a change of the rights' : text('by ', [{ user: by }]);
  if (how === 'granted') return text(`${signs.done} Granted `, who, '.');
  if (how === 'declined') return text(`${signs.bad} Declined `, who, why === '' ? '.' : `: ${why}`);
  return 'Nobody decided within 14 days.';
}

/** Puts message rows, which wait for Slack if necessary. Putting a request again updates the same messages. */
export async function showToAdmins(context: EngineContext, request: AccessRequest): Promise<void> {
  const { id, at, admins = context.settings.admins } = request;
  await putForEach(context, admins, `access:${id}:${at}`, adminsView(request));
}

/** Ends a request once, even if several processes try, and notifies the requester and the admins. */
export async function endAccessRequest(context: EngineContext, id: string, end: Pick<End, 'how' | 'by' | 'why'>) {
  const at = context.now();
  await context.store.values.change('accessRequest', id, (request) =>
    request?.end === null ? { ...request, end: { ...end, at, isTold: false } } : undefined,
  );
  const request = await context.store.values.get('accessRequest', id);
  if (request !== undefined) await notifyEnd(context, request);
}

/** Each part is idempotent, since it runs again after a crash. */
async function notifyEnd(context: EngineContext, request: AccessRequest): Promise<void> {
  const { end, user, channel, capability, line } = request;
  if (end === null || end.isTold) return;
  await context.audit({
    kind: `access_${end.how}`,
    actor: end.by ?? user,
    channel,
    text: `request for ${capability} by ${user}: ${end.how}${end.why === '' ? '' : `: ${end.why}`}`,
    data: { request: request.id, line },
    unlessThere: 'same',
  });
  await showToAdmins(context, request);
  const words = text('Your request for access in ', { channel }, ' (', { code: `/host ${line}` }, '): ', sayEnd(end));
  const view = notice(end.how === 'granted' ? 'success' : 'info', words);
  await context.outbox.put({ key: `access-end:${request.id}:${request.at}`, channel: user, view });
  await context.store.values.change('accessRequest', request.id, (now) =>
    now?.end ? { ...now, end: { ...now.end, isTold: true } } : undefined,
  );
}

/** Ends requests for rights that the channel's policy now grants. */
export async function endGrantedRequests(context: EngineContext, channel: string, by: string | null): Promise<void> {
  for (const request of (await context.store.values.all('accessRequest')).values()) {
    if (request.channel !== channel || request.end !== null) continue;
    const access = await context.accessOf(request.user, channel);
    const { allowed } = access.decide(request.capability, 'safe', request.targets);
    if (allowed) await endAccessRequest(context, request.id, { how: 'granted', by, why: '' });
  }
}

/** Completes work that a crash interrupted, and expires requests that no admin decided in time. */
export async function tidyAccessRequests(context: EngineContext): Promise<void> {
  const { store, now } = context;
  const requests = [...(await store.values.all('accessRequest')).values()];
  for (const channel of new Set(requests.filter(({ end }) => end === null).map((request) => request.channel)))
    await endGrantedRequests(context, channel, null);
  for (const request of requests) {
    if (request.end === null && request.at < now() - accessOpenForMs)
      await endAccessRequest(context, request.id, { how: 'expired', by: null, why: '' });
    else if (request.end !== null && !request.end.isTold) await notifyEnd(context, request);
    else if (request.end !== null && request.end.at < now() - accessKeptForMs)
      await store.values.remove('accessRequest', request.id);
  }
}
