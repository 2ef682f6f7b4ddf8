import type { Json } from '../../core/text/json.ts';
import { type Context, jsonText, parseJson } from '../dialect.ts';
import type { FormsTable } from '../schema.ts';

interface FormRow extends Omit<FormsTable, 'data'> {
  data: Json;
}

type NewForm = Omit<FormRow, 'createdAt'>;

/** The subjects of open modals. Slack's `private_metadata` carries only the id. */
export function createForms({ db, now }: Context) {
  return {
    async put({ data, ...form }: NewForm): Promise<void> {
      await db
        .insertInto('forms')
        .values({ ...form, data: jsonText(data), createdAt: now() })
        .execute();
    },

    async get(id: string, userId: string): Promise<FormRow | undefined> {
      const row = await db
        .selectFrom('forms')
        .selectAll()
        .where('id', '=', id)
        .where('userId', '=', userId)
        .where('expiresAt', '>', now())
        .executeTakeFirst();
      return row && { ...row, data: parseJson(row.data) };
    },

    /** True for exactly one of all callers. */
    async delete(id: string): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('forms').where('id', '=', id).executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
