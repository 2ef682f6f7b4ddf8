import { created, noContent, ok, okWithoutBody } from '../answer.ts';
import type { ProviderRequestCall } from '../call.ts';
import type { SimOrder } from '../model.ts';
import { numbers } from '../numbers.ts';
import { paginated } from '../paginate.ts';
import { presentProject } from '../present.ts';
import { defineRoute } from '../router.ts';
import type { ProviderState } from '../types.ts';
import { fail, invalid, list, optional, required, text, validate, withDefault } from '../validate.ts';
import { findProject } from './find.ts';

const name = text({ min: 1, max: 40 });
const comment = text({ max: 256, mayBeBlank: true });
const images = /^image\/(png|jpeg|gif|webp|svg\+xml)$/;

export const projectRoutes = [
  defineRoute('GET /project/', (call) =>
    paginated(call, [...call.provider.state.projects.values()], (project) => presentProject(project, call.origin)),
  ),
  defineRoute('POST /project/', ({ provider, data, origin }) => {
    const body = validate(data(), { name: required(name), comment: withDefault(comment, '') });
    const project = { id: provider.state.next.project++, ...body, logo: null };
    provider.state.projects.set(project.id, project);
    provider.changed('project', project.id);
    return created(presentProject(project, origin));
  }),
  defineRoute('GET /project/{id}/', (call) => ok(presentProject(findProject(call), call.origin))),
  defineRoute('PATCH /project/{id}/', (call) => {
    const project = findProject(call);
    const body = validate(call.data(), { name: optional(name), comment: optional(comment) });
    project.name = body.name ?? project.name;
    project.comment = body.comment ?? project.comment;
    call.provider.changed('project', project.id);
    return ok(presentProject(project, call.origin));
  }),
  defineRoute('DELETE /project/{id}/', (call) => {
    const { provider } = call;
    const { id } = findProject(call);
    provider.state.projects.delete(id);
    for (const order of provider.state.orders.values()) if (order.projectId === id) order.projectId = null;
    provider.changed('project', id);
    return noContent;
  }),
  defineRoute('POST /project/{id}/add_orders/', (call) => {
    const { id } = findProject(call);
    for (const order of ordersIn(call)) order.projectId = id;
    call.provider.changed('project', id);
    return okWithoutBody;
  }),
  defineRoute('POST /project/{id}/remove_orders/', (call) => {
    const { id } = findProject(call);
    for (const order of ordersIn(call)) if (order.projectId === id) order.projectId = null;
    call.provider.changed('project', id);
    return okWithoutBody;
  }),
  defineRoute('PUT /project/{id}/edit_logo/', async (call) => {
    const project = findProject(call);
    const file = (await call.form()).get('logo');
    if (file === null) throw invalid({ logo: ['No file was submitted.'] });
    if (typeof file === 'string') {
      throw invalid({ logo: ['The submitted data was not a file. Check the encoding type on the form.'] });
    }
    if (file.size === 0) throw invalid({ logo: ['The submitted file is empty.'] });
    if (file.size > numbers.logoMaxBytes) throw invalid({ logo: ['The submitted file is too large.'] });
    if (!images.test(file.type)) {
      throw invalid({
        logo: ['Upload a valid image. The file you uploaded was either not an image or a corrupted image.'],
      });
    }
    const base64 = Buffer.from(await file.arrayBuffer()).toString('base64');
    project.logo = { fileName: file.name || 'logo', contentType: file.type, base64 };
    call.provider.changed('project', project.id);
    return ok({ logo: presentProject(project, call.origin).logo });
  }),
];

function ordersIn({ provider, data }: ProviderRequestCall): SimOrder[] {
  return validate(data(), { orders: required(list(knownOrder(provider))) }).orders;
}

const knownOrder = (provider: ProviderState) => (input: unknown) => {
  const id = text()(input);
  return provider.state.orders.get(id) ?? fail(`Invalid pk "${id}" - object does not exist.`);
};
