import type { View } from '../../core/view.ts';
import { within } from '../../core/within.ts';
import type { SubmitAnswer } from '../../engine/context/ports.ts';
import type { Submission } from '../inbound/submission.ts';
import { clip, harmless, orDash } from '../outbound/words.ts';
import { notStored } from './ask.ts';
import { type Ack, answerWithinMs, type FlowContext, storeWithinMs } from './context.ts';

/** A submitted form. What Slack is answered decides whether the modal closes, shows errors, or shows the next form. */
export interface Submissions {
  readonly submit: (submission: Submission, ack: Ack) => Promise<void>;
}

const most = 1_000;

export function createSubmissions(context: FlowContext): Submissions {
  // A payload delivered again is answered as the first was: its modal is still open and waits for the same words.
  const answers = new Map<string, Promise<unknown>>();
  return {
    submit: async (submission, ack) => {
      const key = submission.request.id;
      const known = answers.get(key);
      if (known !== undefined) {
        await ack(await known);
        return;
      }
      const { answer, rest } = begin(context, submission);
      answers.set(key, answer);
      const oldest = answers.keys().next().value;
      if (answers.size > most && oldest !== undefined) answers.delete(oldest);
      await ack(await answer);
      await rest;
    },
  };
}

/** `answer` is there in time; `rest` is what goes on after it. */
function begin(context: FlowContext, submission: Submission): { answer: Promise<unknown>; rest: Promise<void> } {
  const startedAt = performance.now();
  let rest: Promise<void> = Promise.resolve();
  const answer = (async (): Promise<unknown> => {
    const storing = context.engine.receive(submission.request);
    const stored = await within(storing, storeWithinMs);
    if (stored.kind === 'done' && !stored.value) return notice(context, submittedAlready);
    if (stored.kind !== 'done') {
      context.log.error(
        { request: submission.request.id, ...(stored.kind === 'failed' ? { err: stored.error } : {}) },
        'a form could not be stored in time',
      );
      if (stored.kind === 'late') rest = storedLate(context, submission, storing);
      return errorsAt(context, submission, { '': notStored });
    }
    const submitting = context.engine.submit(submission.request);
    const done = await within(submitting, answerWithinMs - (performance.now() - startedAt));
    if (done.kind === 'done') return responseTo(context, submission, done.value);
    if (done.kind === 'failed') throw done.error;
    rest = submitting.then((value) => showLate(context, submission, value));
    // Closing it now would lose the next form, or errors and all that was typed above them.
    return notice(context, working);
  })().catch((error: unknown) => {
    context.log.error({ request: submission.request.id, err: error }, 'a submitted form: a bug of ours');
    return errorsAt(context, submission, {
      '': 'Something is wrong on my side. Nothing was started; the log says why.',
    });
  });
  return { answer, rest: answer.then(() => rest) };
}

async function responseTo(context: FlowContext, submission: Submission, answer: SubmitAnswer): Promise<unknown> {
  switch (answer.kind) {
    case 'accepted':
      return { response_action: 'clear' };
    case 'errors':
      return errorsAt(context, submission, answer.errors);
    case 'next':
      return { response_action: 'update', view: await context.modals.draw({ form: answer.form }) };
  }
}

/** Errors at their fields. One that belongs to none, or to a field that is not there, stands at the first. */
async function errorsAt(
  context: FlowContext,
  submission: Submission,
  errors: Readonly<Record<string, string>>,
): Promise<unknown> {
  const [first] = submission.blocks.values();
  if (first === undefined) {
    return notice(context, errorView(Object.values(errors)));
  }
  const byBlock: Record<string, string> = {};
  for (const [name, text] of Object.entries(errors)) {
    const block = submission.blocks.get(name) ?? first;
    // Slack shows these as they are written: a backtick would stand there as a backtick.
    const said = orDash(harmless(text).replaceAll('`', ''));
    byBlock[block] = clip(byBlock[block] === undefined ? said : `${byBlock[block]} ${said}`, 2_000);
  }
  return Object.keys(byBlock).length === 0
    ? { response_action: 'clear' }
    : { response_action: 'errors', errors: byBlock };
}

async function notice(context: FlowContext, view: View): Promise<unknown> {
  return { response_action: 'update', view: await context.modals.draw({ view }) };
}

/** The engine needed longer than Slack waits: its answer takes the place of the modal that says so. */
async function showLate(context: FlowContext, submission: Submission, answer: SubmitAnswer): Promise<void> {
  const content =
    answer.kind === 'next'
      ? { form: answer.form }
      : { view: answer.kind === 'accepted' ? accepted : errorView(Object.values(answer.errors)) };
  const isShown = await context.modals.show(submission.viewId, content);
  if (isShown || answer.kind === 'accepted') return;
  if (answer.kind === 'next') return context.engine.dropForm(answer.form.id, submission.request.actor);
  await context.messenger.postEphemeral(
    submission.request.place,
    submission.request.actor,
    errorView(Object.values(answer.errors)),
  );
}

/** As in ask.ts: what is stored runs, and what was said about it is corrected. */
async function storedLate(context: FlowContext, submission: Submission, storing: Promise<boolean>): Promise<void> {
  const isNew = await storing.catch(() => false);
  if (!isNew) return;
  await showLate(context, submission, await context.engine.submit(submission.request));
}

const working: View = {
  summary: 'Working on it',
  parts: [
    {
      kind: 'context',
      text: 'This takes longer than usual. It goes on, and the answer will stand here or in the channel.',
    },
  ],
};
const accepted: View = {
  summary: 'Taken',
  parts: [{ kind: 'notice', tone: 'success', text: 'Taken: the answer is in the channel. You can close this.' }],
};
const submittedAlready: View = {
  summary: 'Submitted already',
  parts: [
    {
      kind: 'notice',
      tone: 'info',
      text: 'This form was submitted already; the answer is in the channel. You can close this.',
    },
  ],
};

function errorView(texts: readonly string[]): View {
  const summary = texts.join(' ') || 'Nothing was started.';
  return { summary, parts: texts.map((text) => ({ kind: 'notice', tone: 'error', text }) as const) };
}
