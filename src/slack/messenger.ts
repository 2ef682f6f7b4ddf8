import { request } from 'undici';
import { defined } from '../core/text/defined.ts';
import type { Attachment, Span, Text, View } from '../core/view/view.ts';
import type { Messenger } from '../engine/context/ports.ts';
import type { Place } from '../engine/context/request.ts';
import { responseFault, timeLimits } from './call.ts';
import { explained, type Fault, faultOf, SlackError, sayFault } from './faults.ts';
import { hasPicture, type SlackMessage } from './outbound/draw.ts';
import type { Modals } from './outbound/modals.ts';
import { type Posted, sendMessage, sendView, threaded } from './outbound/post.ts';
import { filesBeside, sendFiles, uploadPictures } from './outbound/upload.ts';
import type { Voice } from './outbound/voice.ts';
import type { ResponseUrls } from './response-urls.ts';

/** Posts answers at once. Public and private ones become a direct message if the bot may not post in the channel. */
export function createMessenger(
  voice: Voice,
  urls: ResponseUrls,
  modals: Pick<Modals, 'show'>,
  /** `https://team.slack.com/` */
  teamUrl: string | undefined,
): Messenger {
  const { log } = voice;

  const post = async (place: Pick<Place, 'channel' | 'thread'>, view: View): Promise<void> => {
    const where = threaded(place.channel, place.thread);
    // If Slack does not take a picture, it is sent as a file beside the answer.
    const sent = await sendView(voice, 'chat.postMessage', where, await uploadPictures(voice, view));
    await sendFiles(voice, place, filesBeside(view, sent.hasPicture), sent.cutCode);
  };

  const postDirectly = async (user: string, view: View) => post({ channel: await voice.channelFor(user) }, view);

  const byUrl = async (nextUrl: () => string | undefined, view: View, isReplacing: boolean, unpictured?: View) => {
    const send = async ({ text, blocks }: SlackMessage) => {
      const url = nextUrl();
      if (url === undefined) throw new SlackError({ kind: 'away', why: 'the address of the answer is used up' });
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...(isReplacing ? {} : { response_type: 'ephemeral' }),
          replace_original: isReplacing,
          text,
          ...(blocks.length > 0 ? { blocks } : {}),
        }),
        ...timeLimits(),
      });
      const fault = responseFault(answer.statusCode, await answer.body.text());
      if (fault !== undefined) throw fault;
    };
    try {
      return (await sendMessage(voice, 'response_url', view, send, { unpictured })).drawn;
    } catch (error) {
      log.debug({ why: sayFault(faultOf(error)) }, 'a response_url no longer works');
      return undefined;
    }
  };

  const linked = (path: string, text: string): Span =>
    teamUrl === undefined ? text : { link: `${teamUrl}archives/${path}`, text };

  /** Answers where a post failed, with a line that says why. */
  const privately = async (place: Place, user: string, view: View, why: Text | undefined): Promise<void> => {
    const words = withContext(await withoutFiles(view, user), why);
    // Neither way reaches a thread: a private answer over a response_url is shown in the channel (bolt-js #963).
    const path = `${place.channel}/p${(place.thread ?? '').replace('.', '')}`;
    const thread = linked(path, 'the thread in which it was asked');
    const noted = withContext(words, place.thread === undefined ? undefined : ['This belongs to ', thread, '.']);
    const drawn = place.channel === '' ? undefined : await byUrl(() => urls.claim(place, user), noted, false);
    if (drawn === undefined) await postDirectly(user, noted);
    await sendFilesPrivately(user, filesBeside(view, false), drawn?.cutCode ?? []);
  };

  /** The answer without its files, and with a line that they are in the direct messages. */
  const withoutFiles = async (view: View, user: string): Promise<View> => {
    const { files: _, ...words } = view;
    const files = filesBeside(view, false);
    if (files.length === 0) return words;
    const what = files.length > 1 ? 'files are' : filesBeside(view, true).length === 0 ? 'chart is' : 'file is';
    const where = linked(await voice.channelFor(user), 'the bot’s direct messages to you');
    return withContext(words, [`The ${what} in `, where, '.']);
  };

  /** Shows the view in the request's dialog; false if it was closed meanwhile, or if Slack refuses the view. */
  const inDialog = async ({ dialog, form }: Place, user: string, view: View): Promise<boolean> => {
    if (dialog === undefined) return false;
    const { words, unpictured } = await forOne(view, user);
    const content = { view: words, ...defined({ session: form }) };
    const shown = await modals.show(dialog, content, unpictured).catch((error: unknown) => {
      log.warn({ why: sayFault(faultOf(error)) }, 'Slack refused an answer in its dialog');
      return 'gone' as const;
    });
    if (shown === 'gone') return false;
    await sendFilesPrivately(user, filesBeside(view, shown === 'pictured'), []);
    return true;
  };

  const whisper: Messenger['postEphemeral'] = async (place, user, view) => {
    if (await inDialog(place, user, view)) return;
    if (place.channel === '') return postDirectly(user, view);
    let sent: Posted;
    try {
      // A direct message is private anyway, and unlike an ephemeral one it stays.
      if (place.kind === 'dm') return await post(place, view);
      const where = { ...threaded(place.channel, place.isThreadEmpty ? undefined : place.thread), user };
      const { words, unpictured } = await forOne(view, user);
      sent = await sendView(voice, 'chat.postEphemeral', where, words, { unpictured });
    } catch (error) {
      const fault = faultOf(error);
      // Even if Slack may have posted it: people understand a duplicate answer, but cannot see a missing one.
      log.debug({ why: sayFault(fault) }, 'an ephemeral message failed; trying another way');
      return privately(place, user, view, isBetweenPeople(place, fault) ? betweenPeople : undefined);
    }
    await sendFilesPrivately(user, filesBeside(view, sent.hasPicture), sent.cutCode);
  };

  /** A private answer with its pictures, and the one to send where Slack refuses them. */
  const forOne = async (view: View, user: string) => {
    const unpictured = await withoutFiles(view, user);
    const shown = await uploadPictures(voice, view);
    if (shown === view) return { words: unpictured, unpictured };
    return { words: await withoutFiles({ ...shown, files: filesBeside(view, true) }, user), unpictured };
  };

  /** Sends files as a direct message, since a file in a channel cannot be private. */
  const sendFilesPrivately = async (user: string, files: readonly Attachment[], cutCode: readonly string[]) => {
    if (files.length + cutCode.length === 0) return;
    await sendFiles(voice, { channel: await voice.channelFor(user) }, files, cutCode);
  };

  const replace: Messenger['replace'] = async ({ id, place, actor }, view) => {
    // Files go to the direct messages, which may be the place of the answer.
    const { words, unpictured } =
      place.kind === 'dm' ? { words: await uploadPictures(voice, view), unpictured: view } : await forOne(view, actor);
    const drawn = await byUrl(() => urls.takeOf(id), words, true, unpictured);
    if (drawn === undefined) return false;
    await sendFilesPrivately(actor, filesBeside(view, hasPicture(drawn)), drawn.cutCode);
    return true;
  };

  const answer: Messenger['answer'] = async (place, user, view) => {
    if (place.channel === '') {
      await postDirectly(user, view);
      return false;
    }
    try {
      await post(place, view);
      return true;
    } catch (error) {
      const fault = faultOf(error);
      log.debug({ why: sayFault(fault) }, 'a public answer failed; answering the person privately');
      if (fault.kind === 'away' || fault.kind === 'revoked') throw error;
      await privately(place, user, view, whyAlone(place, fault));
      return false;
    }
  };

  return {
    postEphemeral: (place, user, view) => explained('posting privately', whisper(place, user, view)),
    answer: (place, user, view) => explained('answering', answer(place, user, view)),
    replace: (click, view) => explained('replacing a message', replace(click, view)),
  };
}

function withContext(view: View, text: Text | undefined): View {
  return text === undefined ? view : { ...view, parts: [...view.parts, { kind: 'context', text }] };
}

/** A failed post to a direct message of two people, to which an app cannot be added. */
function isBetweenPeople({ kind }: Place, fault: Fault): boolean {
  return kind === 'dm' && fault.kind === 'refused' && ['channel_not_found', 'not_in_channel'].includes(fault.code);
}

const betweenPeople =
  'Only you see this: the bot cannot be added to a conversation of two people. Ask it in your own direct message with it.';

function whyAlone(place: Place, fault: Fault): string {
  if (isBetweenPeople(place, fault)) return betweenPeople;
  const code = fault.kind === 'refused' ? fault.code : 'too many messages';
  if (code === 'not_in_channel' || code === 'channel_not_found')
    return 'Only you see this: the bot is not in this channel. Type /invite @Hostler and ask again to answer for all.';
  return `Only you see this: Slack does not let the bot write there (${code}).`;
}
