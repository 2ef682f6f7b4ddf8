import { readFileSync } from 'node:fs';

/** The pages of the documentation, with the order and the descriptions of docs/index.md. */
export interface DocPage {
  /** The name of the file in docs, without `.md`. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly group: string;
}

export function docPages(): readonly DocPage[] {
  const [, ...groups] = readFileSync('docs/index.md', 'utf8').split(/^## /m);
  return groups.flatMap((text) => {
    const [group = ''] = text.split('\n', 1);
    return [...text.matchAll(/^- \[([^\]]+)\]\(([\w-]+)\.md\): (.+)$/gm)].map(
      ([, title = '', name = '', summary = '']): DocPage => ({ name, title, summary, group }),
    );
  });
}

/** The index of the pages for language models: https://llmstxt.org. */
export function llmsText(): string {
  const groups = Map.groupBy(docPages(), ({ group }) => group);
  const sections = [...groups].map(
    ([group, pages]) =>
      `## ${group}\n\n${pages.map(({ name, title, summary }) => `- [${title}](${name}.md): ${summary}`).join('\n')}\n`,
  );
  return `# Hostler\n\n> A Slack bot for managing a team's hosting account.\n\n${sections.join('\n')}`;
}
