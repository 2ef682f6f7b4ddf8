/** The anchors of a page's headings, like GitHub's. */
export function createAnchors(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const plain = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = used.get(plain) ?? 0;
    used.set(plain, count + 1);
    return count === 0 ? plain : `${plain}-${count}`;
  };
}
