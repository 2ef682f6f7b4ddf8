import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import type { Form } from '../../core/form.ts';
import type { View } from '../../core/view.ts';
import { viewRoom } from './budget.ts';
import { drawView } from './draw.ts';
import { type GroupNames, inputBlock } from './field.ts';
import { clip, harmless, orDash } from './words.ts';

/** Modals and Home. The only thing a modal carries back is the opaque id of its form or session. */

const formCallback = 'form';
const noticeCallback = 'notice';

const titleLimit = 24;
const fieldLimit = 90;
const bytesLimit = 240_000;

export function drawForm(form: Form, groups: GroupNames = new Map()): ModalView {
  for (const optionLimit of [100, 30, 10, 3]) {
    const view = drawFormWith(form, groups, optionLimit);
    if (Buffer.byteLength(JSON.stringify(view)) <= bytesLimit) return view;
  }
  return drawNotice(form.title, {
    summary: 'This form is too large for Slack',
    parts: [
      {
        kind: 'notice',
        tone: 'error',
        text: 'This form is too large for Slack. Type the command with its options instead.',
      },
    ],
  });
}

function drawFormWith(form: Form, groups: GroupNames, optionLimit: number): ModalView {
  const notes = drawView(
    {
      summary: '',
      parts: [
        ...form.notes.map((text) => ({ kind: 'text', text }) as const),
        ...(form.code === undefined ? [] : [{ kind: 'code', text: form.code } as const]),
        ...(form.fields.length <= fieldLimit
          ? []
          : [
              {
                kind: 'notice',
                tone: 'warning',
                text: `${form.fields.length - fieldLimit} fields are not shown: Slack holds no more.`,
              } as const,
            ]),
      ],
    },
    'modal',
    { blocks: 100 - Math.min(form.fields.length, fieldLimit), characters: 20_000, bytes: 60_000 },
  ).blocks;
  const inputs = form.fields.slice(0, fieldLimit).map((field, index) => inputBlock(field, index, optionLimit, groups));
  const isOnlyShown = inputs.length === 0 && form.code !== undefined;
  return {
    type: 'modal',
    callback_id: formCallback,
    private_metadata: form.id,
    notify_on_close: true,
    title: short(form.title),
    close: short(isOnlyShown ? 'Close' : 'Cancel'),
    ...(isOnlyShown ? {} : { submit: short(form.submit) }),
    blocks: orOneBlock([...notes, ...inputs]),
  };
}

/** What has buttons carries the id of its session. Closing it forgets nothing: what was clicked may still be worked on. */
export function drawNotice(title: string, view: View, session?: string): ModalView {
  return {
    type: 'modal',
    callback_id: noticeCallback,
    ...(session === undefined ? {} : { private_metadata: session }),
    title: short(title),
    close: short('Close'),
    blocks: orOneBlock(drawView(view, 'modal', viewRoom()).blocks),
  };
}

export function drawLoading(): ModalView {
  return drawNotice('One moment', {
    summary: '',
    parts: [{ kind: 'context', text: 'Reading what is needed for this form …' }],
  });
}

export function drawHome(view: View): HomeView {
  return { type: 'home', blocks: orOneBlock(drawView(view, 'home', viewRoom()).blocks) };
}

function short(text: string): { type: 'plain_text'; text: string; emoji: false } {
  return { type: 'plain_text', text: clip(orDash(harmless(text).replaceAll('\n', ' ')), titleLimit), emoji: false };
}

function orOneBlock(blocks: KnownBlock[]): KnownBlock[] {
  return blocks.length > 0
    ? blocks
    : [{ type: 'context', elements: [{ type: 'plain_text', text: '–', emoji: false }] }];
}
