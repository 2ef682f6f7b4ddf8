import { z } from 'zod';
import { setBounded } from '../../core/async/bounded-map.ts';
import type { View } from '../../core/view/view.ts';
import type { FormAnswer } from '../../engine/context/ports.ts';
import { faultOf, sayFault } from '../faults.ts';
import { hasPicture, showsPictures } from './draw.ts';
import { drawForm, drawHome, drawLoading, drawNotice } from './modal.ts';
import type { DrawAttempt } from './pen.ts';
import { uploadPictures } from './upload.ts';
import { groupNames, type Voice } from './voice.ts';

export type Modals = ReturnType<typeof createModals>;

/** The most used triggers to remember; a trigger expires within seconds. */
const mostUsed = 1_000;

const opened = z.object({ view: z.object({ id: z.string() }) });

/**
 * Opens and updates modals. A trigger opens one modal within three seconds, so a loading modal opens before its
 * content.
 */
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
