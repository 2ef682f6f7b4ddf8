import { askedRecorder } from '../../../sandbox/view-recorder.ts';
import type { View } from '../../../src/core/view/view.ts';
import type { FormAnswer } from '../../../src/engine/context/ports.ts';
import type { Request } from '../../../src/engine/context/request.ts';
import { drawMessage } from '../../../src/slack/outbound/draw.ts';
import { drawForm, drawNotice } from '../../../src/slack/outbound/modals.ts';

/** Records for `npm --prefix proof run views` the messages and modals that tests without a Slack would show there. */

const record = askedRecorder();
let command = '';

/** The request that the next views answer. */
export function noteRequest<T extends Pick<Request, 'ask'>>(request: T): T {
  const { ask } = request;
  if (ask.kind === 'line') command = `/host ${ask.line}`;
  else if (ask.kind === 'intent' && 'line' in ask.intent) command = `/host ${ask.intent.line}`;
  else command = `${command.split(' › ')[0]} › ${ask.kind}`;
  return request;
}

export function recordMessage(view: View, line = command): void {
  record?.({ surface: 'message', command: line, payload: { blocks: drawMessage(view).blocks } });
}

export function recordForm(answer: FormAnswer): FormAnswer {
  record?.({ surface: 'modal', command, payload: drawAnswer(answer) });
  return answer;
}

const drawAnswer = (answer: FormAnswer) =>
  'form' in answer ? drawForm(answer.form) : drawNotice('Hostler', answer.view);
