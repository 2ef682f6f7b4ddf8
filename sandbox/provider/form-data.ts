type FormValue = string | FormValue[] | { [key: string]: FormValue };

/** Objects from forms. Forms have no types: an empty text means no number, and one value may be a list of one. */
const forms = new WeakSet<object>();

export const isFormData = (input: unknown): boolean => typeof input === 'object' && input !== null && forms.has(input);

/**
 * Reads a form's fields as Django REST Framework does: a repeated name is a list, `configuration.ram_size` a field of
 * an object, `services[0]service` a field of an object in a list.
 */
export function formData(
  fields: Iterable<readonly [name: string, value: string]>,
): Readonly<Record<string, FormValue>> {
  const data = createForm();
  for (const [name, value] of fields) put(data, name, value);
  return data;
}

const mostItems = 1_000;

function put(into: Record<string, FormValue>, name: string, value: string): void {
  const [, list, at, key] = /^([^.[\]]+)\[(\d{1,4})\]\.?(.*)$/.exec(name) ?? [];
  if (list !== undefined && Number(at) < mostItems) {
    const present = into[list];
    const items = Array.isArray(present) ? present : [];
    into[list] = items;
    if (key === undefined || key === '') items[Number(at)] = value;
    else items[Number(at)] = withField(items[Number(at)], key, value);
    return;
  }
  const dot = name.indexOf('.');
  if (dot > 0) {
    const head = name.slice(0, dot);
    into[head] = withField(into[head], name.slice(dot + 1), value);
    return;
  }
  const earlier = into[name];
  into[name] = earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value];
}

function withField(present: FormValue | undefined, key: string, value: string): Record<string, FormValue> {
  const object = typeof present === 'object' && !Array.isArray(present) ? present : createForm();
  put(object, key, value);
  return object;
}

function createForm(): Record<string, FormValue> {
  const form: Record<string, FormValue> = Object.create(null);
  forms.add(form);
  return form;
}
