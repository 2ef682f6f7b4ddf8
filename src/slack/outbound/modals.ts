import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { setBounded } from '../../core/async/bounded-map.ts';
import { defined } from '../../core/text/defined.ts';
import type { Form } from '../../core/view/form.ts';
import { notice, type View, type ViewPart } from '../../core/view/view.ts';
import type { FormAnswer } from '../../engine/context/ports.ts';
import { faultOf, sayFault } from '../faults.ts';
import { drawAt, hasPicture, showsPictures } from './draw.ts';
import { harmless, plainText, shortText } from './escape.ts';
import { type GroupNames, inputBlock } from './field.ts';
import { inBox, rich } from './paragraph.ts';
import { type DrawAttempt, firstAttempt } from './pen.ts';
import { uploadPictures } from './upload.ts';
import { groupNames, type Voice } from './voice.ts';

/** Draws modals and Home. A modal carries only the opaque id of its form or session. */

const titleLimit = 24;
const fieldLimit = 90;
const bytesLimit = 240_000;

const inModal = firstAttempt('modal');

export function drawForm(form: Form, groups: GroupNames = new Map(), attempt: DrawAttempt = inModal): ModalView {
  const instead = (why: string) =>
    drawNotice(form.title, notice('error', `${why} Type the command with its options instead.`), { attempt });
  if (attempt.rung === 'text' || attempt.avoid.has('input')) return instead('Slack does not show this form.');
  for (const optionLimit of [100, 30, 10, 3].map((limit) => Math.ceil(limit * attempt.share))) {
    const view = drawFormWith(form, groups, optionLimit, attempt);
    if (Buffer.byteLength(JSON.stringify(view)) <= bytesLimit) return view;
  }
  return instead('This form is too large for Slack.');
}

function drawFormWith(form: Form, groups: GroupNames, optionLimit: number, attempt: DrawAttempt): ModalView {
  const shown = form.fields.slice(0, fieldLimit);
  const missing = form.fields.length - shown.length;
  const parts: ViewPart[] = [...(form.about ?? []), ...form.notes.map((text): ViewPart => ({ kind: 'text', text }))];
  if (form.code !== undefined) parts.push({ kind: 'code', text: form.code });
  if (missing > 0) {
    const text = `${missing} fields are not shown: this is the most that Slack holds.`;
    parts.push({ kind: 'notice', tone: 'warning', text });
  }
  const budget = { blocks: 100 - shown.length, characters: 20_000, bytes: 60_000 };
  const notes = parts.length === 0 ? [] : drawAt({ summary: '', parts }, attempt, { budget }).blocks;
  const inputs = shown.map((field, index) => inputBlock(field, index, optionLimit, groups));
  const isOnlyShown = inputs.length === 0 && form.code !== undefined;
  const close = !isOnlyShown && form.submit.startsWith('Close') ? 'Not yet' : 'Close';
  return {
    ...modal(form.title, orDashBlock([...notes, ...inputs], attempt), close),
    private_metadata: form.id,
    notify_on_close: true,
    ...(isOnlyShown ? {} : { submit: short(form.submit) }),
  };
}

/** A notice with buttons carries the id of its session. Closing it does not end the session: a click may still run. */
export function drawNotice(
  title: string,
  view: View,
  { session, attempt = inModal }: { session?: string | undefined; attempt?: DrawAttempt } = {},
): ModalView {
  const blocks = orDashBlock(drawAt(view, attempt).blocks, attempt);
  return { ...modal(title, blocks), ...defined({ private_metadata: session }) };
}

export function drawLoading(attempt: DrawAttempt = inModal): ModalView {
  const text = 'Reading …';
  return drawNotice('One moment', { summary: text, parts: [{ kind: 'context', text }] }, { attempt });
}

/** The plainest view, for acknowledgements, since Slack does not report whether it accepted that view. */
export function drawWorking(text = 'Working on it …'): ModalView {
  return modal('One moment', [{ type: 'section', text: plainText(text) }]);
}

