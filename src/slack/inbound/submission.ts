import { z } from 'zod';
import type { FormValues } from '../../core/view/form.ts';
import { fieldName } from '../outbound/field.ts';
import { type IncomingPayload, id, person, readPayload, requestId } from './read-payload.ts';

const option = z.object({ value: z.string() });

/** Slack's state of one element. Which fields it has depends on its kind. */
const elementState = z.object({
  value: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
  selected_users: z.array(z.string()).nullish(),
  selected_date_time: z.number().int().nullish(),
  files: z.array(z.object({ id })).nullish(),
});

const viewState = z
  .object({ values: z.record(z.string(), z.record(z.string(), elementState)) })
  .default({ values: {} });

function valuesOf({ values: state }: z.output<typeof viewState>): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const [blockId, elements] of Object.entries(state)) {
    const name = fieldName(blockId);
    const [element] = Object.values(elements);
    if (name === undefined || element === undefined) continue;
    values[name] = enteredIn(element);
  }
  return values satisfies FormValues;
}

function enteredIn(element: z.output<typeof elementState>): string | string[] {
  const { selected_option, selected_options, selected_users, selected_date_time: at, files, value } = element;
  if (at != null) return new Date(at * 1_000).toISOString();
  const several = selected_options?.map((each) => each.value) ?? selected_users ?? files?.map((file) => file.id);
  return several ?? selected_option?.value ?? value ?? '';
}

const view = z.object({
  id,
  hash: z.string().default(''),
  private_metadata: z.string().max(3_000).default(''),
  blocks: z.array(z.looseObject({ type: z.string(), block_id: z.string().optional() })).default([]),
  state: viewState,
});

const submission = z.object({ user: person, trigger_id: id.optional(), view });

export interface Submission extends IncomingPayload {
  readonly viewId: string;
  readonly form: string;
  /** The block of each field, in order, so that an error can be shown at its field. */
  readonly blocks: ReadonlyMap<string, string>;
}

/**
 * Reads a submitted form. Its key is the view and the trigger of this submission. The view's hash would not do: it
 * stays the same after an error at a field, so the corrected form would count as a duplicate.
 */
export function readSubmission(payload: unknown, now: number): Submission {
  const { user, trigger_id, view: submitted } = readPayload('submission', submission, payload);
  const blocks = new Map<string, string>();
  for (const block of submitted.blocks) {
    const name = block.type === 'input' && block.block_id !== undefined ? fieldName(block.block_id) : undefined;
    if (name !== undefined && block.block_id !== undefined) blocks.set(name, block.block_id);
  }
  return {
    request: {
      id: requestId(`submit:${submitted.id}:${trigger_id ?? submitted.hash}`),
      actor: user.id,
      place: { channel: '', kind: 'modal', form: submitted.private_metadata },
      at: now,
      ask: { kind: 'submit', form: submitted.private_metadata, values: valuesOf(submitted.state) },
    },
    opens: false,
    viewId: submitted.id,
    form: submitted.private_metadata,
    blocks,
  };
}

const closed = z.object({ user: person, view: z.object({ private_metadata: z.string().default('') }) });

export function readClosed(payload: unknown): { form: string; user: string } | undefined {
  const { user, view: shut } = readPayload('closed modal', closed, payload);
  return shut.private_metadata === '' ? undefined : { form: shut.private_metadata, user: user.id };
}
