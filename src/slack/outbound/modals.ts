import { z } from 'zod';
import { setBounded } from '../../core/async/bounded-map.ts';
import type { View } from '../../core/view/view.ts';
import type { FormAnswer } from '../../engine/context/ports.ts';
import type { SlackDirectory } from '../directory.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { SlackLog } from '../log.ts';
import type { GroupNames } from './field.ts';
import { drawForm, drawHome, drawLoading, drawNotice } from './modal.ts';
import { hasPicture, showsPictures, type UploadPictures } from './pictures.ts';
import type { Voice } from './post.ts';

/**
 * Opens and updates modals. A trigger opens one modal within three seconds, so a loading modal opens before its
 * content.
 */
export interface Modals {
  /** Returns the view id; undefined if Slack opened no modal. */
  readonly openLoading: (trigger: string, onTopOf?: string) => Promise<string | undefined>;
  /**
   * `gone` if the modal was closed meanwhile. With `unpictured`, which replaces an answer where Slack refuses its
   * picture, the pictures are uploaded already.
   */
  readonly show: (viewId: string, content: FormAnswer, unpictured?: View) => Promise<'gone' | 'shown' | 'pictured'>;
  readonly publishHome: (user: string, view: View) => Promise<void>;
}

/** The most used triggers to remember; a trigger expires within seconds. */
const mostUsed = 1_000;

const opened = z.object({ view: z.object({ id: z.string() }) });

export function createModals({
  voice: { web, ladder },
  log,
  uploadPictures,
  groups,
}: {
  voice: Voice;
  log: SlackLog;
  uploadPictures: UploadPictures;
  groups: SlackDirectory['groups'];
}): Modals {
  const namesFor = async (content: FormAnswer): Promise<GroupNames> => {
    const hasGroups =
      'form' in content && content.form.fields.some((field) => field.widget === 'groups' && field.initial.length > 0);
    if (!hasGroups) return new Map();
    // If the names cannot be read, the form shows ids and still works.
    const options = await groups().catch(() => []);
    return new Map(options.map((option) => [option.value, option.label]));
  };

  // Slack may redeliver a payload, but its trigger opens only one modal.
  const used = new Map<string, true>();
  return {
    openLoading: async (trigger, onTopOf) => {
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
    show: async (viewId, answered, unpictured) => {
      const isUploaded = 'form' in answered || unpictured !== undefined;
      const content = isUploaded ? answered : { ...answered, view: await uploadPictures(answered.view) };
      const plain = unpictured ?? ('form' in answered ? undefined : answered.view);
      const names = await namesFor(content);
      try {
        const { drawn } = await ladder.send(
          'modal',
          (attempt) =>
            'form' in content
              ? drawForm(content.form, names, attempt)
              : drawNotice('Hostler', showsPictures(attempt) ? content.view : (plain ?? content.view), {
                  session: content.session,
                  attempt,
                }),
          (view) => web.call('views.update', { view_id: viewId, view }, z.unknown()),
        );
        return hasPicture(drawn) ? 'pictured' : 'shown';
      } catch (error) {
        const fault = faultOf(error);
        if (fault.kind === 'refused' && fault.code === 'not_found') return 'gone';
        throw error;
      }
    },
    publishHome: async (user, view) => {
      await ladder.send(
        'home',
        (attempt) => drawHome(view, attempt, Date.now()),
        (drawn) => web.call('views.publish', { user_id: user, view: drawn }, z.unknown()),
      );
    },
  };
}
