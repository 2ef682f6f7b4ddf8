import { type Context, hasChanged } from '../dialect.ts';
import { createJsonColumns } from '../json-columns.ts';
import type { FormsTable } from '../schema.ts';

const formJson = createJsonColumns(['data']);

const toForm = (row: FormsTable) => formJson.parse(row);
type FormRow = ReturnType<typeof toForm>;

/** The subjects of open modals. Slack's `private_metadata` carries only the id. */
export function createForms({ db, now }: Context) {
  return {
    async put(form: Omit<FormRow, 'createdAt'>): Promise<void> {
      const row = { ...formJson.write(form), createdAt: now() };
      await db.insertInto('forms').values(row).execute();
    },

    async get(id: string, userId: string): Promise<FormRow | undefined> {
      const row = await db
        .selectFrom('forms')
        .selectAll()
        .where(({ and }) => and({ id, userId }))
        .where('expiresAt', '>', now())
        .executeTakeFirst();
      return row && toForm(row);
    },

    /** True for exactly one of all callers. */
    delete: (id: string): Promise<boolean> => db.deleteFrom('forms').where('id', '=', id).$call(hasChanged),
  };
}
