import type { View } from '../../core/view.ts';
import { within } from '../../core/within.ts';
import type { SubmitAnswer } from '../../engine/context/ports.ts';
import type { Submission } from '../inbound/submission.ts';
import { clip, harmless, orDash } from '../outbound/words.ts';
import { type Ack, answerWithinMs, type FlowContext } from './context.ts';
import { notStored, whenStored } from './when-stored.ts';

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

/** `answer` is there within Slack's three seconds, which nobody but this file counts for forms; `rest` goes on after it. */
function begin(context: FlowContext, submission: Submission): { answer: Promise<unknown>; rest: Promise<void> } {
  const startedAt = performance.now();
  const { request } = submission;
  const answered = Promise.withResolvers<unknown>();
  const accepted = context.engine.accept(request);
  const run = async () => {
    if (accepted.acknowledge !== 'with-answer') throw new Error('the engine answers no submitted form');
    return accepted.run();
  };
  const rest = whenStored(context, request, accepted, {
    isNew: async () => {
      const running = run();
      const done = await within(running, answerWithinMs - (performance.now() - startedAt));
      if (done.kind === 'failed') throw done.error;
      if (done.kind === 'done') return answered.resolve(await responseTo(context, submission, done.value));
      // Closing it now would lose the next form, or errors and all that was typed above them.
      answered.resolve(await notice(context, working));
      await showLate(context, submission, await running);
    },
    isAgain: async () => answered.resolve(await notice(context, submittedAlready)),
    notStored: async () => answered.resolve(await errorsAt(context, submission, { '': notStored })),
    isLate: async () => showLate(context, submission, await run()),
  }).catch(async (error: unknown) => {
    context.log.error({ request: request.id, err: error }, 'a submitted form: a bug of ours');
    answered.resolve(await errorsAt(context, submission, { '': brokenWords }).catch(() => undefined));
  });
  return { answer: answered.promise, rest };
}

const brokenWords = 'Something is wrong with the bot. Nothing was started; the log says why.';

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
  const { actor, place } = submission.request;
  if (answer.kind === 'next') {
    const { form } = answer;
    if (!(await context.modals.show(submission.viewId, { form }))) await context.engine.dropForm(form.id, actor);
    return;
  }
  if (answer.kind === 'accepted') {
    await context.modals.show(submission.viewId, { view: accepted });
    return;
  }
  // Its fields are gone: what was filled in is behind a button.
  const { view, place: inChannel } = answer.withoutForm ?? { view: errorView(Object.values(answer.errors)), place };
  const isShown = await context.modals.show(submission.viewId, { view, session: submission.form });
  if (!isShown) await context.messenger.postEphemeral(inChannel, actor, view);
}

const working: View = {
  summary: 'Working on it',
  parts: [
    {
      kind: 'context',
      text: 'This is taking longer than usual. The result will appear here or in the channel.',
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
