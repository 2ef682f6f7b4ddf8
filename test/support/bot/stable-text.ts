/** Replaces what differs from run to run in Slack's texts with signs: ids, dates, and how long something took. */
export function stableText(text: string): string {
  return (
    text
      .replace(/· [a-hjkmnp-z2-9]{8,10}$/gm, '· ‹id›')
      .replace(/\(([a-hjkmnp-z2-9]{8,10})\)/g, '(‹id›)')
      .replace(/freeze [0-9a-f]{6}/g, 'freeze ‹id›')
      // A card always has its duration; a sentence only from 1.5 s on, which depends on the machine.
      .replace(/(?<= · done) in \d+ (s|min)( \d+ s)?$/gm, ' in ‹time›')
      .replace(/ in \d+ (s|min)( \d+ s)?/g, '')
      .replace(/\bjob \d+/g, 'job ‹n›')
      .replace(/\d{4}-\d\d-\d\d( \d\d:\d\d)?( UTC)?/g, '‹date›')
      .replace(/(today|tomorrow|yesterday|[A-Z][a-z]{2} \d{1,2}, \d{4})( \d{1,2}:\d\d\s[AP]M)?/g, '‹date›')
      .replace(/\b\d{1,2}:\d\d\s[AP]M/g, '‹date›')
      .replace(/read (just now|\d+ \w+ ago)/g, 'read ‹ago›')
      .replace(/\(\d+ days?\)/g, '(‹n› days)')
      .replace(/CPU [\d.,]+ % · memory [\d.,]+ MB/g, 'CPU ‹n› % · memory ‹n› MB')
  );
}
