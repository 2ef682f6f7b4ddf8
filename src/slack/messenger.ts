import { request } from 'undici';
import { defined } from '../core/text/defined.ts';
import type { Attachment, Text, View } from '../core/view/view.ts';
import type { Messenger } from '../engine/context/ports.ts';
import type { Place } from '../engine/context/request.ts';
import { responseFault, timeLimits } from './call.ts';
import { type Fault, faultOf, SlackError, sayFault } from './faults.ts';
import type { SlackLog } from './log.ts';
import type { Direct } from './outbound/direct.ts';
import { drawMessage, type SlackMessage } from './outbound/message.ts';
import type { Modals } from './outbound/modals.ts';
import { filesBeside, hasPicture, showsPictures, type UploadPictures } from './outbound/pictures.ts';
import { type Posted, sendView, type Voice } from './outbound/post.ts';
import { type SendFiles, threaded } from './outbound/send-files.ts';
import type { ResponseUrls } from './response-urls.ts';

/** Posts answers at once. Public and private ones become a direct message if the bot may not post in the channel. */
export function createMessenger({
  voice,
  log,
  direct,
  urls,
  sendFiles,
  uploadPictures,
  modals,
  teamUrl,
}: {
  voice: Voice;
  log: SlackLog;
  direct: Direct;
  urls: ResponseUrls;
  sendFiles: SendFiles;
  /** If Slack does not take a picture, it is sent as a file beside the answer. */
  uploadPictures: UploadPictures;
  modals: Pick<Modals, 'show'>;
  /** `https://team.slack.com/` */
  teamUrl: string | undefined;
}): Messenger {
  const byDirectMessage = async (user: string, view: View): Promise<void> => {
    await postWithFiles({ channel: await direct.channelFor(user) }, view);
  };

  const postWithFiles = async (place: Pick<Place, 'channel' | 'thread'>, view: View): Promise<void> => {
    const where = threaded(place.channel, place.thread);
    const { cutCode, hasPicture } = await sendView(voice, 'chat.postMessage', where, await uploadPictures(view));
    await sendFiles(place, filesBeside(view, hasPicture), cutCode);
  };

  const byUrl = async (
    nextUrl: () => string | undefined,
    unnamed: View,
    isReplacing: boolean,
    unpictured: View = unnamed,
  ): Promise<SlackMessage | undefined> => {
    const view = await voice.nameGroups(unnamed);
    const plain = await voice.nameGroups(unpictured);
    try {
      const { drawn } = await voice.ladder.send(
        'response_url',
        (attempt) => drawMessage(showsPictures(attempt) ? view : plain, attempt),
        async ({ text, blocks }) => {
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
        },
      );
      return drawn;
    } catch (error) {
      log.debug({ why: sayFault(faultOf(error)) }, 'a response_url no longer works');
      return undefined;
    }
  };

  const privately = async (place: Place, user: string, view: View): Promise<void> => {
    // Neither way reaches a thread: a private answer over a response_url is shown in the channel (bolt-js #963).
    const noted = withContext(view, threadNote(teamUrl, place));
    if (place.channel !== '' && (await byUrl(() => urls.claim(place, user), noted, false))) return;
    await byDirectMessage(user, noted);
  };

  /** The answer without its files, and with a line that they are in the direct messages. */
  const withoutFiles = async (view: View, user: string): Promise<View> => {
    const { files: _, ...words } = view;
    const files = filesBeside(view, false);
    if (files.length === 0) return words;
    const what = files.length > 1 ? 'files are' : filesBeside(view, true).length === 0 ? 'chart is' : 'file is';
    const where = 'the bot’s direct messages to you';
    if (teamUrl === undefined) return withContext(words, `The ${what} in ${where}.`);
    const link = `${teamUrl}archives/${await direct.channelFor(user)}`;
    return withContext(words, [`The ${what} in `, { link, text: where }, '.']);
  };

  /** Shows the view in the request's dialog; false if it was closed meanwhile, or if Slack refuses the view. */
  const inDialog = async ({ dialog, form }: Place, user: string, view: View): Promise<boolean> => {
    if (dialog === undefined) return false;
    const { words, unpictured } = await forOne(view, user);
    let isPictured = false;
    try {
      const shown = await modals.show(dialog, { view: words, ...defined({ session: form }) }, unpictured);
      if (shown === 'gone') return false;
      isPictured = shown === 'pictured';
    } catch (error) {
      log.warn({ why: sayFault(faultOf(error)) }, 'Slack refused an answer in its dialog');
      return false;
    }
    await sendFilesPrivately(user, filesBeside(view, isPictured), []);
    return true;
  };

  const whisper: Messenger['postEphemeral'] = async (place, user, view) => {
    if (await inDialog(place, user, view)) return;
    if (place.channel === '') return byDirectMessage(user, view);
    // A direct message is private anyway, and unlike an ephemeral one it stays.
    const isDirect = place.kind === 'dm';
    let sent: Pick<Posted, 'cutCode' | 'hasPicture'> = { cutCode: [], hasPicture: false };
    try {
      if (isDirect) return await postWithFiles(place, view);
      const where = { ...threaded(place.channel, place.isThreadEmpty ? undefined : place.thread), user };
      const { words, unpictured } = await forOne(view, user);
      sent = await sendView(voice, 'chat.postEphemeral', where, words, { unpictured });
    } catch (error) {
      const fault = faultOf(error);
      // Even if Slack may have posted it: people understand a duplicate answer, but cannot see a missing one.
      log.debug({ why: sayFault(fault) }, 'an ephemeral message failed; trying another way');
      const words = isDirect ? view : await withoutFiles(view, user);
      await privately(place, user, withContext(words, isBetweenPeople(place, fault) ? betweenPeople : undefined));
    }
    await sendFilesPrivately(user, filesBeside(view, sent.hasPicture), sent.cutCode);
  };

  /** A private answer with its pictures, and the one to send where Slack refuses them. */
  const forOne = async (view: View, user: string) => {
    const unpictured = await withoutFiles(view, user);
    const shown = await uploadPictures(view);
    if (shown === view) return { words: unpictured, unpictured };
    return { words: await withoutFiles({ ...shown, files: filesBeside(view, true) }, user), unpictured };
  };

  /** Sends files as a direct message, since a file in a channel cannot be private. */
  const sendFilesPrivately = async (
    user: string,
    files: readonly Attachment[],
    cutCode: readonly string[],
  ): Promise<void> => {
    if (files.length + cutCode.length === 0) return;
    await sendFiles({ channel: await direct.channelFor(user) }, files, cutCode);
  };

  const replace: Messenger['replace'] = async ({ id, place, actor }, view) => {
    const isDirect = place.kind === 'dm';
    // Files go to the direct messages, which are the place of such an answer.
    const { words, unpictured } = isDirect
      ? { words: await uploadPictures(view), unpictured: view }
      : await forOne(view, actor);
    const drawn = await byUrl(() => urls.takeOf(id), words, true, unpictured);
    if (drawn === undefined) return false;
    await sendFilesPrivately(actor, filesBeside(view, hasPicture(drawn)), drawn.cutCode);
    return true;
  };

  const answer: Messenger['answer'] = async (place, user, view) => {
    if (place.channel === '') {
      await byDirectMessage(user, view);
      return false;
    }
    try {
      await postWithFiles(place, view);
      return true;
    } catch (error) {
      const fault = faultOf(error);
      log.debug({ why: sayFault(fault) }, 'a public answer failed; answering the person privately');
      if (fault.kind === 'away' || fault.kind === 'revoked') throw error;
      await privately(place, user, withContext(view, whyAlone(place, fault)));
      return false;
    }
  };

  return {
    postEphemeral: (place, user, view) => explained('posting privately', whisper(place, user, view)),
    answer: (place, user, view) => explained('answering', answer(place, user, view)),
    replace: (click, view) => explained('replacing a message', replace(click, view)),
  };
}

/** Turns Slack's errors into plain errors, so that the engine can log them without knowing Slack. */
async function explained<T>(doing: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new Error(`${doing} in Slack: ${sayFault(faultOf(error))}`, { cause: error });
  }
}

function withContext(view: View, text: Text | undefined): View {
  return text === undefined ? view : { ...view, parts: [...view.parts, { kind: 'context', text }] };
}

function threadNote(teamUrl: string | undefined, { channel, thread }: Place): Text | undefined {
  if (thread === undefined) return undefined;
  if (teamUrl === undefined) return 'This belongs to the thread in which it was asked.';
  const link = `${teamUrl}archives/${channel}/p${thread.replace('.', '')}`;
  return ['This belongs to ', { link, text: 'the thread in which it was asked' }, '.'];
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
  if (code === 'not_in_channel' || code === 'channel_not_found') {
    return 'Only you see this: the bot is not in this channel. Type /invite @Hostler and ask again to answer for all.';
  }
  return `Only you see this: Slack does not let the bot write there (${code}).`;
}
