import { z } from 'zod';
import type { Form } from '../../core/form.ts';
import type { View } from '../../core/view.ts';
import type { FormAnswer } from '../../engine/context/ports.ts';
import type { SlackDirectory } from '../directory.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { SlackLog } from '../log.ts';
import type { Web } from '../web.ts';
import type { GroupNames } from './field.ts';
import { drawForm, drawHome, drawLoading, drawNotice } from './modal.ts';

/** Modals that stand open. A trigger is good for one, within three seconds: so a loading modal first, its content after. */
export interface Modals {
  /** Its view id; undefined when Slack opened none. */
  readonly openLoading: (trigger: string, onTopOf?: string) => Promise<string | undefined>;
  /** False when the modal was closed meanwhile. */
  readonly show: (viewId: string, content: FormAnswer) => Promise<boolean>;
  readonly draw: (content: FormAnswer) => Promise<ReturnType<typeof drawForm>>;
  readonly publishHome: (user: string, view: View) => Promise<void>;
}

const opened = z.object({ view: z.object({ id: z.string() }) });

export function createModals(web: Web, log: SlackLog, groups: SlackDirectory['groups']): Modals {
  const namesFor = async (form: Form): Promise<GroupNames> => {
    if (!form.fields.some((field) => field.widget === 'groups' && field.initial.length > 0)) return new Map();
    // Without the names the ids are shown; the form works all the same.
    const options = await groups().catch(() => []);
    return new Map(options.map((option) => [option.value, option.label]));
  };

  const draw: Modals['draw'] = async (content) =>
    'form' in content
      ? drawForm(content.form, await namesFor(content.form))
      : drawNotice('Hostler', content.view, content.session);

  return {
    draw,
    openLoading: async (trigger, onTopOf) => {
      try {
        const method = onTopOf === undefined ? 'views.open' : 'views.push';
        const { view } = await web.call(method, { trigger_id: trigger, view: drawLoading() }, opened);
        return view.id;
      } catch (error) {
        log.warn({ why: sayFault(faultOf(error)) }, 'a modal could not be opened');
        return undefined;
      }
    },
    show: async (viewId, content) => {
      try {
        await web.call('views.update', { view_id: viewId, view: await draw(content) }, z.unknown());
        return true;
      } catch (error) {
        const fault = faultOf(error);
        if (fault.kind === 'refused' && fault.code === 'not_found') return false;
        throw error;
      }
    },
    publishHome: async (user, view) => {
      await web.call('views.publish', { user_id: user, view: drawHome(view) }, z.unknown());
    },
  };
}
