import { userInfo } from 'node:os';

/** The account on the machine: the command line knows no Slack user. */
export function whoseShell(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user need not have a name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
