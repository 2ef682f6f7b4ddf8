import { userInfo } from 'node:os';

/** The user account of the machine, since the command line knows no Slack user. */
export function whoseShell(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
