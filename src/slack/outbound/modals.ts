import { z } from 'zod';
import type { Form } from '../../core/form.ts';
import type { View } from '../../core/view.ts';
import type { Place } from '../../engine/request.ts';
import type { SlackDirectory } from '../directory.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { Log } from '../log.ts';
import type { Web } from '../web.ts';
import type { GroupNames } from './field.ts';
import { drawForm, drawHome, drawLoading, drawNotice } from './modal.ts';

/** Modals that stand open. A trigger is good for one, within three seconds: so a loading modal first, its content after. */
export interface Modals {
  /** Its view id; undefined when Slack opened none. */
  readonly openLoading: (trigger: string, place: Place, onTopOf?: string) => Promise<string | undefined>;
  /** False when the modal was closed meanwhile. */
  readonly show: (viewId: string, content: { form: Form } | { view: View; title?: string }) => Promise<boolean>;
  readonly draw: (content: { form: Form } | { view: View; title?: string }) => Promise<ReturnType<typeof drawForm>>;
  readonly publishHome: (user: string, view: View) => Promise<void>;
  /** Where the modal was opened from, as the signed payload said then. */
  readonly origin: (viewId: string) => Place | undefined;
}

const opened = z.object({ view: z.object({ id: z.string() }) });
const most = 5_000;

export function createModals(web: Web, log: Log, groups: SlackDirectory['groups']): Modals {
  const origins = new Map<string, Place>();

  const namesFor = async (form: Form): Promise<GroupNames> => {
    if (!form.fields.some((field) => field.widget === 'groups' && field.initial.length > 0)) return new Map();
    // Without the names the ids are shown; the form works all the same.
    const options = await groups().catch(() => []);
    return new Map(options.map((option) => [option.value, option.label]));
  };

  const draw: Modals['draw'] = async (content) =>
    'form' in content
      ? drawForm(content.form, await namesFor(content.form))
      : drawNotice(content.title ?? 'Hostler', content.view);

  return {
    draw,
    openLoading: async (trigger, place, onTopOf) => {
      try {
        const method = onTopOf === undefined ? 'views.open' : 'views.push';
        const { view } = await web.call(method, { trigger_id: trigger, view: drawLoading() }, opened);
        origins.set(view.id, (onTopOf === undefined ? undefined : origins.get(onTopOf)) ?? place);
        const oldest = origins.keys().next().value;
        if (origins.size > most && oldest !== undefined) origins.delete(oldest);
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
    origin: (viewId) => origins.get(viewId),
  };
}