const modal = (title: string, blocks: KnownBlock[], close = 'Close'): ModalView => ({
  type: 'modal',
  title: short(title),
  close: short(close),
  blocks,
});

/** `generation` differs each time Home is published, so that no menu keeps showing the picked option. */
export function drawHome(view: View, attempt: DrawAttempt = firstAttempt('home'), generation = 0): HomeView {
  return { type: 'home', blocks: orDashBlock(drawAt(view, attempt, { generation }).blocks, attempt) };
}

const short = (text: string) => shortText(harmless(text).replaceAll('\n', ' '), titleLimit);

/** Slack requires a block in a view. An empty view gets a dash, in a block type that Slack has not refused. */
function orDashBlock(blocks: KnownBlock[], { avoid }: DrawAttempt): KnownBlock[] {
  if (blocks.length > 0) return blocks;
  const type = (['section', 'context'] as const).find((each) => !avoid.has(each));
  return [type === undefined ? rich([{ type: 'text', text: '–' }]) : inBox(type, plainText('–'))];
}

export type Modals = ReturnType<typeof createModals>;

/** The most used triggers to remember; a trigger expires within seconds. */
const mostUsed = 1_000;

const opened = z.object({ view: z.object({ id: z.string() }) });

/** Opens and updates modals. A trigger opens one within three seconds, so a loading modal opens before its content. */
export function createModals(voice: Voice) {
  const { web, ladder, log } = voice;

  const drawerOf = async (content: FormAnswer, unpictured: View | undefined) => {
    if ('form' in content) {
      const { form } = content;
      const hasGroups = form.fields.some((field) => field.widget === 'groups' && field.initial.length > 0);
      // If the names cannot be read, the form shows ids and still works.
      const names = hasGroups ? await groupNames(voice).catch(() => undefined) : undefined;
      return (attempt: DrawAttempt) => drawForm(form, names, attempt);
    }
    const { view, session } = content;
    const pictured = unpictured === undefined ? await uploadPictures(voice, view) : view;
    return (attempt: DrawAttempt) =>
      drawNotice('Hostler', showsPictures(attempt) ? pictured : (unpictured ?? view), { session, attempt });
  };

  // Slack may redeliver a payload, but its trigger opens only one modal.
  const used = new Map<string, true>();
  return {
    /** Returns the view id; undefined if Slack opened no modal. */
    openLoading: async (trigger: string, onTopOf?: string): Promise<string | undefined> => {
      if (used.has(trigger)) return undefined;
      setBounded(used, trigger, true, mostUsed);
      const method = onTopOf === undefined ? 'views.open' : 'views.push';
      try {
        const { answer } = await ladder.send('modal', drawLoading, (view) =>
          web.call(method, { trigger_id: trigger, view }, opened),
        );
        return answer.view.id;
      } catch (error) {
        log.warn({ why: sayFault(faultOf(error)) }, 'could not open a modal');
        return undefined;
      }
    },
    /**
     * `gone` if the modal was closed meanwhile. With `unpictured`, which replaces an answer where Slack refuses its
     * picture, the pictures are uploaded already.
     */
    show: async (viewId: string, content: FormAnswer, unpictured?: View): Promise<'gone' | 'shown' | 'pictured'> => {
      const draw = await drawerOf(content, unpictured);
      try {
        const { drawn } = await ladder.send('modal', draw, (view) =>
          web.call('views.update', { view_id: viewId, view }, z.unknown()),
        );
        return hasPicture(drawn) ? 'pictured' : 'shown';
      } catch (error) {
        const fault = faultOf(error);
        if (fault.kind === 'refused' && fault.code === 'not_found') return 'gone';
        throw error;
      }
    },
    publishHome: async (user: string, view: View): Promise<void> => {
      await ladder.send(
        'home',
        (attempt) => drawHome(view, attempt, Date.now()),
        (drawn) => web.call('views.publish', { user_id: user, view: drawn }, z.unknown()),
      );
    },
  };
}
