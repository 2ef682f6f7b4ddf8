import { parse } from 'yaml';
import { manifestOf } from '../manifest.ts';

/** A link to Slack's "Create an app" with the manifest; with an address, the manifest is for HTTP mode. */
export function appLink(name: string, requestUrl?: string): string {
  const link = new URL('https://api.slack.com/apps');
  link.searchParams.set('new_app', '1');
  link.searchParams.set('manifest_json', JSON.stringify(parse(manifestOf(name, requestUrl))));
  // %20 is a space everywhere, a plus is one only in forms.
  return link.href.replaceAll('+', '%20');
}
