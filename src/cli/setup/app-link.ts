import { parse } from 'yaml';
import { manifestOf } from '../manifest.ts';

/** Opens Slack's "Create an app" with the manifest filled in; with an address, that of HTTP mode. */
export function appLink(name: string, requestUrl?: string): string {
  const link = new URL('https://api.slack.com/apps');
  link.searchParams.set('new_app', '1');
  link.searchParams.set('manifest_json', JSON.stringify(parse(manifestOf(name, requestUrl))));
  // A space is %20 everywhere, and a plus only in forms.
  return link.href.replaceAll('+', '%20');
}
