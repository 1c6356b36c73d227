/** Text that is long, or rarely read first, is folded away. */
export const renderFolded = (title: string, ...parts: string[]): string =>
  [
    '<details><summary>',
    title,
    '</summary>\n\n',
    parts.filter(part => part !== '').join('\n\n'),
    '\n\n</details>',
  ].join('')
