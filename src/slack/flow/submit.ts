import { setBounded } from '../../core/async/bounded-map.ts';
import { within } from '../../core/async/within.ts';
import { notice, type View } from '../../core/view/view.ts';
import type { SubmitAnswer } from '../../engine/context/ports.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { Submission } from '../inbound/submission.ts';
import { clip, harmless, orDash } from '../outbound/escape.ts';
import { drawWorking } from '../outbound/modals.ts';
import { type Ack, answerWithinMs, type FlowContext, notStored, whenStored } from './context.ts';

const most = 1_000;

/** Handles submitted forms. The acknowledgement decides whether the modal closes, shows errors or the next form. */
export function createSubmit(context: FlowContext) {
  // A repeated payload gets the same answer as the first, since its modal is still open and waits for it.
  const answers = new Map<string, ReturnType<typeof begin>>();
  return async (submission: Submission, ack: Ack): Promise<void> => {
    const key = submission.request.id;
    const begun = answers.get(key) ?? begin(context, submission);
    setBounded(answers, key, begun, most);
    const { acknowledgement, shown } = await begun.answer;
    await ack(acknowledgement);
    if (shown !== undefined) await show(context, submission, await shown);
    await begun.rest;
  };
}

/**
 * Slack does not report whether it accepted a view in an acknowledgement. So that view is as plain as possible, and a
 * call, which has a response, replaces it by the real one.
 */
interface Answered {
  readonly acknowledgement: unknown;
  readonly shown?: Promise<Shown>;
}

type Shown = SubmitAnswer | { readonly kind: 'view'; readonly view: View };

function shownAfter(shown: Shown | Promise<Shown>, words?: string): Answered {
  return { acknowledgement: { response_action: 'update', view: drawWorking(words) }, shown: Promise.resolve(shown) };
}

/** `answer` resolves within Slack's three seconds, which only this file enforces for forms; `rest` goes on after. */
function begin(context: FlowContext, submission: Submission): { answer: Promise<Answered>; rest: Promise<void> } {
  const startedAt = performance.now();
  const { request } = submission;
  const answered = Promise.withResolvers<Answered>();
  const accepted = context.engine.accept(request);
  const broken = (error: unknown): SubmitAnswer => {
    context.log.error({ request: request.id, err: error }, 'a submitted form failed: bug in the bot');
    return { kind: 'errors', errors: { '': brokenWords } };
  };
  const run = async () => {
    if (accepted.acknowledge !== 'with-answer') throw new Error('the engine answers no submitted form');
    return accepted.run();
  };
  const rest = whenStored(context, request, accepted, {
    isNew: async () => {
      const running = run().catch(broken);
      const done = await within(running, answerWithinMs - (performance.now() - startedAt));
      // Closing the modal now would lose the next form, or the errors and the input.
      answered.resolve(done.kind === 'done' ? responseTo(submission, done.value) : shownAfter(running, longer));
    },
    isAgain: async () => answered.resolve(shownAfter({ kind: 'view', view: submittedAlready })),
    notStored: async () => {
      answered.resolve(errorsAt(submission, { '': notStored }));
      return true;
    },
    isLate: async () => show(context, submission, await run().catch(broken)),
  }).catch((error: unknown) => answered.resolve(responseTo(submission, broken(error))));
  return { answer: answered.promise, rest };
}

const brokenWords = 'Something is wrong with the bot. Nothing was started; the log says why.';

function responseTo(submission: Submission, answer: SubmitAnswer): Answered {
  if (answer.kind === 'accepted') return { acknowledgement: { response_action: 'clear' } };
  return answer.kind === 'errors' ? errorsAt(submission, answer.errors) : shownAfter(answer);
}

/** Shows errors at their fields. An error without a field, or with a missing field, is shown at the first field. */
function errorsAt(submission: Submission, errors: Readonly<Record<string, string>>): Answered {
  const [first] = submission.blocks.values();
  if (first === undefined) return shownAfter({ kind: 'errors', errors });
  const byBlock: Record<string, string> = {};
  for (const [name, text] of Object.entries(errors)) {
    const block = submission.blocks.get(name) ?? first;
    // Slack shows these texts without markup, so backticks are removed.
    const plain = orDash(harmless(text).replaceAll('`', ''));
    byBlock[block] = clip(byBlock[block] === undefined ? plain : `${byBlock[block]} ${plain}`, 2_000);
  }
  const hasErrors = Object.keys(byBlock).length > 0;
  return { acknowledgement: hasErrors ? { response_action: 'errors', errors: byBlock } : { response_action: 'clear' } };
}

/** Shows the answer in the open modal. If the modal is closed, errors and answers go to the person directly. */
async function show(context: FlowContext, submission: Submission, shown: Shown): Promise<void> {
  const { actor, place } = submission.request;
  // The form's fields are replaced; a button with the session brings the input back.
  const session = shown.kind === 'said' ? shown.session : submission.form;
  const content = shown.kind === 'next' ? { form: shown.form } : { view: viewOf(shown), session };
  const outcome = await context.modals.show(submission.viewId, content).catch((error: unknown) => {
    context.log.error({ request: submission.request.id, why: sayFault(faultOf(error)) }, 'a modal was not updated');
    return 'failed' as const;
  });
  if (outcome === 'shown' || outcome === 'pictured' || shown.kind === 'accepted') return;
  if (shown.kind === 'next') await context.engine.dropForm(shown.form.id, actor);
  // After closing the modal, the person needs errors and answers, but not the next form.
  if (outcome === 'gone' && shown.kind !== 'errors' && shown.kind !== 'said') return;
  const where =
    shown.kind === 'said' ? shown.place : shown.kind === 'errors' ? (shown.withoutForm?.place ?? place) : place;
  await context.messenger.postEphemeral(where, actor, viewOf(shown));
}

function viewOf(shown: Shown): View {
  if (shown.kind === 'accepted') return accepted;
  if (shown.kind === 'errors') return shown.withoutForm?.view ?? errorView(Object.values(shown.errors));
  if (shown.kind === 'next') return errorView(['Slack did not show the next form. Nothing was started; ask again.']);
  return shown.view;
}

const longer = 'This is taking longer than usual. The result will appear here or in the channel.';
const accepted = notice('success', 'Submitted: the answer is in the channel. You can close this.');
const submittedAlready = notice(
  'info',
  'This form was submitted already; the answer is in the channel. You can close this.',
);

function errorView(texts: readonly string[]): View {
  const summary = texts.join(' ') || 'Nothing was started.';
  return { summary, parts: texts.map((text) => ({ kind: 'notice', tone: 'error', text }) as const) };
}
