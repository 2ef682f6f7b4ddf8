import { markdownTable } from '../../core/command/command-table.ts';
import { CliError } from '../cli.ts';
import type { AskSlack } from './ask-slack.ts';
import { otherQuestions, type ProbeContext, probeQuestions } from './probe-questions.ts';

/** Answers the questions in the bot's conversation with this person. Returns a table to paste into an issue. */
export async function probe(askSlack: AskSlack, user: string): Promise<string> {
  const context: ProbeContext = { askSlack, user, channel: await openConversation(askSlack, user) };
  const rows: string[][] = [];
  for (const { question, asks, answer } of probeQuestions) {
    // An error becomes the answer to its question; the others continue.
    const result = await answer(context).catch((error: unknown) => `not answered: ${reasonOf(error)}`);
    rows.push([question, asks, result]);
  }
  const rest = otherQuestions.map((question) => `- ${question}`).join('\n');
  return `${markdownTable(['Question', 'Asked with', 'Answer'], rows)}\n\nOpen until people try it:\n\n${rest}`;
}

async function openConversation(askSlack: AskSlack, user: string): Promise<string> {
  const answer = await askSlack('conversations.open', { users: user });
  const { channel } = answer;
  if (answer.ok && typeof channel === 'object' && channel !== null && 'id' in channel) return String(channel.id);
  throw new CliError(`Slack opens no conversation with ${user}: ${answer.error}`);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : 'no answer');
