import { readFileSync } from 'node:fs';

/** What the image takes from the repository, besides its dependencies. */
export function dockerCopies(): string[] {
  const [, image = ''] = readFileSync('Dockerfile', 'utf8')
    .split(/^FROM .*$/m)
    .slice(1);
  return [...image.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
}
