const made = new Map<string, Intl.DateTimeFormat>();

/** Made once for each locale, zone and options: to make one takes a hundred times as long as to format with it. */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat(locale, options);
  made.set(key, format);
  return format;
}
